/** The walk's promise: the same answer as if every note were looked at. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { compareText } from "../../src/base/text/text.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { COMPETITION_MAX } from "../../src/search/ranking/score.ts";
import { openIndex, type QueryOptions, type SearchIndex } from "../../src/search/search_index.ts";
import { testEmbedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { type Random, seeded, zipfPicker } from "./random.ts";
import { depth } from "../support/depth.ts";
import { tempDir } from "../support/temp_store.ts";

function withIndex(
  embedder: Embedder,
  revisions: readonly (readonly NoteDocument[])[],
  body: (index: SearchIndex) => void,
): void {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  for (const put of revisions) index.apply({ put, remove: [] }, embedder);
  try {
    body(index);
  } finally {
    index.close();
    Deno.removeSync(dir, { recursive: true });
  }
}

/** To which all passages are alike, but for those that say `odd` or `half`. */
const blindEmbedder: Embedder = {
  ...testEmbedder,
  id: "blind",
  embedQuery: () => unit(1),
  embedDocuments: (texts) =>
    texts.map((text) => unit(text.includes("odd") ? 0.01 : text.includes("half") ? 0.6 : 1)),
};

/** With such a first component. */
function unit(first: number): Float32Array {
  const vector = new Float32Array(testEmbedder.dimensions);
  vector.set([first, Math.sqrt(1 - first * first)]);
  return vector;
}

Deno.test("query() finds the best by words where the model takes all passages for alike", () => {
  const notes = [
    noteDocument("found.md", "nadel odd"),
    ...Array.from({ length: 40 }, (_, i) => noteDocument(`n${i}.md`, `heuhaufen zahl${i}`)),
  ];
  withIndex(blindEmbedder, [notes], (index) => {
    const query = prepareQuery("heuhaufen nadel grashalm strohsack feldrain", blindEmbedder);
    const ask = (limit: number) => index.query(query, { limit, unasked: true });
    assert.equal(ask(100)[0]?.note.id, "found");
    assert.deepEqual(ask(1), ask(100).slice(0, 1));
  });
});

Deno.test("query() leaves meaning out unasked only where a good part of all passages is alike", () => {
  const cases: readonly (readonly [alike: number, others: number, text: string, isOut: boolean])[] =
    [
      [3, 0, "nadel", false],
      [4, 0, "nadel", true],
      [3, 5, "nadel", false],
      [5, 3, "nadel", true],
      [3, 17, "nadel", false],
      [5, 15, "nadel", true],
      [5, 15, "where is the nadel", false],
    ];
  for (const [alike, others, text, isOut] of cases) {
    const notes = Array.from(
      { length: alike + others },
      (_, i) => noteDocument(`n${i}.md`, i < alike ? "nadel" : "nadel half"),
    );
    withIndex(blindEmbedder, [notes], (index) => {
      const query = prepareQuery(text, blindEmbedder);
      const [unasked] = index.query(query, { limit: 1, unasked: true });
      assert.equal(unasked?.evidence.emb === undefined, isOut, `${alike}, ${others}: ${text}`);
      assert.equal(index.query(query, { limit: 1 })[0]?.evidence.emb, 1);
    });
  }
});

Deno.test("query() is unasked as sure of a note, however often others were changed", () => {
  const notes = Array.from({ length: 100 }, (_, i) => noteDocument(`n${i}.md`, `hay${i} needle`));
  const ask = (index: SearchIndex) =>
    index.query(prepareQuery("needle hay7"), { limit: 5, unasked: true });
  withIndex(testEmbedder, [notes, notes.slice(50, 80)], (grown) => {
    withIndex(testEmbedder, [notes], (built) => assert.deepEqual(ask(grown), ask(built)));
  });
});

Deno.test("query() counts as a rival what cannot be an answer itself", () => {
  const notes = [
    noteDocument("best.md", "candle, then barrel, then anchor"),
    noteDocument("rival.md", "candle, then barrel, then hammer"),
    ...Array.from({ length: 30 }, (_, i) => noteDocument(`n${i}.md`, `hay${i} and more`)),
  ];
  withIndex(testEmbedder, [notes], (index) => {
    const [best, ...others] = index.query(prepareQuery("anchor barrel candle"), {
      limit: 3,
      atLeast: 0.87,
      unasked: true,
    });
    assert.deepEqual([best?.note.id, others.length], ["best", 0]);
    assert.ok((best?.competing ?? Infinity) < COMPETITION_MAX);
  });
});

