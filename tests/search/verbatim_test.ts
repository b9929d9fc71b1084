import assert from "node:assert/strict";
import { spell } from "../../src/search/query.ts";
import { readWords, wordsIn, wordsOf } from "../../src/search/query_words.ts";
import { compareWording, wordingOf } from "../../src/search/verbatim.ts";

/** Every word of a query is worth as much as one that a single passage has. */
function board(text: string) {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return {
    weights: new Map(words.map((word) => [word, 2])),
    reach: 2 * words.length,
    mass: words.length,
  };
}

function compare(query: string, passage: string, isAsked = true, trigger = "") {
  const wording = wordingOf(query, words(query), board(query), isAsked);
  return compareWording(
    wording,
    [passage],
    wordsIn(wording.query, readWords([passage]), [passage]),
    trigger,
  );
}

function words(text: string) {
  return wordsOf({ text, terms: spell(text) });
}

Deno.test("compareWording() counts the query's words in a row, in any of their forms", () => {
  assert.equal(compare("rotate signing keys", "Keys are not what signing rotates.").run, 0);
  assert.equal(compare("rotate signing keys", "We rotated signing keys in May.").run, 1);
  assert.ok(Math.abs(compare("rotate signing keys", "The signing keys.").run - 2 / 3) < 1e-12);
});

Deno.test("compareWording() takes no row of words that say nothing", () => {
  assert.equal(compare("what is the port", "So what is the plan").run, 0);
});

Deno.test("compareWording() misses identifiers and numbers of a question, and no other words", () => {
  assert.ok(compare("pagination in api v4", "Pagination in API v3").missing > 0);
  assert.equal(compare("pagination in api v3", "Pagination in API v3").missing, 0);
  assert.equal(compare("cursor pagination", "Pagination by pages").missing, 0);
  assert.ok(compare("value of TURBO_CONCURRENCY", "TURBO_API and TURBO_TEAM").missing > 0);
  assert.equal(compare("what is cache/warm.ts", "See `src/cache/warm.ts`.").missing, 0);
});

Deno.test("compareWording() counts the names that are there, in the passage or in the trigger", () => {
  const there = compare("what is E4711 in v3", "E4711 means a full disk.");
  assert.ok(there.named > 0 && there.named < 1 && there.missing > 0);
  assert.ok(Math.abs(there.named + there.missing - 2 / 5) < 1e-12);
  assert.equal(compare("what is a full disk", "E4711 means a full disk.").named, 0);
  assert.equal(compare("what is E4711", "A full disk.", true, "e4711").missing, 0);
});

Deno.test("compareWording() misses nothing in what nobody asked", () => {
  assert.equal(compare("add getPickups to v4", "Pickups in API v3", false).missing, 0);
});

Deno.test("compareWording() stays in 0..1 for texts without words", () => {
  for (const query of ["", "!?", "日本", "   "]) {
    const { run, missing } = compare(query, "A passage, v3.");
    assert.ok(run === 0 && missing >= 0 && missing <= 1, query);
  }
});
