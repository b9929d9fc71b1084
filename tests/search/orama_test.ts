import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { searchNotes } from "../../src/search/search_notes.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { seeded, zipfPicker } from "./random.ts";
import { tempDir } from "../support/temp_store.ts";

function store(seed: number): SearchIndex {
  const random = seeded(seed);
  const word = zipfPicker(Array.from({ length: 300 }, (_, i) => `w${i}`), random);
  const index = openIndex(tempDir(), realFs, embedder.id);
  const put = Array.from(
    { length: 120 },
    (_, i) =>
      noteDocument(`s${seed}/n${i}.md`, Array.from({ length: 20 }, word).join(" "), {
        kind: random.pick(["knowledge", "todo", "session"]),
        tags: random.pick([["red"], ["green", "red"], []]),
        project: random.pick(["sage", undefined]),
      }),
  );
  index.apply({ put, remove: [] }, embedder);
  return index;
}

Deno.test("searchNotes() has the order and the numbers of the core", async () => {
  const index = store(1);
  for (const text of ["w1 w20", "w7", "w299 w3 w50", "unheard of"]) {
    for (const weights of [undefined, { embedding: 0, keyword: 1 }, { embedding: 1, keyword: 0 }]) {
      const direct = index.query(prepareQuery(text, embedder), { limit: 10, weights });
      const { hits } = await searchNotes([index], text, embedder, { limit: 10, weights });
      assert.deepEqual(hits.map(({ candidate }) => candidate), direct);
    }
  }
  index.close();
});

Deno.test("searchNotes() answers the same whether Orama stands between or not", async () => {
  const index = store(5);
  for (const text of ["w1 w20", "w7", "", "unheard of"]) {
    const plain = await searchNotes([index], text, embedder, { limit: 10 });
    const asked = await searchNotes([index], text, embedder, { limit: 10, after: "2000-01-01" });
    assert.deepEqual(asked.hits, plain.hits);
  }
  index.close();
});

Deno.test("searchNotes() merges stores by score and says where each hit is from", async () => {
  const indexes = [store(1), store(2)];
  const { hits } = await searchNotes(indexes, "w5 w9", embedder, { limit: 20 });
  assert.deepEqual(new Set(hits.map(({ index }) => index)), new Set([0, 1]));
  const scores = hits.map(({ candidate }) => candidate.combined);
  assert.deepEqual(scores, scores.toSorted((a, b) => b - a));
  for (const { candidate, index } of hits) {
    assert.ok(candidate.note.path.startsWith(`s${index + 1}/`));
  }
  for (const index of indexes) index.close();
});

Deno.test("searchNotes() filters", async () => {
  const index = store(3);
  const { hits } = await searchNotes([index], "w1 w2 w3", embedder, {
    limit: 5,
    tags: ["red"],
    project: "sage",
  });
  assert.equal(hits.length, 5);
  for (const { candidate: { note } } of hits) {
    assert.ok(note.tags.includes("red") && note.project === "sage");
  }
  index.close();
});

Deno.test("searchNotes() shows what `keep` lets through, and says when no vector took part", async () => {
  const index = store(4);
  const keep = ({ note }: { note: { kind: string } }): boolean => note.kind === "todo";
  const answer = await searchNotes([index], "w1", undefined, { limit: 3, keep });
  assert.ok(answer.hits.length > 0 && answer.lexicalOnly);
  assert.ok(answer.hits.every(({ candidate }) => candidate.note.kind === "todo"));
  index.close();
});
