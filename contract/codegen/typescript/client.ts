/**
 * A client for the functions of the routes, which costs a bundle no more than the routes that are called.
 *
 * @throws TypeError - The base URL is none that routes can be below of.
 */
export function createClient(options: ClientOptions): AnyClient {
  const { headers, ...others } = options;
  const settings = { ...others, baseUrl: $baseUrl(options.baseUrl), headers: headers ? [headers] : [] };
  return { $settings: () => settings };
}

/** Thrown by `unwrap()`. */
export class CallFailed extends Error {
  readonly result: Failure | CallError;

  constructor(result: Failure | CallError) {
    const lost = result.code === "NETWORK_ERROR" ? result.data : undefined;
    const why = lost ? lost.cause : result.status;
    const where = lost?.url ? ` at ${lost.url}` : "";
    super(`The call failed: ${result.code}${why ? ` (${why})` : ""}${where}`, lost && { cause: lost.error });
    this.name = "CallFailed";
    this.result = result;
  }
}

/** The options of a client, checked. */
interface $Settings extends Omit<ClientOptions, "headers"> {
  readonly headers: readonly HeaderSource[];
}

/** A route, as it is called. */
interface $Route {
  readonly name: string;
  readonly repeatable?: boolean;
  readonly input?: $Check<unknown>;
  readonly output: $Check<unknown>;
  /** The codes that it declares, each with what it carries. */
  readonly failures?: $Codes;
}

/** Code -> what it carries; optional, where it may carry nothing. */
interface $Codes {
  readonly [code: string]: $Check<unknown> | $Optional;
}

type $Outcome = Ok<unknown> | $Failed<boolean, keyof FailureData>;

function $call<T, Code extends keyof FailureData>(
  client: AnyClient,
  route: $Route,
  input: unknown,
  options: CallOptions = {},
): CallPromise<T, Code> {
  const settings = client.$settings();
  const promise = $worded($run(settings, route, input, options), settings.sentences) as Promise<Result<T, Code>>;
  return Object.assign(promise, { unwrap: async () => (await promise).unwrap() });
}

/** A result in the words that the client was given: those of the issues that any call may come to. */
async function $worded(tried: Promise<$Outcome>, table: Sentences | undefined): Promise<$Outcome> {
  const outcome = await tried;
  if (table && !outcome.ok && /^(VALIDATION|UNKNOWN)_ERROR$/.test(outcome.code)) {
    const data = outcome.data as { issues: readonly ValidationIssue[] };
    data.issues = data.issues.map((each) => inWords(each, table));
  }
  return outcome;
}

/** The client with other options; headers are added. */
function $with({ $settings }: AnyClient, { headers, ...others }: Partial<ClientOptions>): AnyClient {
  const before = $settings();
  const settings = {
    ...before,
    ...others,
    baseUrl: others.baseUrl === undefined ? before.baseUrl : $baseUrl(others.baseUrl),
    headers: headers ? [...before.headers, headers] : before.headers,
  };
  return { $settings: () => settings };
}

/** The options of the credentials of a service: where each stands, and its name there. */
interface $Ways {
  readonly [option: string]: readonly ["bearer" | "header" | "cookie", string];
}

/** A client that says who calls. A cookie is the browser's to send, and goes beside no other credential. */
function $credited(options: ClientOptions, ways: $Ways): AnyClient {
  const given = options as unknown as { readonly [option: string]: HeaderValue | boolean };
  const headers: { [name: string]: HeaderValue } = {};
  let credentials: "include" | "omit" | undefined;
  for (const [option, [place, name]] of Object.entries(ways)) {
    const value = given[option];
    if (value === undefined || value === false) continue;
    if (value !== true) headers[name] = place === "bearer" ? $bearer(value) : value;
    credentials = value === true ? "include" : "omit";
  }
  const client = createClient(options);
  if (!credentials) return client;
  const others = { credentials }; // a RequestInit knows it in browsers, and not everywhere else
  const fetching: $Fetch = (url, init) => (options.fetch ?? fetch)(url, { ...init, ...others });
  return $with(client, { headers, fetch: fetching });
}

function $bearer(token: HeaderValue): HeaderValue {
  return async () => {
    const found = typeof token === "function" ? await token() : token;
    return found === undefined ? undefined : `Bearer ${found}`;
  };
}

