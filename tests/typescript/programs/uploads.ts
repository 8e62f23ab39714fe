/** Files in calls: what a service sees of them, what it refuses, and what is sent again. */

import assert from "node:assert/strict";

import { ApiClient, createClient, size } from "../generated/uploaded.ts";

const [, , baseUrl = ""] = process.argv;
const api = new ApiClient({ baseUrl, token: "good" });
const png = new File(["\x7fPNG"], "a picture.png", { type: "image/png" });
const image = new Blob([png, new Uint8Array(150_000)], { type: "image/png" });

const all = { title: "t", image: png, thumb: new Blob(["thumb"]), "raw-data": png, more: [png, image] };
for (const seen of [await api.add(all), await api.mine(all)]) {
  assert.deepEqual(seen.unwrap(), {
    title: "t",
    names: ["a picture.png", "blob", "a picture.png", "a picture.png", "blob"],
    types: ["image/png", "application/octet-stream", "image/png", "image/png", "image/png"],
    sizes: [4, 5, 4, 4, 150_004],
    begins: "\x7fPNG",
  });
}
assert.equal((await api.avatar({ image })).unwrap(), 150_004);

const failed = await api.add({ title: "t", asks: "fail", image: png });
assert.ok(!failed.ok && failed.code === "UGLY");
const untitled = await api.add({ title: "", image: png });
assert.ok(!untitled.ok && untitled.code === "VALIDATION_ERROR" && untitled.status === 0);
const wrong = await api.add({ title: "t", image: new Blob(["a"]) });
assert.ok(!wrong.ok && wrong.code === "VALIDATION_ERROR");
assert.deepEqual(
  wrong.data.issues.map(({ path, code }) => [path, code]),
  [[["image"], "media_type"]],
);
const large = await api.add({ title: "t", image: new Blob([image, image], { type: "image/png" }) });
assert.ok(!large.ok && large.code === "PAYLOAD_TOO_LARGE" && large.data?.limit === 200_000);

// it is read once more where it is sent again
let tries = 0;
const flaky: typeof fetch = async (input, init) => {
  tries += 1;
  return tries === 1 ? new Response(null, { status: 503 }) : fetch(input, init);
};
const client = createClient({ baseUrl, fetch: flaky, sleep: async () => undefined });
assert.equal((await size(client, { image })).unwrap(), 150_004);
assert.equal(tries, 2);

// streams: read once, and sent again where the call is
const chunks = (...all: string[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const each of all) controller.enqueue(new TextEncoder().encode(each));
      controller.close();
    },
  });
const named = { stream: chunks("\x7f", "PNG"), name: "a stream.png", type: "image/png" };
const streamed = { title: "t", image: named, thumb: chunks("th", "umb"), more: [chunks(), png] };
assert.deepEqual((await api.add(streamed)).unwrap(), {
  title: "t",
  names: ["a stream.png", "blob", "blob", "a picture.png"],
  types: ["image/png", "application/octet-stream", "application/octet-stream", "image/png"],
  sizes: [4, 5, 0, 4],
  begins: "\x7fPNG",
});
tries = 0;
assert.equal((await size(client, { image: chunks("four") })).unwrap(), 4);
assert.equal(tries, 2);

// a stream that fails is a failure, and a call that is ended ends its stream
const gone = new Error("the disk is gone");
const failing = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(gone) });
const broken = await api.avatar({ image: failing });
assert.ok(!broken.ok && broken.code === "NETWORK_ERROR" && broken.data.error === gone);
const stop = new AbortController();
const ended = new Promise((resolve) => {
  const endless = new ReadableStream<Uint8Array>({ pull: () => stop.abort(), cancel: resolve });
  void api.avatar({ image: endless }, { signal: stop.signal }).then((result) => {
    assert.ok(!result.ok && result.code === "NETWORK_ERROR" && result.data.cause === "aborted");
  });
});
assert.equal(await ended, "aborted");

console.log("11 calls with files");
