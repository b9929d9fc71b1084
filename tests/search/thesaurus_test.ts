import assert from "node:assert/strict";
import { readAsset } from "../../src/base/assets.ts";
import { realFs } from "../../src/base/fs.ts";
import { equalBytes } from "../../src/base/hash.ts";
import { formulaOf } from "../../src/search/explain.ts";
import { prepareQuery } from "../../src/search/query.ts";
import { DEFAULT_WEIGHTS } from "../../src/search/score.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { Thesaurus } from "../../src/search/thesaurus.ts";
import { makeTable, parseGroups, readGroups } from "../../scripts/thesaurus.ts";
import { tempDir } from "../support/temp_store.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";

const folder = new URL("../../thesaurus/", import.meta.url).pathname;

function othersOf(lines: string, words: string): Record<string, string> {
  const [said] = new Thesaurus(makeTable(parseGroups(lines))).saidIn(words.split(" "));
  return Object.fromEntries((said?.others ?? []).map(({ word, standing }) => [word, standing]));
}

Deno.test("the table in the program is what its source says", async () => {
  assert.ok(equalBytes(readAsset("thesaurus.bin"), makeTable(await readGroups(folder))));
});

Deno.test("saidIn() knows which side of a group was asked", () => {
  const concrete = "database, db > postgres, mysql # no comment";
  assert.deepEqual(othersOf(concrete, "databases"), {
    db: "same",
    postgres: "narrower",
    mysql: "narrower",
  });
  assert.deepEqual(othersOf(concrete, "postgres"), { database: "broader", db: "broader" });
  assert.deepEqual(othersOf("lock, latch ~ race", "lock"), { race: "related" });
  assert.deepEqual(othersOf("a > b\nlonely", "lonely"), {});
});

Deno.test("saidIn() prefers the longest entry and the nearest standing", () => {
  const lines = "sign in, login\nsign, signature\nsign in ~ login, password";
  assert.deepEqual(othersOf(lines, "signing in"), { login: "same", password: "related" });
  assert.deepEqual(othersOf(lines, "sign here"), { signature: "same" });
});

Deno.test("Thesaurus() refuses a table that was cut", () => {
  const table = makeTable(parseGroups("a1, b1"));
  assert.throws(() => new Thesaurus(table.slice(0, 12)), /thesaurus is damaged/);
});

Deno.test("query() finds a note by other words, says by which, and can do without", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const notes = [
    noteDocument("a.md", "the login page remembers the address"),
    noteDocument("b.md", "pictures of the harbour at dusk"),
    noteDocument("c.md", "sign here and in the second field"),
  ];
  index.apply({ put: notes, remove: [] }, embedder);
  const ask = (synonyms: boolean) =>
    index.query(prepareQuery("where can I sign in", undefined, { synonyms }), { limit: 3 });
  const found = ask(true).find(({ note }) => note.id === "a");
  assert.ok(found !== undefined);
  assert.match(formulaOf(found, DEFAULT_WEIGHTS), /other words \(.*sign in → log\w*/);
  assert.equal(found.kw, 0, "a word that was not asked for is no keyword");
  assert.equal(ask(true)[0]?.note.id, "c", "the word itself is worth more");
  assert.deepEqual(ask(false).map(({ note }) => note.id), ["c"]);
  index.close();
});
