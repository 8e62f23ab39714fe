/** Streams, one item after the other: their ends, what breaks them off, and what ends them early. */

import assert from "node:assert/strict";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { ApiClient, chat, createClient, type Items, type Result, type Token } from "../generated/talks.ts";
import { ApiClient as OfTexts } from "../generated/talks_string.ts";

const [, , url = ""] = process.argv;
const api = new ApiClient({ baseUrl: url });

type Found = Result<Token, "INTERRUPTED">;

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const each of items) found.push(each);
  return found;
}

async function one<T>(items: AsyncIterable<T>): Promise<T> {
  const { done, value } = await items[Symbol.asyncIterator]().next();
  assert.ok(!done);
  return value as T;
}

/** The words that came, and the code of what ended the stream too early. */
function told(found: readonly Found[]): string {
  const words = found.map((each) => {
    if (each.ok) return each.value.text;
    switch (each.code) {
      case "INTERRUPTED":
        return `${each.code} ${each.data.after}`;
      case "NETWORK_ERROR":
        return `${each.code} ${each.data.cause}`;
      case "UNKNOWN_ERROR":
        return `${each.code} ${JSON.stringify(each.data.issues.map(({ path, code }) => [path, code]))}`;
      default:
        return each.code;
    }
  });
  return words.join(" ");
}

// Against the service.

const r = await api.chat({ text: "one two three" });
assert.ok(r.ok && r.status === 200 && r.requestId);
const typed: Items<Token, "INTERRUPTED"> = r.value;
assert.equal(typed.lastEventId, undefined);
const words = await all(typed);
assert.equal(told(words), "one two three");
assert.equal(typed.lastEventId, "2");
const [first] = words;
assert.ok(first?.ok && first.value.at instanceof Date && first.requestId === r.requestId);
assert.equal(first.unwrap().text, "one");
const twice = { name: "TypeError", message: "The stream was read already; a stream can be read once." };
await assert.rejects(all(typed), twice, "a second loop is not told that the stream is empty");
const texts = await all((await new OfTexts({ baseUrl: url }).chat({ text: "one" }).unwrap()) as AsyncIterable<unknown>);
assert.match(JSON.stringify(texts), /"at":"2026-01-02T03:04:05\+00:00"/);

assert.equal(told(await all(await api.chat({ text: "a b", ending: "interrupted" }).unwrap())), "a b INTERRUPTED 0");
assert.equal(told(await all(await api.chat({ text: "a b", ending: "wrong" }).unwrap())), "a b INTERNAL_ERROR");
const later = await chat(createClient({ baseUrl: url }), { text: "a b c" }, { lastEventId: "0" });
assert.equal(told(await all(later.unwrap())), "b c");

const refused = await api.chat({ text: "secret" });
assert.ok(!refused.ok && refused.declared && refused.code === "REFUSED" && refused.status === 403);
const gone = await api.chat({ text: "nothing" });
assert.ok(!gone.ok && gone.code === "NOT_FOUND" && gone.data?.message === "There is nothing.");
const invalid = await api.chat({ text: 1 as unknown as string });
assert.ok(!invalid.ok && invalid.code === "VALIDATION_ERROR" && invalid.status === 0);
await assert.rejects(api.chat({ text: "secret" }).unwrap(), { name: "CallFailed" });

const counted: number[] = [];
for await (const each of await api.count(3).unwrap()) counted.push(each.unwrap());
assert.deepEqual(counted, [0, 1, 2]);
assert.deepEqual(
  (await all(await api.rooms.listen().unwrap())).map((each) => each.ok && each.value),
  ["hello", null],
);
assert.equal((await api.ping()).unwrap(), "here");

// What ends a stream early.

for await (const each of await api.chat({ text: "a", ending: "endless" }).unwrap()) {
  assert.ok(each.ok);
  break;
}
const left = await api.chat({ text: "a b" }).unwrap();
for await (const each of left) if (each.ok) break;
await assert.rejects(all(left), twice);
// whoever asks for one item begins no loop, and goes on where that was
const looked = await api.chat({ text: "a b c" }).unwrap();
assert.ok((await one(looked)).ok);
assert.equal(told(await all(looked)), "b c");
const closed = await api.chat({ text: "a", ending: "quiet" }).unwrap();
assert.ok((await one(closed)).ok);
setTimeout(() => closed.close(), 50);
assert.equal(told(await all(closed)), "");
closed.close();
const unread = await api.chat({ text: "a", ending: "quiet" }).unwrap();
unread.close();
assert.deepEqual(await all(unread), []);

