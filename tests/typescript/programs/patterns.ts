/** Patterns: they are found where the server finds them, and a text that was made for it does not hold anybody up. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";

import { schemas } from "../generated/patterns.ts";

const rows = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as [name: string, text: string, isTaken: boolean][];
const validators = schemas as unknown as { readonly [name: string]: (value: unknown) => { issues?: unknown } };
for (const [name, text, isTaken] of rows) {
  assert.equal(validators[name]?.(text).issues === undefined, isTaken, `${name} ${JSON.stringify(text)}`);
}

const started = performance.now();
for (const validate of Object.values(validators)) {
  validate(`${"a".repeat(3_000)}\u0000`);
  validate(`${"a-".repeat(1_500)}\u0000`);
}
const taken = performance.now() - started;
assert.ok(taken < 60_000, `${taken} ms`); // one that is tried way after way takes years
console.log(`${rows.length} texts, the same verdicts`);