function $baseUrl(given: string): string {
  // of a browser's page, whose own path says nothing of where the service is; a page in a file has "null"
  const { origin } = (globalThis as { location?: { origin: string } }).location ?? { origin: "null" };
  const url = new URL(given, origin === "null" ? undefined : origin);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError("The base URL has to begin with http: or https:.");
  if (url.username || url.password) throw new TypeError("The base URL has credentials in it; give them as headers.");
  if (/[?#]/.test(given)) throw new TypeError("The base URL has a query or a fragment.");
  return url.href.replace(/\/+$/, "");
}

function $success(value: unknown, response: Response): $Outcome {
  return $beside({ ok: true, value } as const, { status: response.status, ...$told(response), unwrap: () => value });
}

/** The headers of an answer, and what they tell; there are none without one. */
function $told({ headers }: { readonly headers: Headers } = { headers: new Headers() }): Omit<$Answered, "status"> {
  return { headers, requestId: headers.get("x-request-id") ?? undefined };
}

/** What is known of a failure besides its code and its data. */
interface $Known {
  readonly declared?: boolean;
  readonly response?: Response | undefined;
  readonly body?: string | undefined;
}

function $failure<Code extends keyof FailureData>(code: Code, data: unknown, known: $Known = {}): $Failed<boolean, Code> {
  const { declared = false, response, body } = known;
  const shown = { ok: false, declared, code, status: response?.status ?? 0, data: data as FailureData[Code] } as const;
  const failed: $Failed<boolean, Code> = $beside(shown, {
    ...$told(response),
    body,
    unwrap: (): never => {
      throw new CallFailed(failed as unknown as Failure);
    },
  });
  return failed;
}

/** `shown`, and beside it what can be asked for, but stands in no copy and in no log. */
function $beside<Shown extends object, Hidden extends object>(shown: Shown, hidden: Hidden): Shown & Hidden {
  for (const [name, value] of Object.entries(hidden)) Object.defineProperty(shown, name, { value });
  return shown as Shown & Hidden;
}

/** One call, however often it is tried. */
async function $run(settings: $Settings, route: $Route, input: unknown, options: CallOptions): Promise<$Outcome> {
  let body: string | null = null;
  if (route.input) {
    const read = $read(route.input, input, "json");
    if (read.issues) return $failure("VALIDATION_ERROR", { issues: read.issues });
    body = JSON.stringify(read.value);
  }
  const stop = new AbortController();
  const signals = [settings.signal, options.signal];
  const abort = function (this: AbortSignal): void {
    stop.abort(Object(this.reason).name === "TimeoutError" ? "timeout" : "aborted");
  };
  const stopped = new Promise<never>((_, reject) =>
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason)),
  );
  stopped.catch(() => undefined); // nobody may be waiting for it any more
  const timeout = options.timeout ?? settings.timeout ?? 30_000;
  const ending = timeout > 0 ? performance.now() + timeout : Infinity;
  const done = $after(timeout, () => stop.abort("timeout"));
  for (const signal of signals) {
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort.call(signal);
  }
  try {
    for (let attempt = 1; ; attempt++) {
      const tried = await $try(settings, route, body, options, attempt, stop.signal, stopped);
      const retries = route.repeatable ? (options.retries ?? settings.retries ?? 2) : 0;
      const delay = attempt > retries || stop.signal.aborted ? undefined : $delay(tried, attempt);
      if (delay === undefined || performance.now() + delay >= ending) return tried;
      $tell(settings.hooks?.onRetry, { route: route.name, attempt: attempt + 1, delay });
      try {
        await Promise.race([stopped, (settings.sleep ?? $sleep)(delay)]);
      } catch {
        return stop.signal.aborted ? $noAnswer($url(settings, route), stop.signal.reason, undefined) : tried;
      }
    }
  } finally {
    done();
    for (const signal of signals) signal?.removeEventListener("abort", abort);
  }
}

