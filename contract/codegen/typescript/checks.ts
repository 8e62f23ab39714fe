/** One thing that is wrong with a value. */
export interface ValidationIssue {
  readonly message: string;
  /** Keys and positions from the root of the value to the place; an unknown or missing key ends it. */
  readonly path: readonly (string | number)[];
  /** Which rule is broken, such as "missing" or "greater_than_equal". */
  readonly code: string;
  /** What the rule allows, and the type of what came; of a value never more than that. */
  readonly params?: { readonly [name: string]: unknown };
}

/** Any JSON value; whole numbers only as far as a double is exact, which is 2 ** 53. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/**
 * A text of one kind, such as an address of e-mail. It is a string, and every string may be given for it; only a text of another
 * kind may not.
 */
export type Branded<Kind extends string> = string & { readonly __kind?: Kind };

/** What a validator gives: the value, or what is wrong with it. */
export type Validated<T> =
  { readonly value: T; readonly issues?: undefined } | { readonly issues: readonly ValidationIssue[] };

/**
 * A function that reads a value, and never throws.
 *
 * It takes JSON as it stands on the wire, and a value that it gave itself. It implements Standard Schema, version 1,
 * so libraries for forms, routers and the like take it as it is.
 */
export interface Validator<T> {
  (value: unknown): Validated<T>;
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: "contract";
    readonly validate: (value: unknown) => Validated<T>;
    readonly types?: { readonly input: T; readonly output: T } | undefined;
  };
}

/** What a validator takes. */
export type InferInput<V extends Validator<unknown>> = NonNullable<V["~standard"]["types"]>["input"];

/** What a validator gives. */
export type InferOutput<V extends Validator<unknown>> = NonNullable<V["~standard"]["types"]>["output"];

/* @__NO_SIDE_EFFECTS__ */
function $validator<T>(check: $Check<T>): Validator<T> {
  const validate = (value: unknown): Validated<T> => $read(check, value, "value");
  return Object.assign(validate, { "~standard": { version: 1, vendor: "contract", validate } as const });
}

/** A check reads a value, and tells the run of everything that is wrong with it; what it then returns is never looked at. */
type $Check<T> = (value: unknown, run: $Run) => T;

/** One reading of one value. */
interface $Run {
  /** What comes out: a value of the types above, JSON to be sent, or something that is equal wherever two values are. */
  readonly gives: "value" | "json" | "key";
  /** Whether keys that are not known are passed over: an answer may have more than this file knows of. */
  readonly open: boolean;
  /** Whether it tries the member of a union: which member of another one is meant in it, is not told. */
  readonly tries?: boolean;
  /** The text that the value was parsed from. */
  readonly text: string | undefined;
  /** What is known of that text: it is looked through once, however many numbers are in doubt. */
  readonly known: { rounded?: boolean };
  readonly path: (string | number)[];
  readonly issues: ValidationIssue[];
}

/** More issues are not told at once. */
const $MAX_ISSUES = 20;

/** Arrays and objects inside each other. */
const $MAX_DEPTH = 200;

function $read<T>(check: $Check<T>, value: unknown, gives: $Run["gives"], open = false, text?: string): Validated<T> {
  const run: $Run = { gives, open, text, known: {}, path: [], issues: [] };
  const read = $attempt(check, value, run);
  return run.issues.length > 0 ? { issues: run.issues } : { value: read as T };
}

function $attempt<T>(check: $Check<T>, value: unknown, run: $Run): T | undefined {
  try {
    return check(value, run);
  } catch (error) {
    if (error !== run) throw error; // what $fail and $enter throw, where there is nothing more to be told
    return undefined;
  }
}

/** Tell of an issue, and go on. */
function $report(run: $Run, code: string, params: $Params, ...at: (string | number)[]): void {
  run.issues.push({ path: [...run.path, ...at], code, message: $sentence(code, params) ?? code, params });
  if (run.issues.length === $MAX_ISSUES) throw run;
}

/** Tell of an issue, and return what is never looked at. */
function $fail(run: $Run, code: string, params: $Params, ...at: (string | number)[]): never {
  $report(run, code, params, ...at);
  return undefined as never;
}

/** Tell of a value that is of another type than it should be. */
function $mistyped(run: $Run, code: string, value: unknown, params: $Params = {}): never {
  return $fail(run, code, { ...params, found: $typeName(value) });
}

/** Go into an array or an object. */
function $enter(run: $Run): void {
  if (run.path.length >= $MAX_DEPTH)
    $invalid(run, { reason: "too_deep", max_depth: $MAX_DEPTH });
}