Deno.test("query() finds nothing where there is hardly any evidence", () => {
  const notes = Array.from({ length: 40 }, (_, i) => noteDocument(`n${i}.md`, "odd common words"));
  withIndex(blindEmbedder, [[...notes, noteDocument("one.md", "odd nadel")]], (index) => {
    const hits = index.query(prepareQuery("common nadel", blindEmbedder), { limit: 50 });
    assert.deepEqual(hits.map(({ note }) => note.id), ["one"]);
  });
});

Deno.test("query() finds what stands behind notes that are left out", () => {
  const words = Array.from({ length: 30 }, (_, i) => `word${i}`);
  // Each has one word less than the one before.
  const notes = words.map((_, i) => noteDocument(`n${i}.md`, words.slice(i).join(" ")));
  withIndex(testEmbedder, [notes], (index) => {
    const query = prepareQuery(words.join(" "));
    const all = index.query(query, { limit: 30 }).map(({ note }) => note.id);
    for (const left of [1, 9, 12, 29]) {
      const except = new Set(all.slice(0, left));
      const [first] = index.query(query, { limit: 1, except });
      assert.equal(first?.note.id, all[left], `${left} left out`);
    }
  });
});

Deno.test("query() finds the same best notes whether few are wanted or all are looked at", () => {
  const random = seeded(23);
  const word = zipfPicker(Array.from({ length: 300 }, (_, i) => `word${i}`), random);
  const text = (words: number): string => Array.from({ length: words }, word).join(" ");
  const some = (i: number): NoteDocument => {
    const parts = Array.from({ length: 1 + random.below(5) }, () => text(1 + random.below(30)));
    return noteDocument(`n${i}.md`, parts.join("\n\n"), {
      title: text(2),
      tags: random.next() < 0.3 ? ["red"] : [],
      project: random.next() < 0.5 ? "sage" : undefined,
      keywords: random.next() < 0.1 ? [text(1)] : [],
      kind: random.pick(["knowledge", "todo"]),
    });
  };
  const first = Array.from({ length: 300 }, (_, i) => some(i));
  const again = Array.from({ length: 20 }, () => some(random.below(310)));
  withIndex(testEmbedder, [first, again], (index) => {
    for (let i = 0; i < depth(60, 2000); i++) {
      const asked = text(1 + random.below(8));
      const query = prepareQuery(asked, random.next() < 0.8 ? testEmbedder : undefined);
      const options = someOptions(random);
      // By evidence of their own, and by path: notes with the same compete with others where more are wanted.
      const told = (limit: number) =>
        index.query(query, { ...options, limit }).map(({ note: { path }, sum }) => ({ path, sum }))
          .sort((a, b) => b.sum - a.sum || compareText(a.path, b.path)).slice(0, 10);
      assert.deepEqual(told(10), told(1000), `${asked}: ${JSON.stringify(options)}`);
      for (const { shares, evidence } of index.query(query, { ...options, limit: 10 })) {
        const shown = shares.reduce((sum, { share }) => sum + share, 0);
        assert.ok(Math.abs(shown - evidence.kw) < 1e-5, "what is shown is what counts");
      }
    }
  });
});

function someOptions(random: Random): Omit<QueryOptions, "limit"> {
  return {
    ...(random.next() < 0.2 ? { tags: ["red"] } : {}),
    ...(random.next() < 0.2 ? { project: "sage" } : {}),
    ...(random.next() < 0.2 ? { kinds: ["knowledge"] as const } : {}),
    ...(random.next() < 0.3 ? { unasked: true } : {}),
    ...(random.next() < 0.4
      ? { weights: { embedding: random.pick([0, 0.4, 1]), keyword: random.pick([0, 0.3, 0.8]) } }
      : {}),
  };
}
