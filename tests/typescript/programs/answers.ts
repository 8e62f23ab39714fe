/** Answers that no service of ours gives, and no answers at all: what a client makes of them. */

import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { inspect } from "node:util";
import { gzipSync } from "node:zlib";

import { ApiClient, CallFailed, createClient, get_product, type ClientOptions } from "../generated/shop.ts";
import { ApiClient as EchoClient } from "../generated/vectors.ts";

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => void;
const handlers: Handler[] = [];
let requests = 0;
const server = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk: Buffer) => (body += chunk.toString()));
  request.on("end", () => {
    requests++;
    (handlers.length > 1 ? handlers.shift() : handlers[0])?.(request, response, body);
  });
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const slept: number[] = [];
const sleep = (milliseconds: number): Promise<void> => (slept.push(milliseconds), Promise.resolve());
const client = (options: Partial<ClientOptions> = {}): ApiClient => new ApiClient({ baseUrl, retries: 0, sleep, ...options });

const answer =
  (status: number, body: string, headers: { [name: string]: string } = {}): Handler =>
  (_, response) => {
    response.writeHead(status, headers);
    response.end(body);
  };
const answering = (...given: Handler[]): void => {
  handlers.splice(0, handlers.length, ...given);
  requests = 0;
  slept.length = 0;
};
const product = { id: "a", name: "A", price: "1.00", stock: 1, category: "b", added_at: "2024-01-01T00:00:00Z" };
const ask = async (options: Partial<ClientOptions> = {}) => await client(options).get_product({ id: "a" });
const asking = async (status: number, body: string, headers: { [name: string]: string } = {}) => {
  answering(answer(status, body, headers));
  const r = await ask();
  assert.ok(!r.ok);
  return r;
};

// answers are read tolerantly, and checked
answering(answer(200, JSON.stringify({ ...product, more: { constructor: 1 }, __proto__x: 1 })));
assert.deepEqual((await ask()).unwrap(), { ...product, added_at: new Date(product.added_at) });
answering(answer(299, JSON.stringify(product)));
assert.ok((await ask()).ok);

for (const [body, path, code] of [
  [{ ...product, stock: -1 }, ["stock"], "greater_than_equal"],
  [{ ...product, price: 1 }, ["price"], "string_type"],
  [{ ...product, added_at: undefined }, ["added_at"], "missing"],
  [{ error: "NOT_FOUND" }, ["id"], "missing"], // 2xx is never a failure
] as const) {
  const wrong = await asking(200, JSON.stringify(body));
  assert.ok(wrong.code === "UNKNOWN_ERROR" && wrong.status === 200);
  assert.deepEqual([wrong.data.issues[0]?.path, wrong.data.issues[0]?.code], [path, code]);
  assert.equal(wrong.body, JSON.stringify(body));
}
for (const body of ["<html>Welcome</html>", `\ufeff${JSON.stringify(product)}`, JSON.stringify(product).slice(0, 20), ""]) {
  const wrong = await asking(200, body);
  assert.ok(wrong.code === "UNKNOWN_ERROR");
  assert.equal(wrong.data.issues[0]?.code, "json_invalid");
}

// exactly an error of ours: the code decides
const declared = await asking(404, '{"error": "NOT_FOUND", "data": {"message": "gone", "more": 1}}');
assert.ok(declared.code === "NOT_FOUND" && declared.declared);
assert.deepEqual(declared.data, { message: "gone" });
const elsewhere = await asking(418, '{"error": "FORBIDDEN", "data": {}}');
assert.ok(elsewhere.code === "FORBIDDEN" && elsewhere.status === 418);
const withoutData = await asking(500, '{"error": "INTERNAL_ERROR", "data": {"ignored": 1}}');
assert.ok(withoutData.code === "INTERNAL_ERROR" && withoutData.data === undefined);
const wrongData = await asking(404, '{"error": "NOT_FOUND", "data": {"message": 1}}');
assert.ok(wrongData.code === "UNKNOWN_ERROR");
assert.deepEqual(wrongData.data.issues[0]?.path, ["data", "message"]);
const noData = await asking(413, '{"error": "PAYLOAD_TOO_LARGE"}');
assert.ok(noData.code === "UNKNOWN_ERROR");
for (const code of ["OUT_OF_STOCK", "SOLD_OUT", "constructor", "__proto__", "NETWORK_ERROR", "UNKNOWN_ERROR", ""]) {
  const undeclared = await asking(409, JSON.stringify({ error: code }));
  assert.ok(undeclared.code === "UNKNOWN_ERROR", code);
}