/** Tell of what no server parses, in place of all else. */
function $invalid(run: $Run, params: $Params): never {
  run.issues.splice(0);
  run.path.splice(0);
  $report(run, "json_invalid", params);
  throw run;
}

/** A text; half a character is none. */
function $whole(text: string, run: $Run): string {
  if (!/\p{Surrogate}/u.test(text)) return text;
  return $invalid(run, { reason: "lone_surrogate" });
}

function $at<T>(check: $Check<T>, value: unknown, key: string | number, run: $Run): T {
  run.path.push(key);
  const read = check(value, run);
  run.path.pop();
  return read;
}

/** A plain object: an instance of a class is none. */
function $isObject(value: unknown): value is { readonly [key: string]: unknown } {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** The check of a type that holds itself. */
/* @__NO_SIDE_EFFECTS__ */
function $lazy<T>(check: () => $Check<T>): $Check<T> {
  return (value, run) => check()(value, run);
}

function $null(value: unknown, run: $Run): null {
  return value === null ? value : $mistyped(run, "null_type", value);
}

/** What comes with a code that has no data. */
function $nothing(value: unknown, run: $Run): undefined {
  return $isObject(value) ? undefined : $mistyped(run, "object_type", value);
}

function $boolean(value: unknown, run: $Run): boolean {
  if (typeof value !== "boolean") return $mistyped(run, "boolean_type", value);
  return run.gives === "key" ? (Number(value) as never) : value;
}

/** Limits of a value; those of a value that stands as a text are texts as well. */
interface $Limits<T> {
  readonly ge?: T;
  readonly gt?: T;
  readonly le?: T;
  readonly lt?: T;
  readonly multipleOf?: T;
}

/** Tell the first limit that does not hold, if any, where `read` makes both sides comparable. */
function $limit<T extends number | string, U extends number | bigint | string>(
  value: U,
  limits: $Limits<T>,
  run: $Run,
  read: (limit: T) => U,
  isMultiple?: (value: U, step: U) => boolean,
  tell: (limit: T) => unknown = (limit) => limit,
): boolean {
  const { ge, gt, le, lt, multipleOf } = limits;
  if (ge !== undefined && value < read(ge)) $report(run, "greater_than_equal", { ge: tell(ge) });
  else if (gt !== undefined && value <= read(gt)) $report(run, "greater_than", { gt: tell(gt) });
  else if (le !== undefined && value > read(le)) $report(run, "less_than_equal", { le: tell(le) });
  else if (lt !== undefined && value >= read(lt)) $report(run, "less_than", { lt: tell(lt) });
  else if (multipleOf !== undefined && isMultiple?.(value, read(multipleOf)) === false)
    $report(run, "multiple_of", { multiple_of: tell(multipleOf) });
  else return true;
  return false;
}

/* @__NO_SIDE_EFFECTS__ */
function $integer(limits: $Limits<number> = {}): $Check<number> {
  return (value, run) => {
    if (typeof value !== "number" || !Number.isInteger(value)) return $mistyped(run, "integer_type", value);
    if (!Number.isSafeInteger(value)) return $unsafe(value, run);
    $limit(
      value,
      limits,
      run,
      (limit) => limit,
      (dividend, step) => dividend % step === 0,
    );
    return value;
  };
}

/** Beyond 2 ** 53 a double stands for several integers, and which of them was meant cannot be known. */
function $unsafe(value: number, run: $Run): never {
  return value < 0
    ? $fail(run, "greater_than_equal", { ge: Number.MIN_SAFE_INTEGER })
    : $fail(run, "less_than_equal", { le: Number.MAX_SAFE_INTEGER });
}

/* @__NO_SIDE_EFFECTS__ */
function $number(limits: $Limits<number> = {}): $Check<number> {
  return (value, run) => {
    if (!Number.isFinite(value)) return $mistyped(run, "number_type", value);
    $limit(value as number, limits, run, (limit) => limit, $isMultiple);
    return value as number;
  };
}

/** Whether a number is a multiple of another as the two are written: 0.3 is one of 0.1. */
function $isMultiple(value: number, step: number): boolean {
  const [digits, exponent] = $decimalParts(String(value));
  const [stepDigits, stepExponent] = $decimalParts(String(step));
  const lowest = Math.min(exponent, stepExponent);
  return !($shifted(digits, exponent - lowest) % $shifted(stepDigits, stepExponent - lowest));
}

/** Lengths and sizes. */
interface $Size {
  readonly min?: number;
  readonly max?: number;
}

/* @__NO_SIDE_EFFECTS__ */
function $string({ min = 0, max = Infinity }: $Size = {}): $Check<string> {
  return (value, run) => {
    if (typeof value !== "string") return $mistyped(run, "string_type", value);
    $whole(value, run);
    if (min > 0 || max < value.length) {
      let length = 0;
      for (const _ of value) length++; // characters, not their halves
      if (length < min) return $fail(run, "string_too_short", { min_length: min, length });
      if (length > max) return $fail(run, "string_too_long", { max_length: max, length });
    }
    return value;
  };
}

/* @__NO_SIDE_EFFECTS__ */
function $literal<T extends readonly (string | number | boolean)[]>(...allowed: T): $Check<T[number]> {
  return (value, run) => {
    if (!allowed.includes(value as T[number])) return $fail(run, "unknown_value", $unknown(value, allowed));
    return run.gives === "key" && typeof value === "boolean" ? (Number(value) as never) : (value as T[number]);
  };
}

/** The check of so many listed values, without the integers that a double cannot tell from others: these are only counted. */
/* @__NO_SIDE_EFFECTS__ */
function $exact<T extends readonly (string | number | boolean)[]>(count: number, ...allowed: T): $Check<T[number]> {
  const check = $literal(...allowed);
  return (value, run) => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) return $unsafe(value as number, run);
    if (allowed.includes(value as T[number])) return check(value, run);
    return $fail(run, "unknown_value", { ...$unknown(value, allowed), count });
  };
}

