/** What an opened segment takes. Apart, because what other tests gave back would hide a leak. */
import assert from "node:assert/strict";
import { loadCore } from "../../src/base/core.ts";
import { realFs } from "../../src/base/fs.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { seeded, zipfPicker } from "./random.ts";
import { tempDir } from "../support/temp_store.ts";

Deno.test("close() gives back all that an index took of the core's memory", () => {
  const dir = tempDir();
  const put = Array.from({ length: 300 }, (_, i) => noteDocument(`n${i}.md`, `word${i} common`));
  const use = (): number => {
    const index = openIndex(dir, realFs, embedder.id);
    index.apply({ put, remove: [] }, embedder);
    index.query(prepareQuery("common word7", embedder), { limit: 5 });
    index.close();
    return loadCore().mark();
  };
  use();
  const before = use();
  for (let i = 0; i < 5; i++) assert.equal(use(), before);
});

Deno.test("query() answers the same whatever is kept of earlier questions, and keeps the core's memory", () => {
  const dir = tempDir();
  const random = seeded(7);
  const word = zipfPicker(["retry", "retries", "retried", "login", "token", "sign", "in"], random);
  const some = (i: number) =>
    noteDocument(`n${i}.md`, Array.from({ length: 12 }, word).join(" ") + ` word${i}`);
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: Array.from({ length: 60 }, (_, i) => some(i)), remove: [] }, embedder);
  index.apply(
    { put: Array.from({ length: 9 }, (_, i) => some(7 * i)), remove: ["n3.md"] },
    embedder,
  );
  const questions = ["retrying tokens", "people sign in", "logn retried", "word7 retries"];
  const ask = (index: SearchIndex, text: string) =>
    index.query(prepareQuery(text, embedder, { guessesMax: 1, synonyms: true }), { limit: 20 });
  const fresh = questions.map((text) => {
    const other = openIndex(dir, realFs, embedder.id);
    const found = ask(other, text);
    other.close();
    return found;
  });
  assert.ok(fresh.every((found) => found.length > 0));
  for (let i = 0; i < 100; i++) {
    assert.deepEqual(questions.map((text) => ask(index, text)), fresh, `the ${i}th time`);
  }
  const before = loadCore().mark();
  for (const text of questions) ask(index, text);
  assert.equal(loadCore().mark(), before);
  index.close();
});

Deno.test("query() answers the same while the vectors pass by in pieces, and once they are kept", () => {
  const dir = tempDir();
  // 32 bytes each: more than pass by at once.
  const put = Array.from({ length: 9 }, (_, i) =>
    noteDocument(
      `n${i}.md`,
      Array.from({ length: 1000 }, (_, part) => `word${i} part${part}`).join("\n\n"),
    ));
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put, remove: [] }, embedder);
  const ask = () => index.query(prepareQuery("word8 part999", embedder), { limit: 9 });
  const first = ask();
  assert.equal(first[0]?.note.path, "n8.md");
  for (let i = 0; i < 5; i++) assert.deepEqual(ask(), first, `the ${i}th time`);
  index.close();
});
