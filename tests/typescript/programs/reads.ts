/** Reads that may be kept: which requests a client sends for them. */

import assert from "node:assert/strict";

import { createClient, get_product, list_products } from "../generated/shop.ts";

const nothing = { items: [], page: 1, total: 0, next_page: null };
const json = { "content-type": "application/json" };
const asked: string[][] = [];

/** A client whose requests are answered with these, in their order. */
function answered(...answers: readonly Response[]) {
  return answeredAt("https://shop.example/v1", ...answers);
}

function answeredAt(baseUrl: string, ...answers: readonly Response[]) {
  asked.length = 0;
  const left = [...answers];
  const answer: typeof fetch = async (url, init) => {
    const headers = new Headers(init?.headers);
    asked.push([init?.method ?? "", String(url), String(init?.body ?? ""), headers.get("content-type") ?? ""]);
    assert.deepEqual([headers.get("accept"), headers.get("x-a"), init?.redirect], ["application/json", "1", "manual"]);
    return left.shift() ?? assert.fail("one request too many");
  };
  return createClient({ baseUrl, fetch: answer, headers: { "X-A": "1" }, sleep: async () => undefined });
}

const found = () => new Response(JSON.stringify(nothing), { headers: json });
const error = (status: number, code: string, data?: object) =>
  new Response(JSON.stringify({ error: code, data }), { status, headers: json });
const url = "https://shop.example/v1/list_products";

const kept = await list_products(answered(found()), { search: "ü&=+ \"'" });
assert.equal(kept.ok, true);
const encoded = encodeURIComponent(`{"search":"ü&=+ \\"'"}`);
assert.deepEqual(asked, [["GET", `${url}?input=${encoded}`, "", ""]]);

await list_products(answered(found()));
assert.deepEqual(asked, [["GET", `${url}?input=%7B%7D`, "", ""]]);

// what is not known at GET is sent again as a POST
for (const status of [405, 414, 404]) {
  const result = await list_products(answered(new Response("no", { status }), found()), {});
  assert.equal(result.ok, true);
  assert.deepEqual(asked.map(([method, to]) => [method, to]), [["GET", `${url}?input=%7B%7D`], ["POST", url]]);
  assert.deepEqual(asked[1]?.slice(2), ["{}", "application/json"]);
}

// an answer of the route is one, whatever its status is
const gone = await list_products(answered(error(404, "ROUTE_NOT_FOUND", { route: "list_products" })), {});
assert.ok(!gone.ok && gone.code === "ROUTE_NOT_FOUND");
assert.equal(asked.length, 1);

// it is tried again as any other read is
const again = await list_products(answered(error(503, "SERVICE_UNAVAILABLE"), found()), {});
assert.deepEqual([again.ok, asked.map(([method]) => method)], [true, ["GET", "GET"]]);

// too long for a URL
const far = `https://shop.example/${"v".repeat(1952)}`;
const lengths = [0, 1].map((more) => `${far}${"v".repeat(more)}`);
for (const [baseUrl, method] of [[lengths[0], "GET"], [lengths[1], "POST"]] as const) {
  await list_products(answeredAt(baseUrl ?? "", found()), {});
  assert.deepEqual(asked.map(([used]) => used), [method]);
}

// every other route is called by POST
await get_product(answered(error(404, "NOT_FOUND")), { id: "blue-mug" });
assert.deepEqual(asked.map(([method]) => method), ["POST"]);
console.log("requests of reads that may be kept");
