/**
 * A file that a call brings: a blob, such as a `File`, or a stream, alone or with its name and its media type. A file that a route
 * gives is one, too.
 *
 * A stream is read to its end before anything is sent: no browser sends one over HTTP/1.1. One that fails is a broken connection.
 */
export type Upload = Blob | ReadableStream<Uint8Array> | $Streamed;

interface $Streamed {
  readonly stream: ReadableStream<Uint8Array>;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
}

/** The files in an input, by the names of their parts, and the rest, which is JSON. */
function $apart(input: object | undefined, parts: readonly string[]): [files: object, rest: object] {
  const all = Object.entries(input ?? {});
  const files = Object.fromEntries(all.filter(([name]) => parts.includes(name)));
  return [files, Object.fromEntries(all.filter(([name]) => !parts.includes(name)))];
}

/** The client, as it calls a route that takes files: with a form, in which the JSON is one part and each file another. */
function $forming(client: AnyClient, files: object): AnyClient {
  const settings = client.$settings();
  let blobs: Promise<[string, Blob][]> | undefined; // a stream is read once, however often the call is tried
  const send: $Fetch = async (url, init) => {
    const form = new FormData();
    if (typeof init.body === "string") form.append("input", new Blob([init.body], { type: "application/json" }));
    blobs ??= $blobs(files, init.signal);
    for (const [part, blob] of await blobs) form.append(part, blob);
    const headers = new Headers(init.headers);
    headers.delete("content-type"); // fetch tells the boundary in it
    return (settings.fetch ?? fetch)(url, { ...init, headers, body: form });
  };
  return { $settings: () => ({ ...settings, fetch: send }) };
}

async function $blobs(files: object, signal: AbortSignal | null | undefined): Promise<[string, Blob][]> {
  const found: [string, Blob][] = [];
  for (const [part, given] of Object.entries(files) as [string, Upload | readonly Upload[] | null | undefined][]) {
    if (!given) continue;
    for (const file of (Array.isArray(given) ? given : [given]) as Upload[]) found.push([part, await $blob(file, signal)]);
  }
  return found;
}

async function $blob(file: Upload, signal: AbortSignal | null | undefined): Promise<Blob> {
  if (file instanceof Blob) return file;
  const given: $Streamed = file instanceof ReadableStream ? { stream: file } : file;
  const { stream, name = "blob", type = "" } = given;
  // what ends the call ends the stream
  const bytes = stream.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), signal ? { signal } : {});
  return new File([await new Response(bytes).blob()], name, { type });
}
