/** Lists page by page: every item is a result, and no failure is lost among them. */

import assert from "node:assert/strict";

import { ApiClient, createClient, find, pages, type Entry, type PageItem } from "../generated/ledger.ts";

const [, , baseUrl = ""] = process.argv;
let sent: string[] = [];
const fetching: typeof fetch = async (input, init) => {
  sent.push(String(init?.body));
  return fetch(input, init);
};
const api = new ApiClient({ baseUrl, fetch: fetching });

/** The items, and what stands in the place of the last page, if that is a failure. */
async function walked<Page>(walk: AsyncIterable<PageItem<Page>>): Promise<PageItem<Page>[]> {
  const found: PageItem<Page>[] = [];
  for await (const each of walk) found.push(each);
  return found;
}

const entries: Entry[] = [];
for await (const each of pages(api.find, { filter: { word: "a" }, limit: 3 })) {
  assert.ok(each.ok);
  assert.deepEqual([each.status, typeof each.requestId], [200, "string"]);
  entries.push(each.unwrap());
}
assert.deepEqual(
  entries,
  [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, word: "a" })),
);
assert.equal(sent.length, 3);

// a failure in the middle is the last result, with what it carries
const found = await walked(pages(api.find, { filter: { fails_at: 5 }, limit: 2 }));
assert.deepEqual(
  found.map((each) => each.ok),
  [true, true, true, true, false],
);
const last = found.at(-1);
assert.ok(last && !last.ok && last.code === "REFUSED" && last.data.at === 5);

// in a group, with an input that may be left out, and as functions
assert.equal((await walked(pages(api.of.items, { filter: 1, limit: 2 }))).length, 7);
assert.equal((await walked(pages(api.everything))).length, 7);
const client = createClient({ baseUrl });
const asked = (input: Parameters<typeof find>[1]): ReturnType<typeof find> => find(client, input);
assert.equal((await walked(pages(asked, {}))).length, 7);

// one page is asked for as ever, and the walk begins where it is told to
const first = await api.everything().unwrap();
assert.deepEqual(first.items, ["number 0", 1, "number 2"]);
assert.equal((await walked(pages(api.everything, { after: first.next }))).length, 4);

// who leaves the loop asks for no more
sent = [];
for await (const each of pages(api.everything)) if (each.ok && each.value === 1) break;
assert.equal(sent.length, 1);

// a signal ends the walk, as a result
const stopped = await walked(pages(api.everything, undefined, { signal: AbortSignal.abort() }));
assert.ok(stopped.length === 1 && !stopped[0]!.ok && stopped[0]!.code === "NETWORK_ERROR");

// each page is checked, and one that leads to itself ends the walk
const answers = (...texts: string[]): ApiClient =>
  new ApiClient({ baseUrl, fetch: async () => new Response(texts.shift(), { status: 200 }) });
const wrong = await walked(pages(answers('{"items":[1],"next":"k"}', '{"items":[null],"next":null}').everything));
assert.ok(!wrong[1]!.ok && wrong[1]!.code === "UNKNOWN_ERROR" && wrong[1]!.data.issues[0]!.path[0] === "items");
const again = '{"items":[1],"next":"k"}';
const endless = await walked(pages(answers(again, again, again).everything));
assert.equal(endless.length, 3);
assert.ok(!endless[2]!.ok && endless[2]!.code === "UNKNOWN_ERROR" && endless[2]!.data.issues[0]!.path[0] === "next");

export async function refused(): Promise<void> {
  // @ts-expect-error it is not a list
  pages(api.pages);
  // @ts-expect-error the filter is missing
  pages(api.of.items, {});
  // @ts-expect-error the filter is another
  pages(api.find, { filter: 3 });
  // @ts-expect-error an item is a result
  for await (const each of pages(api.everything)) void each.length;
  for await (const each of pages(api.find, { filter: {} })) {
    if (each.ok || each.code === "NOT_FOUND" || !each.declared) continue;
    const code: "REFUSED" = each.code;
    // @ts-expect-error it is not forgotten
    const nothing: never = each;
    void [code, nothing];
  }
}

console.log("pages");
