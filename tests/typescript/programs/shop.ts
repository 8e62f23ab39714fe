/** The client of the example service against the service itself: every outcome that its routes declare, and what can happen to any. */

import assert from "node:assert/strict";

import { ApiClient, CallFailed, createClient, get_product, pages, ProductSort, schemas, type NewOrderInput } from "../generated/shop.ts";

const [, , baseUrl = "", ada = "", sam = "", id = ""] = process.argv;
let asked = 0;
const shop = new ApiClient({ baseUrl: `${baseUrl}/` });
const customer = shop.withOptions({ headers: { Authorization: () => Promise.resolve(`Bearer ${ada}`) } });
const staff = shop.withOptions({ headers: async () => ({ authorization: `Bearer ${(asked++, sam)}` }) });

// success
const products = (await shop.list_products({ sort: ProductSort.CHEAPEST, page_size: 3 })).unwrap();
assert.equal(products.items.length, 3);
assert.ok(products.items.every((product) => product.added_at instanceof Date));
const product = await get_product(createClient({ baseUrl }), { id: "blue-mug" }).unwrap();
assert.match(product.price, /^[0-9]+\.[0-9]{2}$/);
const tree = await shop.category_tree({ headers: { "X-Request-Id": "id-of-a-tree" } });
assert.deepEqual([tree.ok, tree.status, tree.requestId], [true, 200, "id-of-a-tree"]);
assert.equal(tree.headers.get("content-type"), "application/json");
const page = (await shop.product_page({ id: "blue-mug" })).unwrap();
assert.deepEqual(page.product, product);
const hours = (await shop.opening_hours()).unwrap();
assert.equal(hours.days.monday?.opens, "09:00:00");
assert.equal(hours.days.sunday, undefined);
assert.deepEqual(hours.closed_on, ["2026-12-25", "2026-12-26"]);

const order: NewOrderInput = { lines: [{ product_id: "blue-mug", quantity: 2 }], payment: { kind: "cash", change_for: "50.00" } };
const deliver_after = new Date("2030-01-01T00:00:00.125Z");
const placed = (await customer.place_order({ ...order, deliver_after, note: "Ring twice \u{1F514}" })).unwrap();
assert.deepEqual(placed.deliver_after, deliver_after);
assert.equal(placed.note, "Ring twice \u{1F514}");
assert.equal(schemas.place_order.output(placed).issues, undefined, "a validator takes what a client gives");
assert.deepEqual((await customer.get_order({ id: placed.id })).unwrap(), placed);
assert.ok((await customer.list_orders({ filter: { since: placed.placed_at } })).unwrap().items.length >= 1);
for await (const each of pages(customer.list_orders, { filter: { status: "placed" }, limit: 1 })) assert.ok(each.ok);
const watched = (await customer.place_order(order)).unwrap();
const states = [];
for await (const state of (await customer.watch_order({ id: watched.id })).unwrap()) {
  states.push(state.ok ? state.value.status : state.code);
  if (states.length === 1) (await customer.cancel_order({ id: watched.id })).unwrap();
}
assert.deepEqual(states, ["placed", "ORDER_CANCELLED"]);
assert.equal((await customer.update_account({ phone: null })).unwrap().phone, null);

// each declared failure
const card = (number: string): NewOrderInput => ({ ...order, payment: { kind: "card", number, expires: "04/29" } });
const declined = await customer.place_order(card("4242424242424241"));
assert.ok(!declined.ok && declined.declared && declined.code === "CARD_DECLINED");
assert.equal(declined.status, 402);
assert.equal(declined.data, undefined);

const soldOut = await customer.place_order({ ...order, lines: Array.from({ length: 20 }, () => ({ product_id: "blue-mug", quantity: 100 })) });
assert.ok(!soldOut.ok && soldOut.code === "OUT_OF_STOCK");
assert.equal(soldOut.data.product_id, "blue-mug");
assert.equal(typeof soldOut.data.available, "number");
assert.ok(soldOut.requestId && soldOut.requestId === soldOut.headers.get("x-request-id"));

const missing = await shop.get_product({ id: "no-such-thing" });
assert.ok(!missing.ok && missing.declared && missing.code === "NOT_FOUND");
assert.equal(missing.data?.message, "There is no product no-such-thing.");

