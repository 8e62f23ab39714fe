/** What may be said of a single call that gives a stream; its `timeout` is that until the stream begins. */
export interface StreamOptions extends CallOptions {
  /** The id of the last item that one has: a stream that can go on begins behind it. */
  readonly lastEventId?: string | undefined;
}

/**
 * The items of a stream, for `for await`, once: a second loop, when the first is over, throws a TypeError.
 *
 * Each is a result: a success with an item, or what the stream came to instead of its end, which is then the last one. So a loop
 * cannot overlook that a stream was not finished; one that was broken off ends with a NETWORK_ERROR.
 * To leave the loop ends the connection, and so do `close()` and the signal of the call.
 */
export interface Items<T, Code extends keyof FailureData = never> extends AsyncIterable<Result<T, Code>> {
  /** The id of the last item that came: give it to the call that goes on behind it. */
  readonly lastEventId: string | undefined;
  /** End the connection, if the stream is not over. */
  close(): void;
}

/** A stream that has begun, what ends it, and what is known of it. */
interface $OpenStream {
  readonly response: Response;
  readonly stop: AbortController;
  lastEventId: string | undefined;
  closed: boolean;
  over: boolean;
}

/** A call that gives a stream. It is tried again as any other, but never once its stream has begun. */
function $stream<T, Between extends keyof FailureData, Code extends keyof FailureData>(
  client: AnyClient,
  route: $Route,
  between: $Codes,
  input: unknown,
  options: StreamOptions = {},
): CallPromise<Items<T, Between>, Code> {
  const settings = client.$settings();
  let opened: $OpenStream | undefined;
  const send: $Fetch = async (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("accept", "application/jsonl"); // a line says by itself what it is, and is not taken before it is whole
    if (options.lastEventId !== undefined) headers.set("last-event-id", options.lastEventId);
    const stop = new AbortController();
    const { signal } = init;
    signal?.addEventListener("abort", () => stop.abort(signal.reason));
    const response = await (settings.fetch ?? fetch)(url, { ...init, headers, signal: stop.signal });
    const isStream = /^application\/jsonl *(;|$)/i.test(response.headers.get("content-type") ?? "");
    if (response.status !== 200 || !isStream) return response;
    opened = { response, stop, lastEventId: options.lastEventId, closed: false, over: false };
    return new Response("0", { headers: response.headers });
  };
  const begin = async (): Promise<$Outcome> => {
    const outcome = await $run({ ...settings, fetch: send }, { ...route, output: () => 0 }, input, options);
    if (!outcome.ok) return outcome;
    if (opened) return $success($streamItems(settings, route, between, opened, options), opened.response);
    const issue = { path: [], code: "unreadable", message: "The answer is not a stream." };
    return $failure("UNKNOWN_ERROR", { issues: [issue] }, { response: outcome as unknown as Response });
  };
  const promise = $worded(begin(), settings.sentences) as Promise<Result<Items<T, Between>, Code>>;
  return Object.assign(promise, { unwrap: async () => (await promise).unwrap() });
}

function $streamItems(
  settings: $Settings,
  route: $Route,
  between: $Codes,
  opened: $OpenStream,
  options: StreamOptions,
): Items<unknown, keyof FailureData> {
  const { stop } = opened;
  for (const signal of [settings.signal, options.signal]) {
    const abort = (): void => stop.abort(Object(signal?.reason).name === "TimeoutError" ? "timeout" : "aborted");
    signal?.addEventListener("abort", abort, { signal: stop.signal });
    if (signal?.aborted) abort();
  }
  const results = $streamResults(settings, route, between, opened, $quiet(settings, options));
  return {
    get lastEventId() {
      return opened.lastEventId;
    },
    close: () => {
      opened.closed = true;
      stop.abort("aborted");
    },
    [Symbol.asyncIterator]: () => {
      if (opened.over) throw new TypeError("The stream was read already; a stream can be read once.");
      return results as AsyncGenerator<Result<unknown, keyof FailureData>, void, undefined>;
    },
  };
}

async function* $streamResults(
  settings: $Settings,
  route: $Route,
  between: $Codes,
  opened: $OpenStream,
  quiet: number,
): AsyncGenerator<$Outcome, void, undefined> {
  const { response, stop } = opened;
  const most = settings.maxResponseBytes ?? 16 * 2 ** 20;
  const reader = response.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const stopped = new Promise<never>((_, reject) =>
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason)),
  );
  stopped.catch(() => undefined); // nobody may be waiting for it any more
  const lost = (cause: NetworkCause, error: unknown): $Outcome =>
    $noAnswer($url(settings, route), cause, error, response);
  const unreadable = (message: string): $Outcome =>
    $failure("UNKNOWN_ERROR", { issues: [{ path: [], code: "unreadable", message }] }, { response });
  const tooLong = `A line is larger than ${most} bytes, which is the limit of this client.`;
  try {
    for (let held = ""; ; ) {
      let part: Uint8Array | undefined;
      const done = $after(quiet, () => stop.abort("timeout"));
      try {
        stop.signal.throwIfAborted();
        part = (await Promise.race([stopped, reader?.read()]))?.value;
      } catch (error) {
        if (!opened.closed) yield lost((stop.signal.reason as NetworkCause | undefined) ?? "aborted", error);
        return;
      } finally {
        done();
      }
      if (!part) return yield lost("aborted", undefined);
      let text: string;
      try {
        text = decoder.decode(part, { stream: true });
      } catch {
        return yield unreadable("The stream is not in UTF-8.");
      }
      const end = text.lastIndexOf("\n");
      const lines = end < 0 ? [] : (held + text.slice(0, end)).split("\n");
      held = (end < 0 ? held : "") + text.slice(end + 1);
      for (const line of lines) {
        if (line.length > most) return yield unreadable(tooLong);
        const found = $streamLine(route, between, opened, line);
        if (found === "end" || opened.closed) return;
        if (found === undefined) continue;
        yield await $worded(Promise.resolve(found), settings.sentences);
        if (!found.ok) return;
      }
      if (held.length > most) return yield unreadable(tooLong);
    }
  } finally {
    opened.over = true;
    stop.abort("aborted");
    reader?.cancel().catch(() => undefined);
  }
}

/** What a line of a stream says: a result, its end, or nothing. */
function $streamLine(
  route: $Route,
  between: $Codes,
  opened: $OpenStream,
  line: string,
): $Outcome | "end" | undefined {
  const { response } = opened;
  let sent: unknown;
  try {
    sent = JSON.parse(line);
  } catch {
    sent = undefined; // which no JSON is
  }
  if ($isObject(sent)) {
    if (sent["end"] === true) return "end";
    if (Object.keys(sent).length === 0) return undefined;
    if ("item" in sent) {
      const read = $read($record<{ item: unknown }>({ item: route.output }), sent, "value", true, line);
      if (read.issues) return $failure("UNKNOWN_ERROR", { issues: read.issues }, { response, body: line });
      if (typeof sent["id"] === "string") opened.lastEventId = sent["id"];
      return $success(read.value.item, response);
    }
  }
  const refused = { ok: false, status: response.status, headers: response.headers } as Response;
  return $settle({ ...route, failures: between }, refused, { text: line });
}
