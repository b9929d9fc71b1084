/** One question in several wordings: which count, and how what they find becomes one number. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { tempDir } from "../support/temp_store.ts";
import { formulaOf } from "../../src/search/ranking/explain.ts";
import { phrasingsOf } from "../../src/search/query/phrasings.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { DEFAULT_WEIGHTS } from "../../src/search/ranking/score.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";

const notes = [
  noteDocument("pool.md", "pgbouncer keeps at most forty connections to postgres for each service"),
  noteDocument("beds.md", "the hotel has forty beds, and each guest keeps one key"),
  noteDocument("old.md", "pgbouncer kept ten connections to postgres"),
  noteDocument("new.md", "we moved off the pooler entirely", { supersedes: ["old"] }),
  ...Array.from(
    { length: 20 },
    (_, i) =>
      noteDocument(`filler/f${i}.md`, `nothing of interest number${i} stands in these lines`),
  ),
];

function withIndex(body: (index: SearchIndex) => void): void {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: notes, remove: [] }, embedder);
  try {
    body(index);
  } finally {
    index.close();
    Deno.removeSync(dir, { recursive: true });
  }
}

function ask(index: SearchIndex, ...texts: readonly string[]) {
  const [query = prepareQuery(""), ...also] = texts.map((text) => prepareQuery(text, embedder));
  return index.query(query, { limit: 10, also });
}

Deno.test("phrasingsOf() leaves out what is empty or said already, and cuts what is huge", () => {
  const said = phrasingsOf("db links", ["  ", "DB links!", "pool size", "Pool  size"]);
  assert.deepEqual(said, ["db links", "pool size"]);
  assert.deepEqual(phrasingsOf("", ["pool size"]), ["pool size"]);
  assert.deepEqual(phrasingsOf("", []), [""]);
  assert.deepEqual(phrasingsOf("?", ["?", "!"]), ["?", "!"]);
  const [, huge = ""] = phrasingsOf("x", ["y".repeat(1e6)]);
  assert.equal(huge.length, 4000);
});

Deno.test("phrasingsOf() refuses more than it takes", () => {
  const many = Array.from({ length: 50 }, (_, i) => `wording ${i}`);
  assert.throws(() => phrasingsOf("x", many), { code: "usage" });
});

Deno.test("query() finds by another phrasing what the question misses, and says by which", () =>
  withIndex((index) => {
    const question = "how many links to the database may one backend hold";
    const alone = ask(index, question).find(({ note }) => note.id === "pool");
    const [first] = ask(index, question, "pgbouncer connections to postgres per service");
    assert.equal(first?.note.id, "pool");
    assert.equal(first.phrasing, 1);
    assert.ok(first.combined > (alone?.combined ?? 0));
  }));

Deno.test("query() takes the mean of what the phrasings say: a wrong one takes certainty, and wins nothing", () =>
  withIndex((index) => {
    const right = "pgbouncer connections to postgres per service";
    const [sure] = ask(index, right);
    const hits = ask(index, right, "hotel beds and keys of guests");
    assert.ok(sure !== undefined && sure.note.id === "pool");
    for (const { combined } of hits) assert.ok(combined < sure.combined);
    const sums = ["pool", "beds"].map((id) => hits.find(({ note }) => note.id === id)?.sum ?? 0);
    const [own] = ask(index, "hotel beds and keys of guests");
    assert.ok((sums[1] ?? 0) < (own?.sum ?? 0) && (sums[0] ?? 0) < sure.sum);
  }));

Deno.test("query() with a question twice is the question", () =>
  withIndex((index) => {
    const text = "postgres connections of a service";
    const once = ask(index, text).map(({ note, combined }) => [note.id, combined.toFixed(9)]);
    const twice = ask(index, text, text).map(({ note, combined }) => [
      note.id,
      combined.toFixed(9),
    ]);
    assert.deepEqual(twice, once);
  }));

Deno.test("the formula is the mean of all phrasings, to be done by hand", () =>
  withIndex((index) => {
    const texts = ["how many links to the database", "pgbouncer connections to postgres", "beds"];
    for (const candidate of ask(index, ...texts)) {
      const formula = formulaOf(candidate, DEFAULT_WEIGHTS);
      const [, inner = "", score = ""] =
        /^mean of 3 phrasings: logistic\(([^)]*)\) = ([\d.]+)$/.exec(formula) ?? [];
      const sum = inner.replaceAll("−", "-").match(/(?:^|[-+] ?)-?[\d.]+/g)
        ?.reduce((all, part) => all + Number(part.replaceAll(" ", "")), 0) ?? NaN;
      assert.ok(Math.abs(1 / (1 + Math.exp(-sum)) - Number(score)) < 0.02, formula);
    }
  }));

Deno.test("query() hands on what a replaced note says, by any phrasing", () =>
  withIndex((index) => {
    const ids = ask(index, "database links", "pgbouncer connections to postgres")
      .map(({ note }) => note.id);
    assert.ok(ids.includes("new"), ids.join());
  }));
