/** Files: how they are read, what is known of them, and what becomes of one that is broken off. */

import assert from "node:assert/strict";
import { getEventListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { ApiClient, CallFailed, createClient, picture, type ClientOptions, type Download } from "../generated/pictures.ts";

const [, , url = ""] = process.argv;
const api = new ApiClient({ baseUrl: url });

async function size(file: Download): Promise<number> {
  let found = 0;
  for await (const part of file.stream as unknown as AsyncIterable<Uint8Array>) found += part.length;
  return found;
}

// Against the service.

const r = await api.picture({ desk: "d1" });
assert.ok(r.ok && r.status === 200 && r.requestId);
const typed: Download = r.value;
assert.deepEqual([typed.name, typed.type, typed.size], ["d1.png", "image/png", 264]);
const blob = await typed.blob();
assert.deepEqual([blob.type, blob.size], ["image/png", 264]);
assert.deepEqual([...new Uint8Array(await blob.slice(0, 4).arrayBuffer())], [0x89, 0x50, 0x4e, 0x47]);

const parts = await api.picture({ desk: "d1", how: "parts" }).unwrap();
assert.equal(parts.size, undefined);
assert.equal(await size(parts), 1_004_000);
const file = await picture(createClient({ baseUrl: url }), { desk: "d1", how: "file" }).unwrap();
assert.equal(await size(file), file.size);
const table = await api.table().unwrap();
assert.deepEqual([table.name, await (await table.blob()).text()], ["Tische ü.csv", "desk\r\nd1\r\n"]);
assert.equal((await api.art.draw("d1").unwrap()).type, "image/svg+xml");

const none = await api.picture({ desk: "none" });
assert.ok(!none.ok && none.code === "NO_PICTURE" && none.status === 404);
const wrong = await api.picture({ desk: 3 } as unknown as { desk: string });
assert.ok(!wrong.ok && wrong.code === "VALIDATION_ERROR");
await assert.rejects(size(await api.picture({ desk: "d1", how: "broken" }).unwrap()));

const stopping = new AbortController();
const stopped = await api.picture({ desk: "d1", how: "parts" }, { signal: stopping.signal }).unwrap();
stopping.abort();
await assert.rejects(size(stopped));
// a file that is over leaves nothing at a signal that goes on
const lasting = new AbortController();
const ends: ((file: Download) => Promise<unknown>)[] = [
  (file) => file.blob(),
  size,
  (file) => file.stream.cancel(),
  async (file) => file.close(),
];
for (const end of ends) {
  await end(await api.withOptions({ signal: lasting.signal }).picture({ desk: "d1", how: "parts" }, { signal: lasting.signal }).unwrap());
  assert.equal(getEventListeners(lasting.signal, "abort").length, 0);
}
// whoever reads slowly does not make it quiet
const slowly = await api.picture({ desk: "d1", how: "parts" }, { quiet: 2_000 }).unwrap();
let slow = 0;
for await (const part of slowly.stream as unknown as AsyncIterable<Uint8Array>) {
  if (slow === 0) await new Promise((resolve) => setTimeout(resolve, 2_500));
  slow += part.length;
}
assert.equal(slow, 1_004_000);
// it can be asked for once, and React Native gives no stream of it
for (const again of [size, (each: Download) => each.blob()]) {
  const once = await api.picture({ desk: "d1" }).unwrap();
  await once.blob();
  await assert.rejects(async () => again(once), TypeError);
}
const unstreamed: ClientOptions["fetch"] = async (url, init) =>
  Object.defineProperty(await fetch(url, init), "body", { value: undefined });
const whole = await api.withOptions({ fetch: unstreamed }).picture({ desk: "d1" }).unwrap();
assert.deepEqual([(await whole.blob()).type, (await api.table().unwrap()).type], ["image/png", "text/csv; charset=utf-8"]);

const closed = await api.picture({ desk: "d1", how: "parts" }).unwrap();
closed.close();
await assert.rejects(closed.blob());
const over = await api.picture({ desk: "d1" }, { signal: AbortSignal.abort() });
assert.ok(!over.ok && over.code === "NETWORK_ERROR");

// Against answers that none of our services gives.

const answers: { [desk: string]: { readonly [name: string]: string } } = {
  quiet: { "content-type": "image/png" },
  page: { "content-type": "text/html" },
  json: { "content-type": "application/json" },
  places: { "content-type": "IMAGE/PNG; a=b", "content-disposition": 'attachment; filename="..\\\\..\\\\a\\"b.png"' },
  bare: { "content-type": "image/jpeg", "content-disposition": "inline; filename=..; filename*=UTF-8''%zz" },
  plain: { "content-type": "image/jpeg", "content-disposition": "inline; filename*=utf-8''..%2F%E2%82%AC.png" },
};
const server: Server = createServer((request, response) => {
  let body = "";
  request.on("data", (part) => (body += part));
  request.on("end", () => {
    const { desk } = JSON.parse(body) as { desk: string };
    response.writeHead(200, answers[desk]).write("0");
    if (desk !== "quiet") response.end();
  });
}).listen(0);
await new Promise((resolve) => server.once("listening", resolve));
const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const odd = new ApiClient({ baseUrl });
for (const desk of ["page", "json"]) {
  const found = await odd.picture({ desk });
  assert.ok(!found.ok && found.code === "UNKNOWN_ERROR", desk);
}
const names: (string | undefined)[] = [];
for (const desk of ["places", "bare", "plain"]) {
  const found = await odd.picture({ desk }).unwrap();
  names.push(found.name);
  found.close();
}
assert.deepEqual(names, ['a"b.png', undefined, "€.png"]);
// one that goes quiet is given up, and says where that was
const told = `The call failed: NETWORK_ERROR (timeout) at ${baseUrl}/picture`;
for (const [ofClient, ofCall] of [[100, undefined], [undefined, 100], [0, 100]]) {
  for (const read of [size, (each: Download) => each.blob()]) {
    const hung = await odd.withOptions({ quiet: ofClient }).picture({ desk: "quiet" }, { quiet: ofCall }).unwrap();
    await assert.rejects(read(hung), (error) => {
      assert.ok(error instanceof CallFailed && error.result.code === "NETWORK_ERROR" && error.result.status === 200);
      assert.deepEqual([error.message, error.result.data.url], [told, `${baseUrl}/picture`]);
      return true;
    });
  }
}
const patient = await odd.picture({ desk: "quiet" }, { quiet: 0 }).unwrap();
const waiting = patient.blob();
setTimeout(() => patient.close(), 200);
await assert.rejects(waiting, (error) => error === "aborted");
server.close();
server.closeAllConnections();

console.log("files are read, and told of");
