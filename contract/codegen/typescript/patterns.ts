/** A text in which all of some patterns are found. */
/* @__NO_SIDE_EFFECTS__ */
function $matching(size: $Size, ...patterns: string[]): $Check<string> {
  const check = $string(size);
  return (value, run) => {
    const text: string | undefined = check(value, run); // undefined, where something is wrong already
    const missed = text === undefined ? undefined : patterns.find((pattern) => !$found(pattern, text));
    return missed === undefined ? (text as string) : $fail(run, "pattern", { pattern: missed });
  };
}

/** A text of a class that has one form, which the first pattern says. */
/* @__NO_SIDE_EFFECTS__ */
function $formed(format: string, size: $Size, form: string, ...patterns: string[]): $Check<string> {
  const [check, more] = [$string(size), $matching({}, ...patterns)];
  return (value, run) => {
    if (typeof value !== "string") return $mistyped(run, "string_type", value, { format });
    const text: string | undefined = check(value, run);
    if (text !== undefined && !$found(form, text)) return $fail(run, "format", { format });
    return text === undefined ? (text as never) : more(text, run);
  };
}

/** The patterns that were met, each as a function that looks for it. */
const $PATTERNS = new Map<string, (text: string) => boolean>();

function $found(pattern: string, text: string): boolean {
  let search = $PATTERNS.get(pattern);
  if (!search) {
    search = $search(pattern);
    $PATTERNS.set(pattern, search);
  }
  return search(text);
}

/**
 * Looks for a pattern, in time that grows no faster than the text.
 *
 * RegExp tries one way to read a text after another, of which there may be more than anybody can wait for: it is asked where they are
 * few for each character. Elsewhere all of them are followed at once.
 */
function $search(pattern: string): (text: string) => boolean {
  let native: RegExp;
  try {
    native = new RegExp(pattern, "u");
  } catch {
    return () => false; // nothing is known to match what is not a regular expression here
  }
  const { ways, loops, isAnchored, states } = $parsed((pattern.match($TOKENS) ?? []).reverse());
  let start: $State | undefined;
  return (text) => {
    const room = text.length + 2;
    if (ways * room ** (isAnchored ? loops : loops + 1) <= 64 * room) return native.test(text);
    return $follow((start ??= states($END)), text);
  };
}

/** A part of a pattern. */
interface $Part {
  /** There are no more ways to read it than `ways * (length of the text + 2) ** loops`. */
  readonly ways: number;
  readonly loops: number;
  /** It is found at the begin of a text or nowhere. */
  readonly isAnchored: boolean;
  /** How a search gets through it, to what follows. */
  readonly states: (next: $State) => $State;
}

/** Where a search may be; it goes on by a character that is taken, or else by none, between two characters where that holds. */
interface $State {
  readonly takes?: (char: string) => boolean;
  readonly holds?: (before: string, after: string) => boolean;
  to: readonly $State[];
}

const $END: $State = { to: [] };

const $TOKENS = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^])|\[(?:\\[^]|[^\]\\])*\]|\(\?:|\{\d+(?:,\d*)?\}|[^]/gu;

/** Read a pattern up to the end of a group; the next token is the last of `tokens`. */
function $parsed(tokens: string[]): $Part {
  const options: $Part[] = [];
  let row: $Part[] = [];
  for (let token = tokens.pop(); token !== undefined && token !== ")"; token = tokens.pop()) {
    const counts = $counts(token);
    if (counts) {
      row.push($repeated(row.pop() ?? $row([]), ...counts));
      if (tokens.at(-1) === "?") tokens.pop(); // as few as possible: it finds the same
    } else if (token === "|") {
      options.push($row(row));
      row = [];
    } else row.push(token.startsWith("(") ? $parsed(tokens) : $atom(token));
  }
  options.push($row(row));
  return {
    ways: options.reduce((sum, { ways }) => sum + ways, 0),
    loops: Math.max(...options.map(({ loops }) => loops)),
    isAnchored: options.every(({ isAnchored }) => isAnchored),
    states: (next) => ({ to: options.map(({ states }) => states(next)) }),
  };
}

/** How often a quantifier says that something is there, at least and at most. */
function $counts(token: string): readonly [number, number] | undefined {
  if (token === "*") return [0, Infinity];
  if (token === "+") return [1, Infinity];
  if (token === "?") return [0, 1];
  const [, low, comma, high] = /^\{(\d+)(,?)(\d*)\}$/.exec(token) ?? [];
  if (low === undefined) return undefined;
  return [Number(low), comma ? Number(high || Infinity) : Number(low)];
}

function $row(parts: readonly $Part[]): $Part {
  return {
    ways: parts.reduce((product, { ways }) => product * ways, 1),
    loops: parts.reduce((sum, { loops }) => sum + loops, 0),
    isAnchored: parts[0]?.isAnchored ?? false,
    states: (next) => parts.reduceRight((after, { states }) => states(after), next),
  };
}

function $repeated({ ways, loops, isAnchored, states }: $Part, min: number, max: number): $Part {
  const counted = ((): readonly [number, number] => {
    if (min === max) return [ways ** min, loops * min];
    if (max === 1) return [ways + 1, loops];
    return ways === 1 && loops === 0 ? [1, 1] : [Infinity, 0]; // what can be read in two ways, again and again
  })();
  return {
    ways: counted[0],
    loops: counted[1],
    isAnchored: isAnchored && min > 0,
    states: (next) => {
      let state = next;
      if (max === Infinity) {
        state = { to: [] };
        state.to = [states(state), next];
      } else for (let count = min; count < max; count++) state = { to: [states(state), next] };
      for (let count = 0; count < min; count++) state = states(state);
      return state;
    },
  };
}

/** What takes one character, or none. */
function $atom(token: string): $Part {
  let state: Omit<$State, "to">;
  if (token === "^") state = { holds: (before) => before === "" };
  else if (token === "$") state = { holds: (_, after) => after === "" };
  else if (token === "\\b") state = { holds: (before, after) => $isWord(before) !== $isWord(after) };
  else if (token === "\\B") state = { holds: (before, after) => $isWord(before) === $isWord(after) };
  else {
    const form = new RegExp(`^${token}$`, "u");
    state = { takes: (char) => form.test(char) };
  }
  return { ways: 1, loops: 0, isAnchored: token === "^", states: (next) => ({ ...state, to: [next] }) };
}

function $isWord(char: string): boolean {
  return /^\w$/.test(char);
}

/** Whether a search comes to its end, from anywhere in a text: it is in many states at once, and in each of them once. */
function $follow(start: $State, text: string): boolean {
  let before = "";
  let states: $State[] = [];
  for (let at = 0; at <= text.length; at += before.length || 1) {
    const after = at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : "";
    const ahead = [...states, start];
    const seen = new Set<$State>();
    states = [];
    for (let state = ahead.pop(); state; state = ahead.pop()) {
      if (state === $END) return true;
      if (seen.has(state)) continue;
      seen.add(state);
      const { takes, holds, to } = state;
      if (takes ? takes(after) : !holds || holds(before, after)) for (const next of to) (takes ? states : ahead).push(next);
    }
    before = after;
  }
  return false;
}
