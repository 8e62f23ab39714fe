/** A webhook as it came in: a `Request` of the Fetch API, or the headers and the text of the body, as nobody has parsed it. */
export type Webhook =
  | Request
  | {
      readonly headers: Headers | { readonly [name: string]: string | readonly string[] | undefined };
      readonly body: string;
    };

/**
 * What a webhook says: a message, or nothing, where it tells of an event that was added since this file was generated;
 * or why it is not believed, with the issues of a message that is signed and none of the contract's.
 */
export type Received<T> =
  | { readonly ok: true; readonly message: T | undefined }
  | { readonly ok: false; readonly problem: string; readonly issues: readonly ValidationIssue[] };

/** The events that a service sends by webhooks, signed as Standard Webhooks say. */
export interface Events<T> {
  /**
   * Check who has sent a webhook, and read it. Answer with a status of 2xx where it is `ok`, and with 400 where it is not.
   *
   * A message may come twice: its id is in the header webhook-id.
   *
   * @param secrets - Those that the service may sign with; one has to fit.
   * @param tolerance - Seconds that the message may be from now, either way.
   * @throws TypeError - A secret is none.
   */
  receive(webhook: Webhook, secrets: readonly string[], tolerance?: number): Promise<Received<T>>;
}

interface $Messages {
  readonly [event: string]: $Check<unknown>;
}

/* @__NO_SIDE_EFFECTS__ */
function $events<T>(messages: $Messages): Events<T> {
  return {
    receive: async (webhook, secrets, tolerance = 300) => {
      const body = "text" in webhook ? await webhook.text() : webhook.body;
      const problem = await $notSigned($headerOf(webhook), body, secrets, tolerance);
      return problem === undefined ? ($message(messages, body) as Received<T>) : { ok: false, problem, issues: [] };
    },
  };
}

/** What a body says whose sender is known. */
function $message(messages: $Messages, body: string): Received<unknown> {
  let sent: unknown;
  try {
    sent = JSON.parse(body);
  } catch {
    sent = undefined; // which no JSON is
  }
  if (!$isObject(sent)) return { ok: false, problem: "The message is not a JSON object.", issues: [] };
  const name = sent["type"];
  const check = typeof name === "string" ? $own(messages, name) : undefined;
  if (!check) return { ok: true, message: undefined };
  const read = $read(check, sent, "value", true, body);
  if (!read.issues) return { ok: true, message: read.value };
  return { ok: false, problem: "The message is none of the contract's.", issues: read.issues };
}

function $headerOf({ headers }: Webhook): (name: string) => string {
  if (headers instanceof Headers) return (name) => headers.get(name) ?? "";
  const all = new Headers();
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) all.append(name, `${value}`);
  return (name) => all.get(name) ?? "";
}

/** Why a signature does not hold; undefined where it does. */
async function $notSigned(
  header: (name: string) => string,
  body: string,
  secrets: readonly string[],
  tolerance: number,
): Promise<string | undefined> {
  const [id, at, told] = [header("webhook-id"), header("webhook-timestamp"), header("webhook-signature")];
  if (!id || !at || !told) return "This takes a signed body: send webhook-id, webhook-timestamp, webhook-signature.";
  if (!/^[!-+\-/-~]{1,256}$/.test(id) || !/^[0-9]{1,12}$/.test(at))
    return "webhook-id or webhook-timestamp has another form than Standard Webhooks say.";
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= tolerance))
    return `webhook-timestamp is more than ${tolerance} seconds from now.`;
  const signed = new TextEncoder().encode(`${id}.${at}.${body}`);
  const signatures = told.split(" ", 16).filter((each) => each.startsWith("v1,"));
  for (const key of await Promise.all(secrets.map($secretKey)))
    for (const each of signatures) {
      const signature = $decoded(each.slice(3));
      // it compares in the same time, whatever it is given
      if (signature && (await crypto.subtle.verify("HMAC", key, signature, signed))) return undefined;
    }
  return "webhook-signature does not fit the body, the id and the time.";
}

// without the types of what these two return: Node has no name for the first, and older compilers another for the second
async function $secretKey(secret: string) {
  const bytes = $decoded(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length < 24 || bytes.length > 64)
    throw new TypeError("A secret is not base64 of 24 to 64 bytes after whsec_.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function $decoded(text: string) {
  try {
    return Uint8Array.from(atob(text), (byte) => byte.charCodeAt(0));
  } catch {
    return undefined; // it is not base64
  }
}
