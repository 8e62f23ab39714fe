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
    const why = result.code === "NETWORK_ERROR" ? result.data.cause : result.status;
    super(`The call failed: ${result.code}${why ? ` (${why})` : ""}`);
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
  const promise = $run(client.$settings(), route, input, options) as Promise<Result<T, Code>>;
  return Object.assign(promise, { unwrap: async () => (await promise).unwrap() });
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

function $baseUrl(given: string): string {
  const { location } = globalThis as { location?: { href: string } }; // of a browser
  const url = new URL(given, location?.href);
  if (!/^https?:$/.test(url.protocol)) throw new TypeError("The base URL has to begin with http: or https:.");
  if (url.username || url.password) throw new TypeError("The base URL has credentials in it; give them as headers.");
  if (/[?#]/.test(given)) throw new TypeError("The base URL has a query or a fragment.");
  return url.href.replace(/\/+$/, "");
}

class $Success {
  readonly ok = true;
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  unwrap(): unknown {
    return this.value;
  }
}

class $Failure {
  readonly ok = false;
  readonly declared: boolean;
  readonly code: keyof FailureData;
  readonly status: number;
  readonly data: never;
  readonly headers: Headers;

  constructor(route: $Route, code: string, data: unknown, response?: Response) {
    this.declared = Object.hasOwn(route.failures ?? {}, code);
    this.code = code as keyof FailureData;
    this.status = response?.status ?? 0;
    this.data = data as never;
    this.headers = response?.headers ?? new Headers();
  }

  unwrap(): never {
    throw new CallFailed(this as unknown as Failure);
  }
}

/** One call, however often it is tried. */
async function $run(settings: $Settings, route: $Route, input: unknown, options: CallOptions): Promise<$Outcome> {
  let body: string | null = null;
  if (route.input) {
    const read = $read(route.input, input, "json");
    if (read.issues) return new $Failure(route, "VALIDATION_ERROR", { issues: read.issues });
    body = JSON.stringify(read.value);
  }
  const stop = new AbortController();
  const signals = [settings.signal, options.signal];
  const abort = (): void => stop.abort("aborted");
  const stopped = new Promise<never>((_, reject) =>
    stop.signal.addEventListener("abort", () => reject(stop.signal.reason)),
  );
  stopped.catch(() => undefined); // nobody may be waiting for it any more
  const timeout = options.timeout ?? settings.timeout ?? 30_000;
  const ending = timeout > 0 ? performance.now() + timeout : Infinity;
  const timer = timeout > 0 ? setTimeout(() => stop.abort("timeout"), Math.min(timeout, 2 ** 31 - 1)) : undefined;
  for (const signal of signals) {
    signal?.addEventListener("abort", abort);
    if (signal?.aborted) abort();
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
        return stop.signal.aborted ? $noAnswer(route, stop.signal.reason, undefined) : tried;
      }
    }
  } finally {
    clearTimeout(timer);
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
  const url = `${settings.baseUrl}/${route.name}`;
  const told = { route: route.name, attempt };
  const started = performance.now();
  const exchange = async (): Promise<[Response, string | undefined]> => {
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
    const [response, text] = await Promise.race([stopped, exchange()]);
    $tell(settings.hooks?.onResponse, { ...told, status: response.status, milliseconds: performance.now() - started });
    return $settle(route, response, text);
  } catch (error) {
    const failed = $noAnswer(route, signal.reason, error);
    $tell(settings.hooks?.onResponse, {
      ...told,
      status: 0,
      cause: failed.data.cause,
      milliseconds: performance.now() - started,
    });
    return failed;
  }
}

function $noAnswer(route: $Route, reason: NetworkCause | undefined, error: unknown): $Failed<false, "NETWORK_ERROR"> {
  return new $Failure(route, "NETWORK_ERROR", { cause: reason ?? $causeOf(error), error }) as never;
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

/** The body of an answer; undefined if it is too large, or not in UTF-8. */
async function $bodyOf(response: Response, most: number): Promise<string | undefined> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }); // which is no JSON, and stays for the parser to refuse
  let text = "";
  for (let size = 0; reader;) {
    const { done, value } = await reader.read();
    size += value?.length ?? 0;
    try {
      if (size > most) throw new RangeError();
      text += decoder.decode(value, { stream: !done });
    } catch {
      reader.cancel().catch(() => undefined);
      return undefined;
    }
    if (done) break;
  }
  return text;
}

/** What an answer means, whoever gave it. */
function $settle(route: $Route, response: Response, text: string | undefined): $Outcome {
  const unknown = (issues: readonly ValidationIssue[]): $Outcome =>
    new $Failure(route, "UNKNOWN_ERROR", { body: text, issues }, response) as never;
  let sent: unknown;
  try {
    sent = JSON.parse(text ?? "");
  } catch {
    sent = undefined; // which no JSON is
  }
  if (response.ok) {
    if (sent === undefined)
      return unknown([{ path: [], code: "json_invalid", message: "The answer is not valid JSON." }]);
    const read = $read(route.output, sent, "value", true, text);
    return read.issues ? unknown(read.issues) : (new $Success(read.value) as Ok<unknown>);
  }

  // exactly an error of ours: its code decides
  if (
    $isObject(sent) &&
    typeof sent["error"] === "string" &&
    Object.keys(sent).every((key) => key === "error" || key === "data")
  ) {
    const code = sent["error"];
    const known = $own(route.failures, code) ?? $own($CODES, code);
    if (!known) return unknown([]);
    const read = $read($record<{ data?: unknown }>({ data: known }), sent, "value", true, text);
    return read.issues ? unknown(read.issues) : (new $Failure(route, code, read.value.data, response) as never);
  }

  // something else, of a proxy perhaps: it is not believed, and the status decides
  const code = $own($BY_STATUS, String(response.status));
  const needsData = typeof ($own(route.failures, code ?? "") ?? undefined) === "function";
  return code && !needsData ? (new $Failure(route, code, undefined, response) as never) : unknown([]);
}

function $own<T>(table: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

const $BY_STATUS: { readonly [status: string]: string } = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
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