function $any(value: unknown, run: $Run): JsonValue {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "string") return $whole(value, run);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return $mistyped(run, "number_type", value);
    // it may be what is left of another integer; from 1e21 on a double is never written as one
    const isWhole = Number.isInteger(value) && Math.abs(value) < 1e21;
    const isDoubtful = isWhole && !Number.isSafeInteger(value);
    return isDoubtful && (run.known.rounded ??= $mayBeRounded(run.text)) ? $unsafe(value, run) : value;
  }
  if (Array.isArray(value)) {
    $enter(run);
    return Array.from(value, (item, index) => $at($any, item, index, run));
  }
  if (!$isObject(value)) return $mistyped(run, "object_type", value);
  $enter(run);
  const entries = Object.entries(value).map(([key, item]) => [$whole(key, run), $at($any, item, key, run)] as const);
  return Object.fromEntries(entries); // unlike an assignment it may be given a key called __proto__
}

/** Whether JSON.parse may have rounded an integer, which it does in silence. */
function $mayBeRounded(text: string | undefined): boolean {
  if (text === undefined) return true;
  const number = /-?\d+([.eE][-+.eE\d]*)?/y;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') {
      while (text[++at] !== '"') if (text[at] === "\\") at++;
      continue;
    }
    number.lastIndex = at;
    const [token, fraction] = number.exec(text) ?? [""];
    if (token && fraction === undefined && !Number.isSafeInteger(Number(token))) return true;
    at += Math.max(0, token.length - 1);
  }
  return false;
}

/** What is told of a value that is none of those that are allowed: the type of another type, or which one is meant. */
function $unknown(value: unknown, allowed: readonly unknown[]): $Params {
  const listed = $listing(allowed);
  const found = $typeName(value);
  const alike = Number.isInteger(value) ? [found, "integer"] : [found]; // one of any size is of this type
  if (!allowed.some((each) => alike.includes($typeName(each)))) return { ...listed, found };
  const meant = typeof value === "string" ? $nearest(value, allowed) : undefined;
  return meant === undefined ? listed : { ...listed, meant };
}

/** The params of an issue that a service tells, as they are. */
function $params(value: unknown, run: $Run): $Params {
  return $isObject(value) ? value : $mistyped(run, "object_type", value);
}

/** The values that are allowed: all of them, or the first and how many there are. */
function $listing(allowed: readonly unknown[], count = allowed.length): $Params {
  return count > 50 ? { allowed: allowed.slice(0, 10), count } : { allowed };
}

/** The JSON type of a value, which is all that an issue says of it. */
function $typeName(value: unknown): string {
  const [name = ""] = $jsonTypes(value);
  return name === "integer" && !Number.isSafeInteger(value) ? "number" : name;
}

function $jsonTypes(value: unknown): readonly string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  if ($isA("Date", value) || $isA("Uint8Array", value)) return ["string"];
  if (typeof value !== "object" || $isObject(value)) return [typeof value];
  return [String(Object(value.constructor).name)]; // such as Map, which is no JSON
}

/** Whether it is of a class of the platform, be it that of another frame or of jsdom. */
function $isA(name: string, value: unknown): boolean {
  return Object.prototype.toString.call(value) === `[object ${name}]`;
}
