/** Sentences by the codes of issues, and the words in them; see contract.shape.sentences. What is not there, is said in English. */
export type Sentences = { readonly [key: string]: string };

/** An issue in the words of another table: as it is, where that has none, or the service has words of its own for it. */
export function inWords(issue: ValidationIssue, table: Sentences): ValidationIssue {
  const { code, message, params = {} } = issue;
  const isOwn = /^(predicate|invalid_value)$/.test(code) && message !== $sentence(code, params);
  const told = isOwn ? undefined : $sentence(code, params, table);
  return told === undefined ? issue : { ...issue, message: told };
}

type $Params = { readonly [name: string]: unknown };

/** The sentence of an issue, at most 200 characters long; there is none where the tables have none, or a param is not given. */
function $sentence(code: string, params: $Params, table: Sentences = $SENTENCES): string | undefined {
  const variant = params["reason"] ?? params["found"];
  const keys = [`${code}.${String(variant)}`, code];
  const template = [table, $SENTENCES].flatMap((each) => keys.map((key) => $own(each, key))).find((each) => each);
  const told = template && $filled(template, params, table);
  if (!told || told.length <= 200) return told;
  const characters = [...told];
  return characters.length > 200 ? `${characters.slice(0, 199).join("")}…` : told;
}

function $own<T>(table: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return table && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** A template with its params in it: a part in brackets is left out, where one of its params is not given. */
function $filled(template: string, params: $Params, table: Sentences): string | undefined {
  let isWhole = true;
  const piece = (_: string, part?: string, name = "", one?: string, many = ""): string => {
    if (part !== undefined) return $filled(part, params, table) ?? "";
    const value = $own(params, name);
    if (value === undefined) isWhole = false;
    if (one === undefined) return $word(name, value, params, table);
    return value === 1 ? one : many;
  };
  const told = template.replace(/\[([^\]]*)\]|\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, piece);
  return isWhole ? told : undefined;
}

/** A param in words. */
function $word(name: string, value: unknown, { allowed, count }: $Params, table: Sentences): string {
  const entry = (key: string): string | undefined => $own(table, key) ?? $own($SENTENCES, key);
  const phrase = (key: string, params: $Params): string => $filled(entry(key) ?? "", params, table) ?? "";
  const known = typeof value === "string" ? entry(`${name}:${value}`) : undefined;
  if (known !== undefined) return known;
  if (name === "meant") return JSON.stringify(value);
  if (name === "allowed" && Array.isArray(value)) {
    const told = $listed(value);
    const left = Number(count ?? value.length) - told.length;
    const some = told.join(", ");
    return left === 0 && told.length === 1 ? some : phrase("allowed:some", left ? { some, left } : { some });
  }
  if (name === "expected" && typeof value === "string") {
    const called = (each: string): string => entry(`found:${each}`) ?? entry(`format:${each}`) ?? each;
    const words = value.split(", ").map((each) => (each === "allowed" ? $word(each, allowed, { count }, table) : called(each)));
    const last = words.pop() ?? "";
    return words.length > 0 ? `${words.join(", ")}${entry("expected:or") ?? " "}${last}` : last;
  }
  if (name === "closest" && $isObject(value)) {
    const { code, params, path } = value;
    // what is closest to it in turn is not told
    const { closest: _, ...others } = $isObject(params) ? params : {};
    const sentence = $sentence(String(code), others, table) ?? String(code);
    const place = Array.isArray(path) ? path.join(".") : "";
    return place ? phrase("closest:at", { place, sentence }) : phrase("closest:here", { sentence });
  }
  return String(value);
}

/** As many allowed values as a sentence has room for. */
function $listed(values: readonly unknown[]): string[] {
  const told: string[] = [];
  let length = 0;
  for (const value of values.slice(0, 10)) {
    const text = JSON.stringify(value);
    length += [...text].length;
    if (told.length > 0 && length > 100) break;
    told.push(text);
  }
  return told;
}

/** Which of some names somebody meant who wrote another one; see contract.shape.nearest. */
function $nearest(sent: string, names: readonly unknown[]): string | undefined {
  const plain = $plain(sent);
  if (!plain) return undefined;
  let slip: string | undefined;
  let part: string | undefined;
  for (const name of names.slice(0, 50)) {
    const other = typeof name === "string" ? $plain(name) : "";
    if (typeof name !== "string" || !other) continue;
    if (other === plain) return name;
    if (Math.abs(other.length - plain.length) <= 2) {
      if ($isSlip(plain, other)) slip ??= name;
    } else if (Math.min(plain.length, other.length) > 2 && (other.includes(plain) || plain.includes(other))) part ??= name;
  }
  return slip ?? part;
}

/** A name without its case and its separators; nothing where it is too long to be one, or no ASCII. */
function $plain(name: string): string {
  return name.length > 64 || /[^\0-\x7f]/.test(name) ? "" : name.replace(/[-_. ]/g, "").toLowerCase();
}

/** Whether two names differ in one place, by two letters at most, and share as many. */
function $isSlip(one: string, other: string): boolean {
  const least = Math.min(one.length, other.length);
  let start = 0;
  while (start < least && one[start] === other[start]) start++;
  let end = 0;
  while (end < least - start && one.at(-1 - end) === other.at(-1 - end)) end++;
  return Math.max(one.length, other.length) - start - end <= 2 && start + end >= 2;
}
