/** Documents that were drawn: every file can be imported, and nothing in it was executed. */

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";

const folder = new URL("../generated/", import.meta.url);
const files = readdirSync(folder).filter((file) => /^drawn.*\.js$/.test(file));
for (const file of files) {
  const found = (await import(new URL(file, folder).href)) as { schemas: object; ApiClient: new (options: { baseUrl: string }) => object };
  assert.ok(Object.keys(found.schemas).length >= 11, file);
  assert.ok(new found.ApiClient({ baseUrl: "http://127.0.0.1" }), file);
}
assert.equal("hacked" in globalThis, false);
assert.ok(files.length > 10);
console.log(`${files.length} files, nothing executed`);