// anything else: the status decides
for (const [status, code] of [
  [401, "UNAUTHORIZED"],
  [403, "UNKNOWN_ERROR"],
  [404, "UNKNOWN_ERROR"], // which the route declares, but nobody of ours said so
  [413, "PAYLOAD_TOO_LARGE"],
  [429, "TOO_MANY_REQUESTS"],
  [502, "SERVICE_UNAVAILABLE"],
  [503, "SERVICE_UNAVAILABLE"],
  [504, "SERVICE_UNAVAILABLE"],
  [400, "UNKNOWN_ERROR"],
  [500, "UNKNOWN_ERROR"],
  [304, "UNKNOWN_ERROR"],
] as const) {
  for (const body of ["<html>proxy</html>", '{"error": "NOT_F', "", '{"error": {"code": 1}}', '{"error": "NOT_FOUND", "trace": 1}', "null", "[]"]) {
    const found = await asking(status, status === 304 ? "" : body, { "x-by": "a proxy" });
    assert.equal(found.code, code);
    assert.equal(found.status, status);
    assert.equal(found.declared, false);
    assert.equal(found.body, status === 304 ? "" : body);
    assert.equal(found.headers.get("x-by"), "a proxy");
    if (found.code !== "UNKNOWN_ERROR") assert.equal(found.data, undefined);
  }
}
const redirected = await asking(302, "", { location: `${baseUrl}/elsewhere` });
assert.ok(redirected.code === "UNKNOWN_ERROR" && redirected.status === 302);
assert.equal(redirected.headers.get("location"), `${baseUrl}/elsewhere`);
assert.equal(requests, 1);

// the size of an answer, and its encoding
answering(answer(200, JSON.stringify({ ...product, more: "x".repeat(1000) })));
const large = await ask({ maxResponseBytes: 1000 });
assert.ok(!large.ok && large.code === "UNKNOWN_ERROR" && large.body?.length === 1000);
const limit = "The answer is larger than 1000 bytes, which is the limit of this client.";
assert.deepEqual(large.data.issues, [{ path: [], code: "unreadable", message: limit }]);
answering(answer(500, "x".repeat(1001)));
const largeError = await ask({ maxResponseBytes: 1000 });
assert.ok(!largeError.ok && largeError.code === "UNKNOWN_ERROR" && largeError.data.issues[0]?.message === limit);
answering((_, response) => response.end(Buffer.from([0x22, 0xff, 0x22])));
const garbled = await ask();
assert.ok(!garbled.ok && garbled.code === "UNKNOWN_ERROR" && garbled.body === "");
assert.equal(garbled.data.issues[0]?.message, "The answer is not in UTF-8.");
answering((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(product))));
assert.ok((await ask()).ok, "a proxy packs answers although nobody asked for it");

// results are plain objects: they can be copied, and sent to components in a browser
const isPlain = (value: unknown): boolean => {
  if (typeof value !== "object" || value === null || value instanceof Date) return typeof value !== "function";
  if (Array.isArray(value)) return value.every(isPlain);
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
};
const copied = <T>(value: T): T => {
  assert.ok(isPlain(value));
  const copy = structuredClone(value);
  assert.deepEqual({ ...copy }, { ...value });
  assert.ok(!("unwrap" in Object(copy)));
  return copy;
};
answering(answer(200, JSON.stringify(product), { "x-total": "120", "X-Request-Id": "id-1", "set-cookie": "session=secret" }));
const told_ = await ask();
assert.deepEqual([told_.status, told_.requestId, told_.headers.get("X-Total")], [200, "id-1", "120"]);
assert.ok(!JSON.stringify(told_).includes("secret") && !inspect(told_, { depth: 9 }).includes("secret"));
assert.deepEqual(Object.keys(copied(told_)), ["ok", "value"]);
answering(answer(201, JSON.stringify(product)));
const untold = await ask();
assert.deepEqual([untold.ok, untold.status, untold.requestId], [true, 201, undefined]);
const failed = await asking(404, '{"error": "NOT_FOUND"}', { "x-total": "0", "x-request-id": "id-2" });
assert.deepEqual([failed.code, failed.status, failed.requestId, failed.headers.get("x-total")], ["NOT_FOUND", 404, "id-2", "0"]);
const secret = await asking(404, "secret", { "set-cookie": "session=secret" });
assert.ok(!JSON.stringify(secret).includes("secret") && !inspect(secret, { depth: 9 }).includes("secret"));
assert.deepEqual(copied(secret), { ok: false, declared: false, code: "UNKNOWN_ERROR", status: 404, data: { issues: [] } });
copied(await asking(404, '{"error": "NOT_FOUND", "data": {"message": "gone"}}'));
copied(await client().get_product({ id: "" }));
const uncloneable = await ask({ fetch: () => Promise.reject(() => undefined) });
assert.deepEqual(copied(uncloneable), { ok: false, declared: false, code: "NETWORK_ERROR", status: 0, data: { cause: "other" } });
answering(answer(200, '{"__proto__": {"__proto__": 1}, "constructor": [{}]}'));
const anything = copied(await new EchoClient({ baseUrl }).any(null)).ok;
assert.ok(anything);
const held = (await new EchoClient({ baseUrl }).any(null).unwrap()) as { [key: string]: unknown };
assert.deepEqual(Object.keys(held), ["__proto__", "constructor"]);
assert.equal(Object.getPrototypeOf(held), Object.prototype);