const forbidden = await customer.restock({ id: "blue-mug", quantity: 1 });
assert.ok(!forbidden.ok && forbidden.code === "FORBIDDEN" && forbidden.declared);

const exists = await staff.add_product({ id: "blue-mug", name: "Again", price: "1.00", category: "kitchen" });
assert.ok(!exists.ok && exists.code === "PRODUCT_EXISTS");

assert.equal((await staff.ship_order({ id: placed.id })).unwrap().status, "shipped");
const shipped = await customer.cancel_order({ id: placed.id });
assert.ok(!shipped.ok && shipped.code === "ALREADY_SHIPPED");
assert.ok(shipped.data.shipped_at instanceof Date);
assert.ok(asked >= 2, "headers are asked for before each request");

const added = await staff.add_product({ id, name: "New", price: "1.00", category: "kitchen" }).unwrap();
assert.equal(added.stock, 0);
assert.equal(await staff.withdraw_product({ id }).unwrap(), null);

// validation, here and there
const refused = await customer.place_order({ lines: [{ product_id: "Blue Mug", quantity: 0 }], payment: { kind: "cash" } });
assert.ok(!refused.ok && refused.code === "VALIDATION_ERROR");
assert.deepEqual([refused.status, refused.headers.get("content-type"), refused.requestId], [0, null, undefined]);
assert.deepEqual(refused.data.issues, [
  {
    path: ["lines", 0, "product_id"],
    code: "pattern",
    message: "Must match the pattern ^[a-z0-9]+(-[a-z0-9]+)*$.",
    params: { pattern: "^[a-z0-9]+(-[a-z0-9]+)*$" },
  },
  { path: ["lines", 0, "quantity"], code: "greater_than_equal", message: "Must be at least 1.", params: { ge: 1 } },
]);
const german = customer.withOptions({ sentences: { "greater_than_equal": "Muss mindestens {ge} sein.", "missing": "" } });
const refusedInGerman = await german.place_order({ lines: [{ product_id: "Blue Mug", quantity: 0 }], payment: { kind: "cash" } });
assert.ok(!refusedInGerman.ok && refusedInGerman.code === "VALIDATION_ERROR");
assert.deepEqual(
  refusedInGerman.data.issues.map(({ message }) => message),
  ["Must match the pattern ^[a-z0-9]+(-[a-z0-9]+)*$.", "Muss mindestens 1 sein."],
);
const careless: typeof fetch = (url, init) => fetch(url, { ...init, body: '{"id": 1, "more": true}' });
const there = await shop.withOptions({ fetch: careless }).get_product({ id: "blue-mug" });
assert.ok(!there.ok && there.code === "VALIDATION_ERROR" && there.status === 400);
assert.deepEqual(there.data.issues.map(({ path, code }) => [path, code]), [[["id"], "string_type"], [["more"], "unknown_key"]]);

// credentials
for (const headers of [{}, { Authorization: "Bearer nobody.knows-this" }]) {
  const unknown = await shop.get_account({ headers });
  assert.ok(!unknown.ok && unknown.code === "UNAUTHORIZED" && !unknown.declared);
  assert.equal(unknown.status, 401);
  assert.ok(unknown.requestId && unknown.headers.get("www-authenticate")?.startsWith("Bearer "));
}
assert.doesNotMatch(JSON.stringify(customer) + String(customer), /demo-token/);

// no such route, and a body that is too large
const elsewhere = await new ApiClient({ baseUrl: `${baseUrl}/nowhere` }).get_account();
assert.ok(!elsewhere.ok && elsewhere.code === "ROUTE_NOT_FOUND");
const bulky: typeof fetch = (url, init) => fetch(url, { ...init, body: `"${"x".repeat(2_000_000)}"` });
const large = await shop.withOptions({ fetch: bulky }).get_product({ id: "blue-mug" });
assert.ok(!large.ok && large.code === "PAYLOAD_TOO_LARGE");
assert.equal(large.data?.limit, 1_048_576);

await assert.rejects(shop.get_product({ id: "no-such-thing" }).unwrap(), (error) => {
  assert.ok(error instanceof CallFailed && error instanceof Error);
  assert.equal(error.result.code, "NOT_FOUND");
  return error.message === "The call failed: NOT_FOUND (404)";
});
console.log("every outcome as declared");
