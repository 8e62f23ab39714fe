/** Webhooks that the service has signed, and others: what a receiver makes of each. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { events, type Events, type OrderShippedEvent, type ProductGoneEvent, type Received } from "../generated/sent.ts";
import { events as texts } from "../generated/sent_string.ts";

interface Message {
  outcome: "ok" | "unknown" | "wrong" | "unsigned";
  body: string;
  headers: Record<string, string>;
  secret: string;
}

const typed: Events<OrderShippedEvent | ProductGoneEvent> = events;
const [, , file = ""] = process.argv;
const messages = JSON.parse(readFileSync(file, "utf8")) as Message[];

function outcome(found: Received<unknown>): Message["outcome"] {
  if (found.ok) return found.message === undefined ? "unknown" : "ok";
  return found.problem.startsWith("The message is") ? "wrong" : "unsigned";
}

for (const { outcome: wanted, body, headers, secret } of messages) {
  const other = secret.replace("A", "B");
  const found = await typed.receive({ body, headers }, [secret]);
  assert.equal(outcome(found), wanted, `${body} ${JSON.stringify(found)}`);
  if (Object.values(headers).some((value) => /[^\x00-\x7f]/.test(value))) continue;
  const request = () => new Request("http://receiver.example/", { method: "POST", body, headers });
  assert.deepEqual(await typed.receive(request(), [other, secret]), found);
  assert.deepEqual(await typed.receive({ body, headers: new Headers(headers) }, [secret]), found);
  if (wanted === "ok") assert.equal(outcome(await typed.receive(request(), [other])), "unsigned");
}

const [first] = messages;
assert.ok(first);
const read = await typed.receive(first, [first.secret]);
assert.ok(read.ok && read.message?.type === "order.shipped");
assert.equal(read.message.data.order_id, "öl");
assert.ok(read.message.timestamp instanceof Date);
const text = await texts.receive(first, [first.secret]);
assert.ok(text.ok && typeof text.message?.timestamp === "string");
const late = await typed.receive(first, [first.secret], Number.NaN);
assert.equal(outcome(late), "unsigned");
await assert.rejects(typed.receive(first, ["secret"]), TypeError);
await assert.rejects(typed.receive(first, ["whsec_Zm9v"]), TypeError);
const incomplete = { body: first.body, headers: { ...first.headers, "webhook-id": undefined } };
assert.equal(outcome(await typed.receive(incomplete, [first.secret])), "unsigned");
console.log(`${messages.length} messages`);
