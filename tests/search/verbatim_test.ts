import assert from "node:assert/strict";
import { spell } from "../../src/search/query/query.ts";
import { matchWords, queryWords, readWords } from "../../src/search/query/query_words.ts";
import { wordWeight } from "../../src/search/query/words.ts";
import { compareWording, isBeside, wordingOf } from "../../src/search/ranking/verbatim.ts";
import { seeded } from "./random.ts";

/** Every word of a query that is no stop word is worth as much as one that a single passage has. */
function board(text: string) {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return {
    weights: new Map(words.map((word) => [word, 2 * wordWeight(word)])),
    reach: 2 * words.length,
    mass: words.length,
  };
}

function compare(query: string, passage: string, isAsked = true, trigger = "") {
  const wording = wordingOf(query, words(query), board(query), isAsked);
  return compareWording(
    wording,
    [passage],
    matchWords(wording.query, readWords([passage]), [passage]),
    trigger,
  );
}

function words(text: string) {
  return queryWords({ text, terms: spell(text) });
}

Deno.test("compareWording() counts the query's words in a row, in any of their forms", () => {
  assert.equal(compare("rotate signing keys", "Keys are not what signing rotates.").run, 0);
  assert.equal(compare("rotate signing keys", "We rotated signing keys in May.").run, 1);
  assert.ok(Math.abs(compare("rotate signing keys", "The signing keys.").run - 2 / 3) < 1e-12);
});

Deno.test("compareWording() finds the heaviest row of all", () => {
  const random = seeded(8);
  const some = (count: number): string[] =>
    Array.from({ length: count }, () => random.pick(["port", "disk", "the", "wal", "of"]));
  for (let i = 0; i < 300; i++) {
    const [asked, passage] = [some(1 + random.below(9)), some(random.below(14))];
    let most = 0;
    for (let from = 0; from < asked.length; from++) {
      for (let to = from + 2; to <= asked.length; to++) {
        const run = asked.slice(from, to);
        const isThere = ` ${passage.join(" ")} `.includes(` ${run.join(" ")} `);
        const telling = new Set(run.filter((word) => word !== "the" && word !== "of"));
        if (isThere) most = Math.max(most, telling.size);
      }
    }
    const expected = Math.min(1, most / asked.length);
    const { run } = compare(asked.join(" "), passage.join(" "));
    assert.ok(Math.abs(run - expected) < 1e-12, `${asked.join(" ")} in ${passage.join(" ")}`);
  }
});

Deno.test("compareWording() is soon done with a word that is said over and over", () => {
  const text = Array(400).fill("null").join(" ");
  let asked = 0;
  const weights = new Map([["null", 2]]);
  const counting = { get: (word: string) => (asked++, weights.get(word)) };
  const known = { ...board(text), weights: counting as unknown as ReadonlyMap<string, number> };
  const wording = wordingOf(text, words(text), known, true);
  compareWording(wording, [text], matchWords(wording.query, readWords([text]), [text]));
  assert.ok(asked < 1000, `${asked} words were weighed`);
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
  for (const task of ["add getPickups to v4", "why not move to v4?", "could you add v4?"]) {
    assert.equal(compare(task, "Pickups in API v3", false).missing, 0, task);
  }
});

Deno.test("compareWording() misses the names of a prompt that asks what is", () => {
  const note = "We answer 410 for a deleted link.";
  for (
    const prompt of ["Why do we answer 302?", "warum antworten wir 302?", "where is v4 deployed?"]
  ) {
    assert.ok(compare(prompt, note, false).missing > 0, prompt);
  }
  const { named, missing } = compare("Why do we answer 410?", note, false);
  assert.deepEqual([named, missing], [0, 0]);
});

Deno.test("compareWording() stays in 0..1 for texts without words", () => {
  for (const query of ["", "!?", "日本", "   "]) {
    const { run, missing } = compare(query, "A passage, v3.");
    assert.ok(run === 0 && missing >= 0 && missing <= 1, query);
  }
});

Deno.test("isBeside() tells a passage that has nothing of what is asked for", () => {
  const beside = (query: string, passage: string, isAsked = true, synonym = "", trigger = "") => {
    const wording = wordingOf(query, words(query), board(query), isAsked);
    const matched = matchWords(wording.query, readWords([passage]), [passage]);
    const synonyms = synonym === "" ? [] : [{ asked: synonym, term: "x", share: 0.2 }];
    const found = spell(passage).map(({ term }) => term);
    const shares = found.includes("font") ? [{ term: "font", share: 0.2 }] : [];
    return isBeside(wording, [passage], matched, { shares, synonyms, trigger });
  };
  const note = "The tracking page is built with Astro.";
  const count = "how many fonts does the page have";
  assert.equal(beside(count, note), true);
  assert.equal(beside("how many pages are tracked", "Three pages are tracked."), false);
  assert.equal(beside(count, "One font, Inter."), false);
  assert.equal(beside(count, note, true, "fonts"), false);
  assert.equal(beside(count, note, true, "", "page fonts"), false);
  assert.equal(beside("what does the page cost", note), true);
  assert.equal(beside("what does the page cost", `${note} 40 € a month.`), false);
  assert.equal(beside("is the tracking page slow", note), false);
  const prompt = "count how many fonts the page has";
  assert.equal(beside(prompt, note, false), false);
});
