/** What a page is to those who turn it. */
type $PageOf =
  | Ok<{ readonly items: readonly unknown[]; readonly next: string | null }>
  | Failure
  | CallError;

/** The input of a route that gives pages. */
interface $CursorOf {
  readonly after?: string | null;
}

/** The items on all pages, and the failure in place of a page. */
async function* $turned(
  route: (input: $CursorOf | undefined, options: CallOptions | undefined) => Promise<$PageOf>,
  input: $CursorOf | undefined,
  options: CallOptions | undefined,
): AsyncGenerator<$Outcome, void, undefined> {
  for (let after = input?.after; ;) {
    const page = await route(after === undefined ? input : { ...input, after }, options);
    if (!page.ok) return yield page;
    const { items, next } = page.value;
    for (const value of items) yield $beside({ ok: true, value } as const, { ...$answered(page), unwrap: () => value });
    if (next === null) return;
    if (next === after) {
      const message = "The page leads to itself.";
      return yield $failure("UNKNOWN_ERROR", { issues: [{ path: ["next"], code: "repeated", message }] });
    }
    after = next;
  }
}

/** The answer that a page came with. */
function $answered({ status, headers, requestId }: $Answered): $Answered {
  return { status, headers, requestId };
}