// any JSON: its text is looked through once, however many numbers in it may have been rounded
const doubtful = `[${"1e17,".repeat(20_000)}0]`;
answering(answer(200, doubtful));
const started = performance.now();
assert.deepEqual((await new EchoClient({ baseUrl }).any(null)).unwrap(), JSON.parse(doubtful));
assert.ok(performance.now() - started < 10_000, "it takes minutes to look through it for each of them");
answering(answer(200, doubtful.replace("0]", "9007199254740993]")));
assert.equal((await new EchoClient({ baseUrl, retries: 0 }).any(null)).ok, false);

// no answer
const free = createTcpServer();
await new Promise<void>((resolve) => free.listen(0, "127.0.0.1", resolve));
const { port } = free.address() as AddressInfo;
await new Promise((resolve) => free.close(resolve));
const causes = async (options: Partial<ClientOptions>): Promise<string> => {
  const r = await ask(options);
  assert.ok(!r.ok && r.code === "NETWORK_ERROR" && r.status === 0 && !r.declared);
  assert.deepEqual([r.headers.get("content-type"), r.requestId], [null, undefined]);
  return r.data.cause;
};
assert.equal(await causes({ baseUrl: `http://127.0.0.1:${port}` }), "refused");
assert.equal(await causes({ baseUrl: baseUrl.replace("http:", "https:") }), "tls");
answering((_, response) => response.destroy());
assert.equal(await causes({}), "aborted");
answering((_, response) => {
  response.writeHead(200, { "content-length": "1000" });
  response.write('{"id": ');
  response.destroy();
});
assert.equal(await causes({}), "aborted");
answering(() => undefined);
assert.equal(await causes({ timeout: 30 }), "timeout");
const message = `The call failed: NETWORK_ERROR (timeout) at ${baseUrl}/get_product`;
await assert.rejects(ask({ timeout: 30 }).then((r) => r.unwrap()), { message });
answering((_, response) => response.writeHead(200).write("{"));
assert.equal(await causes({ timeout: 30 }), "timeout");
assert.equal(await causes({ signal: AbortSignal.abort() }), "aborted");
answering(() => undefined);
assert.equal(await causes({ signal: AbortSignal.timeout(30) }), "timeout", "as the caller's signal says");
assert.equal(await causes({ signal: AbortSignal.any([AbortSignal.timeout(30), new AbortController().signal]) }), "timeout");
assert.equal(await causes({ signal: AbortSignal.abort(new DOMException("too long", "TimeoutError")) }), "timeout");
const late_ = AbortSignal.timeout(30);
assert.equal(await causes({ retries: 9, signal: late_, fetch: () => Promise.reject(new Error()), sleep: () => new Promise(() => undefined) }), "timeout");
const soon = new AbortController();
answering(() => soon.abort());
assert.equal(await causes({ signal: soon.signal }), "aborted");
const late = new AbortController();
answering(() => late.abort());
const stopped = await client().get_product({ id: "a" }, { signal: late.signal });
assert.ok(!stopped.ok && stopped.code === "NETWORK_ERROR" && stopped.data.cause === "aborted");
assert.equal(await causes({ fetch: () => new Promise(() => undefined), timeout: 10 }), "timeout");
const lost = new Error("no token");
const tokenless = await ask({ headers: () => Promise.reject(lost) });
assert.ok(!tokenless.ok && tokenless.code === "NETWORK_ERROR" && tokenless.data.cause === "other" && tokenless.data.error === lost);
assert.equal(tokenless.data.url, `${baseUrl}/get_product`);
assert.ok(!inspect(tokenless, { depth: 9 }).includes(baseUrl) && !JSON.stringify(tokenless).includes(baseUrl));
assert.throws(() => tokenless.unwrap(), (thrown) => thrown instanceof CallFailed && thrown.cause === lost && thrown.result === tokenless);

