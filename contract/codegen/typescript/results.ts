/** The part of a result that tells of its answer, whatever came of it. */
interface $Answered {
  /** The status of the answer; 0 where there was none. */
  readonly status: number;
  /** The headers of the answer. They are not enumerable: logs and copies of a result do not hold them. */
  readonly headers: Headers;
  /** The id of the call in the log of the server, where there was an answer that told it; not enumerable, like the headers. */
  readonly requestId: string | undefined;
}

/** The call succeeded. Its status is no more enumerable than its headers. */
export interface Ok<T> extends $Answered {
  readonly ok: true;
  readonly value: T;
  /** The value. */
  unwrap(): T;
}

/** What is the same of everything that a call may come to but a value. */
interface $Failed<Declared extends boolean, Code extends keyof FailureData> extends $Answered {
  readonly ok: false;
  /** Whether the route declares this code: it is a part of what it does, and not an accident. */
  readonly declared: Declared;
  readonly code: Code;
  readonly data: FailureData[Code];
  /** The text of an answer that is none of ours, as far as it was read; not enumerable, like the headers. */
  readonly body: string | undefined;
  /** Throws a CallFailed. */
  unwrap(): never;
}

/** A failure that a route declares; without arguments, any of them. */
export type Failure<Code extends keyof FailureData = keyof FailureData> = Code extends unknown
  ? $Failed<true, Code>
  : never;

/** A failure that no route has to declare; without arguments, any of them. */
export type CallError<Code extends CallErrorCode = CallErrorCode> = Code extends unknown ? $Failed<false, Code> : never;

/**
 * What a call comes to; it is a value, whatever happened.
 *
 * `r.ok` tells a value from a failure, `r.declared` what the route declares from what can happen to any, `r.code` all of them apart:
 * a `switch` that leaves nothing has a `never` in its `default`. It is a plain object, which can be copied and sent on;
 * copies have no `unwrap`.
 */
export type Result<T, Code extends keyof FailureData = never> =
  Ok<T> | Failure<Code> | CallError<Exclude<CallErrorCode, Exclude<Code, $OfStatus>>>;

/** Codes that a route may declare, and that the status of a proxy's answer may stand for as well. */
type $OfStatus = "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";

/** A promise of a result, which is never rejected; that of `unwrap()` is one of the value, and rejected with a CallFailed. */
export type CallPromise<T, Code extends keyof FailureData = never> = Promise<Result<T, Code>> & {
  unwrap(): Promise<T>;
};

/** Why no answer came back. */
export type NetworkCause = "refused" | "timeout" | "aborted" | "tls" | "other";

/** A header, or a function that gives it: asked before each request, so that a token may be renewed. */
export type HeaderValue = string | undefined | (() => string | undefined | Promise<string | undefined>);

/** Headers by name, or a function that gives them all. */
export type HeaderSource =
  | { readonly [name: string]: HeaderValue }
  | (() => { readonly [name: string]: HeaderValue } | Promise<{ readonly [name: string]: HeaderValue }>);

/** Functions that are told what goes on, for logs and measurements; what they throw changes nothing. */
export interface Hooks {
  readonly onRequest?: ((event: { route: string; attempt: number; url: string }) => void) | undefined;
  /** `status` is 0 and `cause` is told where no answer came back. */
  readonly onResponse?:
    | ((event: { route: string; attempt: number; status: number; cause?: NetworkCause; milliseconds: number }) => void)
    | undefined;
  /** `attempt` is the one to come, in `delay` milliseconds. */
  readonly onRetry?: ((event: { route: string; attempt: number; delay: number }) => void) | undefined;
}

/** What may be said of a single call. */
export interface CallOptions {
  /** Ends the call, its waits included, as a NETWORK_ERROR: "timeout" by `AbortSignal.timeout`, else "aborted". */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds until there is a result, however often the call is tried: 30 seconds, if it is not said; 0 is no limit. */
  readonly timeout?: number | undefined;
  /**
   * Milliseconds in which more of a stream or a file that has begun has to come, until it is given up: 45 seconds, if it is
   * not said; 0 is no limit.
   */
  readonly quiet?: number | undefined;
  /**
   * How often a call that only reads, or that may be repeated, is tried again (2 times, if it is not said): after no answer,
   * and after 429, 502, 503 and 504. Other calls never are.
   */
  readonly retries?: number | undefined;
  /** Added to those that the client has. */
  readonly headers?: HeaderSource | undefined;
}

/** As `fetch` is called; `typeof fetch` has more in Bun and in Deno. */
type $Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** What may be said of a client. */
export interface ClientOptions extends CallOptions {
  /** Where the service is, such as "https://shop.example/v1"; in a browser also a path, such as "/v1", or "" for the root. */
  readonly baseUrl: string;
  /** Another function than the global `fetch`. */
  readonly fetch?: $Fetch | undefined;
  readonly hooks?: Hooks | undefined;
  /** The size of the largest answer that is read, in bytes: 16 MiB, if it is not said. */
  readonly maxResponseBytes?: number | undefined;
  /** The words for what is wrong with a value: those of another language, where a table of them is given. */
  readonly sentences?: Sentences | undefined;
  /** Waits before a call is tried again; another one than that of the clock, for tests. */
  readonly sleep?: ((milliseconds: number) => Promise<void>) | undefined;
}

/** What the functions of the routes need; an `ApiClient` is one, and `createClient` gives one that has no methods. */
export interface AnyClient {
  /** A function, so that nobody logs the headers by accident. */
  readonly $settings: () => $Settings;
}
