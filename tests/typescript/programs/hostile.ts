/** The client of a hostile document: nothing in it was executed, and all of its names lead where they should. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { ApiClient, schemas, Values } from "../generated/hostile.ts";
import * as client from "../generated/hostile.ts";

const names = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as string[];
assert.equal("hacked" in globalThis, false);
assert.deepEqual(Object.keys(Values).sort(), [...names].sort());
assert.deepEqual(Object.values(Values).sort(), [...names].sort());

const document = Object.fromEntries(names.map((name) => [name, name]));
const read = schemas.Names(document);
assert.deepEqual(read.issues, undefined);
assert.deepEqual(Object.entries(read.value).sort(), Object.entries(document).sort());
assert.equal(Object.getPrototypeOf(read.value), Object.prototype);
for (const extra of ["__proto_", "valueOf", "isPrototypeOf"]) {
  assert.deepEqual(schemas.Names({ ...document, [extra]: "" }).issues?.[0]?.path, [extra]);
}
for (const name of names) assert.equal(schemas.Values(name).issues, undefined);
assert.ok(schemas.Values("valueOf").issues);

const kind = JSON.parse('{"__proto__": "${x}", "b": ""}') as unknown;
assert.deepEqual(schemas.Kinds(kind).issues, undefined);
assert.deepEqual(schemas.Kinds(JSON.parse('{"__proto__": "constructor"}')).issues?.[0]?.code, "unknown_tag");
assert.deepEqual(schemas.Kinds({}).issues?.[0]?.code, "missing");

const api = new ApiClient({ baseUrl: "http://127.0.0.1:1", retries: 0, fetch: async (url) => Response.json({ error: "E", data: { url } }, { status: 499 }) });
assert.equal(await Promise.resolve(api), api, "a client is not a thenable");
const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(api)).filter((name) => !["constructor", "withOptions"].includes(name));
const functions = Object.values(client).filter((value) => typeof value === "function" && !String(value).startsWith("class"));
assert.equal(functions.length, methods.length + 2, "one for each method, createClient and inWords");
assert.ok(methods.length > 200);
for (const name of methods) {
  const method = (api as unknown as { [name: string]: (input: unknown) => Promise<{ code?: string }> })[name];
  const answer = await method?.call(api, Symbol());
  assert.equal(answer?.code, "VALIDATION_ERROR", name);
}
console.log(`${names.length} names, ${methods.length} routes, nothing executed`);