// retries: only of what may be repeated, only where another try may help
const busy = answer(503, "busy");
const fine = answer(200, JSON.stringify(product));
answering(busy, busy, fine);
assert.ok((await ask({ retries: 2 })).ok);
assert.equal(requests, 3);
assert.ok(slept.length === 2 && slept[0] !== undefined && slept[0] <= 250 && slept[1] !== undefined && slept[1] <= 500);
for (const [status, tries] of [[429, 3], [502, 3], [503, 3], [504, 3], [500, 1], [404, 1], [408, 1]] as const) {
  answering(answer(status, ""));
  assert.ok(!(await ask({ retries: 2 })).ok);
  assert.equal(requests, tries, String(status));
}
answering(answer(504, '{"error": "DEADLINE_EXCEEDED"}'));
const exceeded = await ask({ retries: 1 });
assert.ok(!exceeded.ok && exceeded.code === "DEADLINE_EXCEEDED");
assert.equal(requests, 2);
answering((_, response) => response.destroy(), fine);
assert.ok((await ask({ retries: 1 })).ok);
answering(busy);
assert.ok(!(await client({ retries: 5 }).place_order({ lines: [{ product_id: "a" }], payment: { kind: "cash" } })).ok);
assert.equal(requests, 1, "an order is never repeated");
answering(answer(503, "", { "retry-after": "7" }), fine);
assert.ok((await ask({ retries: 1 })).ok);
assert.deepEqual(slept, [7000]);
answering(answer(503, "", { "retry-after": new Date(Date.now() + 20_000).toUTCString() }), fine);
assert.ok((await ask({ retries: 1 })).ok);
assert.ok(slept[0] !== undefined && slept[0] > 18_000 && slept[0] <= 20_000);
answering(answer(429, "", { "retry-after": "31" }), fine);
const patient = await ask({ retries: 1 });
assert.ok(!patient.ok && patient.code === "TOO_MANY_REQUESTS" && patient.headers.get("retry-after") === "31");
answering(answer(429, "", { "retry-after": "soon" }), fine);
assert.ok((await ask({ retries: 1 })).ok);
answering(busy);
const tired = new AbortController();
const asleep = (): Promise<void> => (tired.abort(), new Promise(() => undefined));
assert.equal(await causes({ retries: 9, signal: tired.signal, sleep: asleep }), "aborted");
assert.equal(requests, 1);
let announced = 0;
const given = new AbortController();
answering(() => given.abort());
assert.equal(await causes({ retries: 9, signal: given.signal, hooks: { onRetry: () => announced++ } }), "aborted");
assert.deepEqual([requests, announced], [1, 0], "whoever gives up is told of no other try");
answering(busy);
assert.equal(await causes({ retries: 9, timeout: 500, sleep: () => new Promise(() => undefined) }), "timeout");
answering(answer(503, "", { "retry-after": "20" }));
const hurried = await ask({ retries: 9, timeout: 10_000 });
assert.ok(!hurried.ok && hurried.code === "SERVICE_UNAVAILABLE", "nobody waits for what comes too late");

// headers
let seen: IncomingMessage["headers"] = {};
let sent: string | undefined;
answering((request, response, body) => {
  seen = request.headers;
  sent = body;
  response.end(JSON.stringify(product));
});
await client({ headers: { "X-One": "1", "X-Two": () => "2", "X-Three": async () => "3", "X-None": undefined } })
  .withOptions({ headers: () => Promise.resolve({ "x-two": "two" }) })
  .get_product({ id: "a" }, { headers: { "X-THREE": () => undefined, "x-four": "4", accept: "text/html" } });
assert.deepEqual(
  ["x-one", "x-two", "x-three", "x-four", "x-none", "accept", "content-type"].map((name) => seen[name]),
  ["1", "two", "3", "4", undefined, "application/json", "application/json"],
);
assert.equal(sent, '{"id":"a"}');
answering((request, response, body) => {
  seen = request.headers;
  sent = body;
  response.end('{"id": "r", "title": "R", "children": []}');
});
assert.ok((await client().category_tree()).ok);
assert.equal(sent, "");
assert.equal(seen["content-type"], undefined);
const unsendable = await ask({ headers: { Authorization: () => "Bearer top\nsecret" } });
assert.ok(!unsendable.ok && unsendable.code === "NETWORK_ERROR" && unsendable.data.error instanceof TypeError);
assert.equal(unsendable.data.error.message, "The header Authorization cannot be sent.");
assert.ok(!inspect(unsendable, { depth: 9, showHidden: true }).includes("secret"));

