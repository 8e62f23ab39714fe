/** The vectors: the validators have to say of every document what the server says of it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

type Schemas = { readonly [route: string]: { readonly input?: (value: unknown) => { readonly issues?: readonly Issue[] } } };

interface Issue {
  readonly path: readonly (string | number)[];
  readonly code: string;
  readonly message: string;
  readonly params?: { readonly [name: string]: unknown };
}
type Told = [path: (string | number)[], code: string, params: { readonly [name: string]: unknown }, message: string];
type Vector = [text: string, issues: Told[]];

/** Where the two are not of one opinion, and why. */
const DIFFERENCES: { rule: string; why: string; isOne: (value: unknown, issue: { code: string }) => boolean }[] = [
  {
    rule: "integers beyond 2 ** 53",
    why: "A double stands for several of them, and JSON.parse picks one in silence: so they are refused.",
    isOne: (value) => typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value),
  },
  {
    rule: "the author's code",
    why: "Predicates and __post_init__ are Python, and stand in no document.",
    isOne: (_, { code }) => code === "predicate" || code === "invalid_value",
  },
];

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce((found, key) => (Object(found) as { [key: string]: unknown })[key], value);
}

/** As much of a path as the server tells. */
function told(path: readonly (string | number)[]): (string | number)[] {
  return path.slice(0, 16).map((part) => (typeof part === "string" ? [...part].slice(0, 64).join("") : part));
}

/**
 * An issue without the line and the column, which nobody knows who has no text; and with limits beyond 2 ** 53 as texts, which is how
 * they stay exact. Listed values beyond it are only counted.
 */
function asHere([path, code, { line: _, column: __, ...params }, message]: Told): Told {
  const limit = /^Must be at (least|most) (-?\d{16,})\.$/.exec(message)?.[2];
  const { allowed } = params;
  const safe = Array.isArray(allowed) ? allowed.filter((each) => !Number.isInteger(each) || Number.isSafeInteger(each)) : [];
  if (Array.isArray(allowed) && safe.length < allowed.length) {
    const counted = message.replace(/, \d{16,}/g, "").replace(/(one of .*?)(?=, not|\.)/, `$1 and ${allowed.length - safe.length} more`);
    return [path, code, { ...params, allowed: safe, count: allowed.length }, counted];
  }
  const name = "ge" in params ? "ge" : "le";
  return [path, code, limit ? { [name]: limit } : params, message.replace(/ \(line \d+, column \d+\)/, "")];
}

/** Issues in an order of their own, where keys of the text are numbers: JavaScript has those first. */
function inOrder(text: string, issues: Told[]): Told[] {
  const keyOf = ([path, code]: Told): string => JSON.stringify([path, code]);
  return /"[0-9]+":/.test(text) ? issues.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1)) : issues;
}

const [, , file = "", ...names] = process.argv;
const vectors = JSON.parse(readFileSync(file, "utf8")) as { [route: string]: Vector[] };
const met = new Set<string>();
let counted = 0;
for (const name of names) {
  const { schemas } = (await import(new URL(`../generated/${name}.js`, import.meta.url).href)) as { schemas: Schemas };
  for (const [route, rows] of Object.entries(vectors)) {
    const validate = schemas[route]?.input;
    if (!validate) {
      assert.equal(route, "none"); // a route without input
      continue;
    }
    for (const [text, expected] of rows) {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        value = undefined; // which is refused as anything else that is not JSON
      }
      const differ = (path: readonly (string | number)[], code: string): boolean => {
        const found = DIFFERENCES.find(({ isOne }) => isOne(at(value, path), { code }));
        if (found) met.add(found.rule);
        return found !== undefined;
      };
      const issues: readonly Issue[] = validate(value).issues ?? [];
      const ours = issues
        .filter(({ path, code }) => !differ(path, code))
        .map(({ path, code, params = {}, message }): Told => [told(path), code, params, message]);
      const theirs = expected.filter(([path, code]) => !differ(path, code)).map(asHere);
      assert.deepEqual(inOrder(text, ours), inOrder(text, theirs), `${route}: ${text}`);
      counted++;
    }
  }
}
const known = DIFFERENCES.map(({ rule }) => rule).sort();
if (names.includes("vectors")) assert.deepEqual([...met].sort(), known, "a difference that is none any more");
console.log(`${counted} documents, the same verdicts`);