/** One try. */
async function $try(
  settings: $Settings,
  route: $Route,
  body: string | null,
  options: CallOptions,
  attempt: number,
  signal: AbortSignal,
  stopped: Promise<never>,
): Promise<$Outcome> {
  const url = $url(settings, route);
  const told = { route: route.name, attempt };
  const started = performance.now();
  const exchange = async (): Promise<[Response, $Body]> => {
    const headers = await $headers(options.headers ? [...settings.headers, options.headers] : settings.headers);
    headers.set("accept", "application/json");
    if (body !== null) headers.set("content-type", "application/json");
    $tell(settings.hooks?.onRequest, { ...told, url });
    const response = await (settings.fetch ?? fetch)(url, {
      method: "POST",
      headers,
      body,
      signal,
      redirect: "manual",
    });
    return [response, await $bodyOf(response, settings.maxResponseBytes ?? 16 * 2 ** 20)];
  };
  try {
    signal.throwIfAborted();
    const [response, body] = await Promise.race([stopped, exchange()]);
    $tell(settings.hooks?.onResponse, { ...told, status: response.status, milliseconds: performance.now() - started });
    return $settle(route, response, body);
  } catch (error) {
    const failed = $noAnswer(url, signal.reason, error);
    $tell(settings.hooks?.onResponse, {
      ...told,
      status: 0,
      cause: failed.data.cause,
      milliseconds: performance.now() - started,
    });
    return failed;
  }
}

/**
 * The client, as it calls reads that may be kept: with GET where the URL is short, so that browsers and proxies keep the answers,
 * and with POST where it is not, or where GET is not known: by an older server, or by something between. A 404 in JSON is the
 * word of the route itself.
 */
function $reading(client: AnyClient): AnyClient {
  const settings = client.$settings();
  const send: $Fetch = async (url, init) => {
    const ask = settings.fetch ?? fetch;
    const { body, headers, ...others } = init;
    const target = typeof body === "string" ? `${url}?input=${encodeURIComponent(body)}` : url;
    if (target.length > 2000) return ask(url, init);
    const without = new Headers(headers);
    without.delete("content-type");
    const response = await ask(target, { ...others, headers: without, method: "GET" });
    const { status } = response;
    const isOurs = /json/.test(response.headers.get("content-type") ?? "");
    if (status !== 405 && status !== 414 && (status !== 404 || isOurs)) return response;
    response.body?.cancel().catch(() => undefined);
    return ask(url, init);
  };
  return { $settings: () => ({ ...settings, fetch: send }) };
}

/** Where a route is called, without its input. */
function $url(settings: $Settings, route: $Route): string {
  return `${settings.baseUrl}/${route.name}`;
}

function $noAnswer(
  url: string,
  reason: NetworkCause | undefined,
  error: unknown,
  response?: Response,
): $Failed<boolean, "NETWORK_ERROR"> {
  return $failure("NETWORK_ERROR", $beside({ cause: reason ?? $causeOf(error) }, { url, error }), { response });
}

/** Browsers do not tell why; Node and its kin do, one error deeper. */
function $causeOf(error: unknown): NetworkCause {
  const { code, message, cause } = Object(error) as { code?: unknown; message?: unknown; cause?: unknown };
  if (/refused/i.test(`${code} ${message}`)) return "refused";
  if (/CERT|TLS|SSL|^EPROTO$|SIGNATURE/.test(String(code))) return "tls";
  if (/TIMEOUT|TIMEDOUT/.test(String(code))) return "timeout";
  if (/^ECONNRESET$|^UND_ERR_SOCKET$|^EPIPE$/.test(String(code))) return "aborted";
  return cause ? $causeOf(cause) : "other";
}

async function $headers(sources: readonly HeaderSource[]): Promise<Headers> {
  const headers = new Headers();
  for (const source of sources) {
    for (const [name, value] of Object.entries(typeof source === "function" ? await source() : source)) {
      const given = typeof value === "function" ? await value() : value;
      if (given === undefined) continue;
      try {
        headers.set(name, given);
      } catch {
        throw new TypeError(`The header ${name} cannot be sent.`); // what was thrown holds the value, and that may be a secret
      }
    }
  }
  return headers;
}

/** The body of an answer, as far as it can be read, and why that is not all of it. */
interface $Body {
  readonly text: string;
  readonly problem?: string;
}

