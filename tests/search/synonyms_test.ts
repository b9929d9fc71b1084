/** What words that stand for the query's are worth, against the sum done by hand. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { idf } from "../../src/search/segment/postings.ts";
import type { Expansion, SynonymRelation } from "../../src/search/query/thesaurus.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { tempDir } from "../support/temp_store.ts";

const NOTES = {
  one: "aa portal bb",
  forms: "aa portals bb",
  both: "eingang portal bb",
  two: "gate keeper bb",
  half: "gate bb cc",
  rare: "unicum bb cc",
};
const CHUNKS = 26;

/** Of each note that is found, what other words say there, as a share of the query's words. */
function othersIn(text: string, expansions: readonly Expansion[]): Record<string, number> {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const notes = Object.entries(NOTES).map(([id, text]) => noteDocument(`${id}.md`, text));
  const common = Array.from({ length: 20 }, (_, i) => noteDocument(`c${i}.md`, "common bb cc"));
  index.apply({ put: [...notes, ...common], remove: [] }, embedder);
  const query = { ...prepareQuery(text), expansions: () => expansions };
  const hits = index.query(query, { limit: 40 });
  index.close();
  for (const { evidence, synonyms } of hits) {
    const shown = synonyms.reduce((sum, { share }) => sum + share, 0);
    assert.ok(Math.abs(shown - evidence.synonyms) < 1e-6, "what is shown is what counts");
  }
  return Object.fromEntries(hits.map(({ note, evidence }) => [note.id, evidence.synonyms]));
}

function says(words: string, other: string, relation: SynonymRelation = "same"): Expansion {
  return { words: words.split(" "), synonyms: [{ word: other, relation }] };
}

function near(value: number | undefined, expected: number): void {
  assert.ok(Math.abs((value ?? 0) - expected) < 1e-6, `${value} for ${expected}`);
}

const unknown = 0.7 * idf(1, CHUNKS);

Deno.test("another form of a word that stands for one is worth less, and a distant word half", () => {
  const { one, forms } = othersIn("zugang", [says("zugang", "portal")]);
  near(one, Math.min(1, idf(2, CHUNKS) / unknown));
  near(forms, 0.6 * Math.min(1, idf(1, CHUNKS) / unknown));
  near(othersIn("zugang", [says("zugang", "unicum", "related")]).rare, 0.5);
});

Deno.test("a word that stands for one is worth no more than that, and no more than it is itself", () => {
  const [weak, strong] = [idf(20, CHUNKS), idf(1, CHUNKS)];
  near(othersIn("common zugang", [says("common", "unicum")]).rare, weak / (weak + unknown));
  near(othersIn("unicum zugang", [says("unicum", "common")]).c3, weak / (strong + unknown));
});

Deno.test("what the asked word says in a passage is not said again by another", () => {
  const { both, one } = othersIn("eingang", [says("eingang", "portal")]);
  near(both, 0);
  assert.ok((one ?? 0) > 0);
  const said = [says("eingang", "portal"), says("zugang", "keeper")];
  near(othersIn("eingang zugang", said).two, unknown / (unknown + idf(1, CHUNKS)));
});

Deno.test("a word that is asked twice is stood for once", () => {
  const once = othersIn("zugang common", [says("zugang", "portal")]);
  const twice = othersIn("zugang common", [says("zugang", "portal"), says("zugang", "portal")]);
  assert.deepEqual(twice, once);
});

Deno.test("of several words that stand for one all have to be there", () => {
  const { two, half } = othersIn("zugang", [says("zugang", "gate keeper")]);
  near(two, 1);
  assert.equal(half, undefined);
});
