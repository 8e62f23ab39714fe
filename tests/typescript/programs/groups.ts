/** A service in groups: what calls its routes, and which names they have. */

import assert from "node:assert/strict";

import { ApiClient, createClient, orders_items_class } from "../generated/grouped.ts";

const [, , baseUrl = ""] = process.argv;
const of = (token: string): ApiClient => new ApiClient({ baseUrl, token });
const ada = of("ada");

assert.equal(await ada.orders.create({ product: "p1" }).unwrap(), "ada p1");
const gone = await ada.withOptions({ timeout: 5_000 }).orders.create({ product: "p1", count: 10 });
assert.ok(!gone.ok && gone.code === "SOLD_OUT" && gone.data.days === 3);
const banned = await of("bob").orders.create({ product: "p1" });
assert.ok(!banned.ok && banned.code === "BANNED");
const unknown = await of("acme").orders.create({ product: "p1" });
assert.ok(!unknown.ok && unknown.code === "UNAUTHORIZED");
assert.equal(await of("acme").partners.stock().unwrap(), "acme");
assert.equal(await ada.orders.items.class().unwrap(), "class");
assert.equal(await ada.close.property.a_b().unwrap(), "class");
assert.equal(await ada.import.then_().unwrap(), "then");
assert.equal(await ada.import.withOptions().unwrap(), "withOptions");
assert.equal(await ada.orders_flat().unwrap(), "flat");
assert.equal(await ada.orders_create().unwrap(), "orders_create");
assert.equal(await orders_items_class(createClient({ baseUrl })).unwrap(), "class");
assert.ok((await ada) === ada); // it is not a promise
assert.ok((await ada.import) instanceof Object);
console.log("routes in groups");
