/**
 * A file that a route gives. Nothing of it is held before it is asked for, and it can be asked for once: by `stream` or by `blob()`.
 *
 * One that is broken off fails there, so nobody takes a half for the whole. The signal of the call ends it, too, and so does a
 * file of which nothing comes for the time that `quiet` says: with a CallFailed, whose result is a NETWORK_ERROR ("timeout").
 */
export interface Download {
  /** Its name, without anything that could name another folder. */
  readonly name: string | undefined;
  /** Its media type, with its parameters. */
  readonly type: string;
  /** Its bytes; undefined where that is not known before its end. */
  readonly size: number | undefined;
  /** Its bytes as they come; to cancel it ends the connection. */
  readonly stream: ReadableStream<Uint8Array>;
  /** All of it: to show it by a URL of its own, or to save it. */
  blob(): Promise<Blob>;
  /** End the connection, if there is more to come. */
  close(): void;
}

/** A call that gives a file. It is tried again as any other, but never once its file has begun. */
function $download<Code extends keyof FailureData>(
  client: AnyClient,
  route: $Route,
  media: readonly string[],
  input: unknown,
  options: CallOptions = {},
): CallPromise<Download, Code> {
  const settings = client.$settings();
  let opened: [Response, AbortController] | undefined;
  const send: $Fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("accept", [...media, "application/json"].join(", "));
    const stop = new AbortController();
    const { signal } = init;
    signal?.addEventListener("abort", () => stop.abort(signal.reason));
    const response = await (settings.fetch ?? fetch)(url, { ...init, headers, signal: stop.signal });
    if (response.status !== 200 || !$isOf(media, response.headers.get("content-type") ?? "")) return response;
    opened = [response, stop];
    return new Response("0", { headers: response.headers });
  };
  const begin = async (): Promise<$Outcome> => {
    const outcome = await $run({ ...settings, fetch: send }, { ...route, output: () => 0 }, input, options);
    if (!outcome.ok) return outcome;
    if (opened) return $success($file(settings, route, options, ...opened), opened[0]);
    const issue = { path: [], code: "unreadable", message: "The answer is not a file of a type that the route declares." };
    return $failure("UNKNOWN_ERROR", { issues: [issue] }, { response: outcome as unknown as Response });
  };
  const promise = $worded(begin(), settings.sentences) as Promise<Result<Download, Code>>;
  return Object.assign(promise, { unwrap: async () => (await promise).unwrap() });
}

function $isOf(media: readonly string[], type: string): boolean {
  const found = type.split(";", 1).join().trim().toLowerCase();
  return media.some((each) => each === found || each === "*/*" || each === found.replace(/[^/]*$/, "*"));
}

function $file(
  settings: $Settings,
  route: $Route,
  options: CallOptions,
  response: Response,
  stop: AbortController,
): Download {
  for (const signal of [settings.signal, options.signal]) {
    signal?.addEventListener("abort", () => stop.abort(signal.reason), { signal: stop.signal });
    if (signal?.aborted) stop.abort(signal.reason);
  }
  const end = (): void => stop.abort("aborted"); // which also takes what listens from the signals, which may outlive many files
  const late = (): unknown =>
    new CallFailed($noAnswer($url(settings, route), "timeout", undefined, response) as unknown as CallError);
  const quiet = $quiet(settings, options);
  let ending: ReadableStream<Uint8Array> | undefined;
  const stream = () => (ending ??= $ending(response.body ?? new Blob([]).stream(), quiet, late, end));
  const { headers } = response;
  const size = /^\d+$/.exec(headers.get("content-length") ?? "");
  return {
    name: $fileName(headers.get("content-disposition") ?? ""),
    type: headers.get("content-type") ?? "",
    size: size && !headers.get("content-encoding") ? Number(size[0]) : undefined,
    get stream() {
      return stream();
    },
    blob: async () => {
      // React Native has no streams
      const blob = await (response.body ? new Response(stream(), { headers }) : response).blob();
      end();
      return blob;
    },
    close: end,
  };
}

/** The stream, which fails with `late` where nothing comes for so long; whatever ends it also calls `end`. */
function $ending(
  stream: ReadableStream<Uint8Array>,
  quiet: number,
  late: () => unknown,
  end: () => void,
): ReadableStream<Uint8Array> {
  const begin = () => stream.getReader();
  let reader: ReturnType<typeof begin> | undefined;
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    reader ??= begin();
    const done = $after(quiet, () => {
      controller.error(late());
      end();
      reader?.cancel().catch(() => undefined); // a `fetch` of the caller's own may not know the signal
    });
    try {
      const { value } = await reader.read();
      if (value) return controller.enqueue(value);
      controller.close();
    } catch (error) {
      controller.error(error);
    } finally {
      done();
    }
    end();
  };
  return new ReadableStream({ pull, cancel: end }, { highWaterMark: 0 });
}

function $fileName(told: string): string | undefined {
  const quoted = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(told);
  let name = quoted?.[1]?.replace(/\\(.)/g, "$1") ?? quoted?.[2] ?? "";
  try {
    name = decodeURIComponent(/;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(told)?.[1] ?? encodeURIComponent(name));
  } catch {
    // the plain name is as good as it gets
  }
  const last = name.replace(/^[^]*[/\\]/, "").replace(/[\p{C}]/gu, "");
  return last.replace(/^[. ]+|[. ]+$/g, "").slice(0, 200) || undefined;
}