async function $bodyOf(response: Response, most: number): Promise<$Body> {
  const tooLarge = `The answer is larger than ${most} bytes, which is the limit of this client.`;
  if (response.body === undefined) {
    const text = await response.text(); // React Native has no streams
    return text.length > most ? { text: "", problem: tooLarge } : { text };
  }
  const reader = response.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // which is not JSON, and stays for the parser to refuse
  let text = "";
  for (let left = most; reader;) {
    const { done, value } = await reader.read();
    try {
      text += decoder.decode(value?.subarray(0, left), { stream: !done });
      left -= value?.length ?? 0;
      if (left < 0) throw new RangeError(tooLarge);
    } catch (error) {
      reader.cancel().catch(() => undefined);
      return { text, problem: error instanceof RangeError ? error.message : "The answer is not in UTF-8." };
    }
    if (done) break;
  }
  return { text };
}

/** What an answer means, whoever gave it. */
function $settle(route: $Route, response: Response, { text, problem }: $Body): $Outcome {
  const unknown = (issues: readonly ValidationIssue[]): $Outcome =>
    $failure("UNKNOWN_ERROR", { issues }, { response, body: text });
  const unreadable = (code: string, message: string): $Outcome => unknown([{ path: [], code, message }]);
  let sent: unknown;
  try {
    sent = problem === undefined ? JSON.parse(text) : undefined;
  } catch {
    sent = undefined; // which no JSON is
  }
  if (response.ok) {
    if (problem !== undefined) return unreadable("unreadable", problem);
    if (sent === undefined) return unreadable("json_invalid", "The answer is not valid JSON.");
    const read = $read(route.output, sent, "value", true, text);
    return read.issues ? unknown(read.issues) : $success(read.value, response);
  }

  // exactly an error of ours: its code decides, and nothing else is ever a declared failure
  if (
    $isObject(sent) &&
    typeof sent["error"] === "string" &&
    Object.keys(sent).every((key) => key === "error" || key === "data")
  ) {
    const code = sent["error"] as keyof FailureData;
    const declared = $own(route.failures, code);
    const known = declared ?? $own($CODES, code);
    if (!known) return unknown([]);
    const read = $read($record<{ data?: unknown }>({ data: known }), sent, "value", true, text);
    if (read.issues) return unknown(read.issues);
    return $failure(code, read.value.data, { declared: declared !== undefined, response });
  }

  // something else, of a proxy perhaps: it is not believed, and the status decides
  const code = $own($BY_STATUS, String(response.status));
  const needsData = typeof $own(route.failures, code ?? "") === "function";
  if (code && !needsData) return $failure(code, undefined, { response, body: text });
  return problem === undefined ? unknown([]) : unreadable("unreadable", problem);
}

/** Statuses that mean the same whoever sends them; what a proxy forbids or does not find is nothing that a route spoke of. */
const $BY_STATUS: { readonly [status: string]: CallErrorCode } = {
  401: "UNAUTHORIZED",
  413: "PAYLOAD_TOO_LARGE",
  429: "TOO_MANY_REQUESTS",
  502: "SERVICE_UNAVAILABLE",
  503: "SERVICE_UNAVAILABLE",
  504: "SERVICE_UNAVAILABLE",
};

/** Milliseconds until another try, if one may help: a random part of a time that doubles, and at least what the server asks for. */
function $delay(tried: $Outcome, attempt: number): number | undefined {
  if (tried.ok) return undefined;
  const { cause } = Object(tried.data) as { cause?: NetworkCause };
  if (tried.status ? ![429, 502, 503, 504].includes(tried.status) : !cause || cause === "tls") return undefined;
  const header = tried.headers.get("retry-after")?.trim() ?? "";
  const asked = /^\d+$/.test(header) ? Number(header) * 1000 : Math.max(0, Date.parse(header) - Date.now() || 0);
  return asked > 30_000 ? undefined : Math.max(asked, Math.random() * Math.min(8_000, 250 * 2 ** (attempt - 1)));
}

/** Calls `late` after so many milliseconds, and never if they are 0; what it gives is called to stop that. */
function $after(milliseconds: number, late: () => void): () => void {
  const timer = milliseconds > 0 ? setTimeout(late, Math.min(milliseconds, 2 ** 31 - 1)) : undefined;
  return () => {
    if (timer !== undefined) clearTimeout(timer);
  };
}

/** Milliseconds in which more of a stream or a file has to come. */
function $quiet(settings: $Settings, options: CallOptions): number {
  return options.quiet ?? settings.quiet ?? 45_000;
}

function $sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function $tell<E>(hook: ((event: E) => void) | undefined, event: E): void {
  try {
    hook?.(event);
  } catch {
    // a hook is told, and not asked
  }
}
