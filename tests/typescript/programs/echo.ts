/** Round trips: what every route of the vectors gives back over HTTP is what was sent. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";

import { ApiClient, schemas, type CallOptions, type Result } from "../generated/vectors.ts";

type Method = (input: unknown, options?: CallOptions) => Promise<Result<unknown>>;
type Validate = (value: unknown) => { value?: unknown; issues?: unknown };

const baseUrl = process.argv[2] ?? "";
const vectors = JSON.parse(readFileSync(process.argv[3] ?? "", "utf8")) as { [route: string]: [string, unknown[]][] };
const api = new ApiClient({ baseUrl });
const validators = schemas as unknown as { [route: string]: { input?: Validate; output: Validate } };
let counted = 0;
for (const [route, rows] of Object.entries(vectors)) {
  const schema = validators[route];
  for (const [text, issues] of rows) {
    if (issues.length > 0 || !schema?.input) continue;
    const read = schema.input(JSON.parse(text));
    if (read.issues) continue; // one of the differences of vectors.ts
    const call = (api as unknown as { [route: string]: Method })[route] as Method;
    const sent = await call.call(api, read.value);
    assert.ok(sent.ok, `${route} ${text}: ${JSON.stringify(sent)}`);
    const raw = await fetch(`${baseUrl}/${route}`, { method: "POST", body: text, headers: { "content-type": "application/json" } });
    const expected = schema.output(JSON.parse(await raw.text(), (_, part) => (part === 0 ? 0 : part))); // JSON.stringify writes -0 as 0
    assert.deepEqual(normal(sent.value), normal(expected.value), `${route} ${text}`);
    counted++;
  }
}

/** Without the milliseconds that a Date has not, nothing is lost. */
function normal(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

const moment = new Date(Date.UTC(2024, 1, 29, 12, 30, 15, 250));
assert.deepEqual((await api.datetime(moment)).unwrap(), moment);
assert.deepEqual((await api.datetime_in_a_zone(moment)).unwrap(), moment);
assert.deepEqual((await api.datetime_in_utc(moment)).unwrap(), moment);
const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
assert.deepEqual((await api.bytes(bytes)).unwrap(), bytes);
// of another realm, as the values of Node are in a test with jsdom
assert.deepEqual((await api.bytes(runInNewContext("new Uint8Array([1, 2])") as Uint8Array)).unwrap(), Uint8Array.of(1, 2));
assert.deepEqual((await api.datetime(runInNewContext(`new Date(${moment.getTime()})`) as Date)).unwrap(), moment);
assert.equal((await api.none()).unwrap(), null);
const hostile = Object.fromEntries([["__proto__", 1], ["constructor", [null]], ["toString", {}]]);
assert.deepEqual(Object.entries((await api.dict(hostile)).unwrap()).map(([key]) => key), ["__proto__", "constructor", "toString"]);
assert.equal(Object.getPrototypeOf((await api.dict(hostile)).unwrap()), Object.prototype);

// an instance of a class is no JSON, and the issue says of which class
const nameless: unknown = Object.create({ constructor: null });
for (const [odd, name] of [[new Map(), "Map"], [new URL("http://a"), "URL"], [nameless, "undefined"]] as const) {
  const { issues: [issue] = [] } = schemas.dict.input(odd) as { issues?: readonly { message: string }[] };
  assert.equal(issue?.message, `Must be an object in curly brackets, not ${name}.`);
}

// numbers that JSON.parse rounds in silence, and others that look like them
const answering = (text: string): ApiClient => new ApiClient({ baseUrl, fetch: async () => new Response(text) });
for (const text of ["9007199254740993", '{"a": [-9007199254740992]}', '["\\\"", 12345678901234567890]', '{"9": 1e1, "a": 100000000000000001}']) {
  const rounded = await answering(text).any(null);
  assert.ok(!rounded.ok && rounded.code === "UNKNOWN_ERROR", text);
  assert.match(rounded.data.issues[0]?.code ?? "", /_than_equal$/);
}
for (const text of ["9007199254740991", "1e17", "123456789012345678.5", '["9007199254740993", "\\"", 1e17]', '{"\\\\": 1.5e20, "-9007199254740993": 0}']) {
  assert.deepEqual((await answering(text).any(null)).unwrap(), JSON.parse(text), text);
}
for (const [text, ok] of [["1.0", true], ["9007199254740991", true], ["9007199254740993", false], ["1e16", false], ["-9007199254740993", false]] as const) {
  assert.equal((await answering(text).int(1)).ok, ok, text);
}
assert.equal((await answering("9007199254740993").float(1)).ok, true, "a float is rounded, as everywhere");
assert.equal((await api.any(1e17)).ok, false, "it would be sent as an integer");

// moments before 1970, and what a Date does not know of them
const read = schemas.datetime.output("1969-12-31T23:59:59.999999Z");
assert.ok(!read.issues && read.value.getTime() === -1);
assert.ok(schemas.datetime.output(new Date(8.64e15)).issues, "no year that has more than four digits");
console.log(`${counted} round trips`);