const stop = new AbortController();
const aborted = await api.chat({ text: "a", ending: "quiet" }, { signal: stop.signal }).unwrap();
assert.ok((await one(aborted)).ok);
setTimeout(() => stop.abort(), 50);
assert.equal(told(await all(aborted)), "NETWORK_ERROR aborted");
const late = await api.withOptions({ signal: AbortSignal.timeout(2_000) }).chat({ text: "a", ending: "quiet" });
assert.equal(told(await all(late.unwrap())), "a NETWORK_ERROR timeout");
const before = await api.chat({ text: "a" }, { signal: AbortSignal.abort() });
assert.ok(!before.ok && before.code === "NETWORK_ERROR" && before.data.cause === "aborted");
const still = await api.chat({ text: "a", ending: "quiet" }, { quiet: 1_000 }).unwrap();
assert.equal(told(await all(still)), "a NETWORK_ERROR timeout");
const ours = await api.withOptions({ quiet: 1_000 }).chat({ text: "a", ending: "quiet" }).unwrap();
const quiet = (await all(ours)).at(-1);
assert.throws(() => quiet?.unwrap(), { message: `The call failed: NETWORK_ERROR (timeout) at ${url}/chat` });
// the time of the call is that until the stream begins
const long = await api.chat({ text: "a", ending: "endless" }, { timeout: 2_000, quiet: 0 }).unwrap();
let seen = 0;
for await (const each of long) {
  assert.ok(each.ok);
  if (++seen === 120) break;
}

// Against answers that none of our services gives.

const lines = (...parts: readonly (string | Uint8Array)[]): { status?: number; type?: string; parts: typeof parts } => ({ parts });
let answers: ReturnType<typeof lines>[] = [];
const asked: (string | undefined)[] = [];
const server: Server = createServer((request, response) => {
  const answer = answers.shift();
  asked.push(request.headers.accept);
  response.writeHead(answer?.status ?? 200, { "content-type": answer?.type ?? "application/jsonl", "x-request-id": "id-1" });
  for (const part of answer?.parts ?? []) response.write(part);
  if (answer?.parts.at(-1) === "") setTimeout(() => response.destroy(), 100);
  else response.end();
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const odd = new ApiClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, maxResponseBytes: 200 });
const item = (n: unknown): string => `{"item":{"n":${n},"text":"${n}","at":"2026-01-02T03:04:05Z"}}\n`;
const END = '{"end":true}\n';

async function answered(...parts: readonly (string | Uint8Array)[]): Promise<string> {
  answers = [lines(...parts)];
  const items = await odd.chat({ text: "a" }).unwrap();
  const found = await all(items);
  assert.ok(found.every((each) => each.status === 200 && each.requestId === "id-1"));
  return told(found);
}

assert.equal(await answered("{}\n", item(1), "{}\n", item(2).slice(0, 20), item(2).slice(20), END), "1 2");
assert.equal(await answered(item(1) + item(2) + END + item(3)), "1 2");
assert.equal(await answered(item(1)), "1 NETWORK_ERROR aborted");
assert.equal(await answered(item(1), item(2).trim()), "1 NETWORK_ERROR aborted");
assert.equal(await answered(), "NETWORK_ERROR aborted");
assert.equal(await answered(item(1), ""), "1 NETWORK_ERROR aborted");
assert.equal(await answered(item(1), item(-1), END), '1 UNKNOWN_ERROR [[["item","n"],"greater_than_equal"]]');
assert.equal(await answered(item(1), '{"item":1}\n'), '1 UNKNOWN_ERROR [[["item"],"object_type"]]');
assert.equal(await answered('{"error":"INTERRUPTED","data":{"after":3}}\n', END), "INTERRUPTED 3");
assert.equal(await answered('{"error":"INTERRUPTED"}\n'), 'UNKNOWN_ERROR [[["data"],"missing"]]');
assert.equal(await answered('{"error":"SERVICE_UNAVAILABLE"}\n'), "SERVICE_UNAVAILABLE");
assert.equal(await answered('{"error":"REFUSED"}\n'), "UNKNOWN_ERROR []");
for (const line of ["", "[1]", "{", "<html>", '{"other":1}', '{"error":"A","b":1}']) {
  assert.equal(await answered(item(1), `${line}\n`), "1 UNKNOWN_ERROR []");
}
assert.equal(await answered(new Uint8Array([0xff, 0x0a])), 'UNKNOWN_ERROR [[[],"unreadable"]]');
assert.equal(await answered(item(1), "x".repeat(201)), '1 UNKNOWN_ERROR [[[],"unreadable"]]');
assert.equal(await answered(item(1) + `${"x".repeat(201)}\n`), '1 UNKNOWN_ERROR [[[],"unreadable"]]');
assert.ok(asked.every((accept) => accept === "application/jsonl"));

answers = [{ type: "application/json", parts: ["1"] }];
const plain = await odd.chat({ text: "a" });
assert.ok(!plain.ok && plain.code === "UNKNOWN_ERROR" && plain.status === 200 && plain.requestId === "id-1");
assert.equal(plain.data.issues[0]?.message, "The answer is not a stream.");
answers = [{ type: "text/html", parts: ["<html>"] }];
const html = await odd.chat({ text: "a" });
assert.ok(!html.ok && html.code === "UNKNOWN_ERROR");
// what has not begun is tried again where that may be; what has begun never is
answers = [{ status: 503, parts: [] }, lines(item(1))];
const again = await odd.withOptions({ sleep: async () => undefined }).chat({ text: "a" });
assert.equal(told(await all(again.unwrap())), "1 NETWORK_ERROR aborted");
answers = [lines(item(1), item(2), '{"error":"X"}\n')];
const german = await odd.withOptions({ sentences: {} }).chat({ text: "a" }).unwrap();
assert.equal(told(await all(german)), "1 2 UNKNOWN_ERROR []");
server.close();
console.log(`${asked.length} odd answers`);
