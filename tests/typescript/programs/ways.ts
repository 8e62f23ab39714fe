/** A service with several ways in: what each option of a client sends. */

import assert from "node:assert/strict";

import { ApiClient } from "../generated/ways.ts";

const [, , baseUrl = ""] = process.argv;

assert.equal(await new ApiClient({ baseUrl, token: "user" }).who().unwrap(), "who ada");
assert.equal(await new ApiClient({ baseUrl, token: () => "user" }).who().unwrap(), "who ada");
assert.equal(await new ApiClient({ baseUrl, token: async () => "user" }).who().unwrap(), "who ada");
assert.equal(await new ApiClient({ baseUrl, xKey: "robot" }).who().unwrap(), "who r2");
assert.equal(await new ApiClient({ baseUrl, xKey: () => "robot" }).withOptions({ timeout: 5_000 }).who().unwrap(), "who r2");
const nobody = await new ApiClient({ baseUrl, headers: { "X-Other": "a" } }).who();
assert.ok(!nobody.ok && nobody.code === "UNAUTHORIZED");
assert.equal((await new ApiClient({ baseUrl, token: () => undefined }).who()).status, 401);
const wrong = await new ApiClient({ baseUrl, xKey: "nobody" }).who();
assert.ok(!wrong.ok && wrong.code === "UNAUTHORIZED");

// a cookie is the browser's to send
const sent: RequestInit[] = [];
const spy: typeof fetch = (_, init) => {
  sent.push(init ?? {});
  return Promise.resolve(new Response('"page"'));
};
assert.equal(await new ApiClient({ baseUrl, fetch: spy, sid: true }).who().unwrap(), "page");
await new ApiClient({ baseUrl, fetch: spy, xKey: "robot" }).who();
await new ApiClient({ baseUrl, fetch: spy, sid: false }).who();
assert.deepEqual(
  sent.map(({ credentials }) => credentials),
  ["include", "omit", undefined],
);
assert.equal(new Headers(sent[1]?.headers).get("x-key"), "robot");

// @ts-expect-error - two credentials are refused by the service
new ApiClient({ baseUrl, token: "user", xKey: "robot" });
// @ts-expect-error - a cookie has no value here
new ApiClient({ baseUrl, sid: "page" });
console.log("three ways in");
