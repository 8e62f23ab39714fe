/** A service that sets headers and cookies of its answers: what a client knows of each. */

import assert from "node:assert/strict";

import { ApiClient } from "../generated/headed.ts";

const [, , baseUrl = ""] = process.argv;
const api = new ApiClient({ baseUrl, headers: { "X-Request-Id": "id-1" } });

for (const visit of [api.visit.bind(api), api.visit_later.bind(api)]) {
  const good = await visit();
  const gone = await visit({ outcome: "gone" });
  const broken = await visit({ outcome: "broken" });
  assert.ok(good.ok && good.value === "good");
  assert.ok(!gone.ok && gone.code === "GONE" && gone.data.response === "yesterday");
  for (const { headers } of [good, gone]) {
    assert.equal(headers.get("X-Total"), "120");
    assert.equal(headers.get("link"), "</a>; rel=next, </b>; rel=last");
    assert.equal(headers.getSetCookie().length, 2);
  }
  assert.ok(!broken.ok && broken.code === "INTERNAL_ERROR");
  assert.deepEqual([broken.headers.get("x-total"), broken.headers.getSetCookie()], [null, []]);
  for (const [result, status] of [[good, 200], [gone, 410], [broken, 500]] as const) {
    assert.deepEqual([result.status, result.requestId], [status, "id-1"]);
  }
}
console.log("headers of every result");