// absence is never sent, and neither is what is not an own key
answering((_, response, body) => {
  sent = body;
  response.end('{"items": [], "next": null}');
});
await client().list_orders({ filter: { since: undefined } } as never);
assert.equal(sent, '{"filter":{}}');
await client().list_orders({ filter: { since: new Date(Date.UTC(2024, 0, 1)) } });
assert.equal(sent, '{"filter":{"since":"2024-01-01T00:00:00.000Z"}}');
answering(fine);
for (const wrong of [JSON.parse('{"id": "a", "__proto__": 1}'), { id: "a", constructor: 1 }, Object.create({ id: "a" }), new Date(), null, [], "a"]) {
  const refused = await client().get_product(wrong as never);
  assert.ok(!refused.ok && refused.code === "VALIDATION_ERROR" && refused.status === 0);
}
assert.equal(requests, 0);
const half = await client().get_product({ id: "a\ud800" });
assert.ok(!half.ok && half.code === "VALIDATION_ERROR" && half.data.issues[0]?.code === "json_invalid");
const invalid = await client().list_orders({ filter: { since: new Date(NaN) } });
assert.ok(!invalid.ok && invalid.code === "VALIDATION_ERROR");

// hooks
const told: unknown[] = [];
answering(busy, fine);
const onRequest = (event: { route: string; attempt: number; url: string }): void => {
  told.push(event);
  throw new Error("a hook is told, and not asked");
};
await ask({
  retries: 1,
  hooks: {
    onRequest,
    onResponse: ({ milliseconds, ...event }) => told.push({ ...event, took: milliseconds >= 0 }),
    onRetry: ({ delay, ...event }) => told.push({ ...event, waits: delay <= 250 }),
  },
});
const route = "get_product";
const url = `${baseUrl}/get_product`;
assert.deepEqual(told, [
  { route, attempt: 1, url },
  { route, attempt: 1, status: 503, took: true },
  { route, attempt: 2, waits: true },
  { route, attempt: 2, url },
  { route, attempt: 2, status: 200, took: true },
]);

// React Native gives the text of an answer, and no stream
const unstreamed: ClientOptions["fetch"] = async (url, init) =>
  Object.defineProperty(await fetch(url, init), "body", { value: undefined });
answering(answer(200, JSON.stringify(product)));
assert.equal((await ask({ fetch: unstreamed })).ok, true);
const cut = await ask({ fetch: unstreamed, maxResponseBytes: 20 });
assert.ok(!cut.ok && cut.code === "UNKNOWN_ERROR" && cut.data.issues[0]?.message.includes("20 bytes"));
answering(answer(404, '{"error": "NOT_FOUND"}'));
assert.equal((await ask({ fetch: unstreamed })).status, 404);

// base URLs
for (const wrong of ["ftp://a", "http://u@a", "http://u:p@a", "http://a?b", "http://a#b", "/v1", "", "javascript:1"]) {
  assert.throws(() => createClient({ baseUrl: wrong }), TypeError, wrong);
}
answering(fine);
let path: string | undefined;
const spying: typeof fetch = (input, init) => ((path = String(input)), fetch(url, init));
assert.ok((await get_product(createClient({ baseUrl: `${baseUrl}/v1//`, fetch: spying }), { id: "a" })).ok);
assert.equal(path, `${baseUrl}/v1/get_product`);
// in a page, a path is one of its origin, wherever the page is
const page = globalThis as { location?: unknown };
page.location = { href: "https://shop.example/app/cart.html#top", origin: "https://shop.example" };
for (const [given, found] of [["", ""], ["/", ""], ["/v1", "/v1"], ["v1/", "/v1"]] as const) {
  await get_product(createClient({ baseUrl: given, fetch: spying }), { id: "a" });
  assert.equal(path, `https://shop.example${found}/get_product`);
}
page.location = { href: "file:///cart.html", origin: "null" };
assert.throws(() => createClient({ baseUrl: "/v1" }), TypeError);
assert.ok((await get_product(createClient({ baseUrl, fetch: spying }), { id: "a" })).ok);
delete page.location;

server.closeAllConnections();
server.close();
console.log("every answer as it should be");
