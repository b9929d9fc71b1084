/** The second look: what is a rival of what, and what comes first of equals. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex, type QueryOptions } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { tempDir } from "../support/temp_store.ts";

function ask(notes: readonly NoteDocument[], text: string, options: Partial<QueryOptions> = {}) {
  const filler = Array.from(
    { length: 20 },
    (_, i) => noteDocument(`f${i}.md`, `filler number${i}`),
  );
  const index = openIndex(tempDir(), realFs, embedder.id);
  index.apply({ put: [...notes, ...filler], remove: [] }, embedder);
  const hits = index.query(prepareQuery(text), { limit: 10, ...options });
  index.close();
  return hits;
}

Deno.test("query() shows equals by path", () => {
  const notes = ["c", "a", "b"].map((name) =>
    noteDocument(`${name}.md`, "the needle", { title: "x" })
  );
  assert.deepEqual(ask(notes, "needle").map(({ note }) => note.path), ["a.md", "b.md", "c.md"]);
});

Deno.test("query() leaves out what has too little evidence of its own, however it stands out", () => {
  const notes = [noteDocument("a.md", "needle and thread")];
  const [hit] = ask(notes, "needle");
  assert.ok(hit !== undefined && hit.combined > 0.5);
  assert.equal(ask(notes, "needle", { sumMin: hit.sum - 0.01 }).length, 1);
  assert.equal(ask(notes, "needle", { sumMin: hit.sum + 0.01 }).length, 0);
});

Deno.test("query() takes a session's note and what was saved in that session for no rivals", () => {
  const text = "the needle lies in the blue box of the old harbour";
  const session = (more: Partial<NoteDocument>) =>
    noteDocument("s.md", text, {
      kind: "session",
      title: "Harbour",
      created: "2026-01-05T10:00:00Z",
      updated: "2026-01-05T12:00:00Z",
      ...more,
    });
  const saved = (created: string, more: Partial<NoteDocument> = {}) =>
    noteDocument("c.md", text, { kind: "checkpoint", title: "Boxes", created, ...more });
  const [during, later] = ["2026-01-05T11:00:00Z", "2026-01-09T11:00:00Z"];
  const isHeldBack = (notes: readonly NoteDocument[]): boolean =>
    [true, false].some((unasked) =>
      ask(notes, "needle of the blue box", { unasked }).some(({ competing }) => competing < 0.5)
    );
  assert.equal(isHeldBack([session({}), saved(during)]), false);
  assert.equal(isHeldBack([session({}), saved(later)]), true);
  assert.equal(isHeldBack([session({}), saved("2026-01-05T10:00:00Z")]), false);
  const named = { session: "abc" };
  assert.equal(isHeldBack([session(named), saved(later, named)]), false);
  assert.equal(isHeldBack([session(named), saved(later, { session: "def" })]), true);
  const again = (more: Partial<NoteDocument>): NoteDocument => ({
    ...saved(later, more),
    id: "d",
    path: "d.md",
  });
  assert.equal(isHeldBack([saved(during, named), again(named)]), false);
  assert.equal(isHeldBack([saved(during, named), again({ session: "def" })]), true);
});

Deno.test("query() scores a note the same whether it names the one it replaces by id or by link", () => {
  const scores = (said: string, unasked: boolean) => {
    const notes = [
      noteDocument("Rate limit.md", "the limit is ten requests a second", { id: "rate-limit" }),
      noteDocument("next.md", "five requests now", { supersedes: [said] }),
    ];
    return ask(notes, "what limit of requests a second", { unasked })
      .map(({ note, sum, competing, combined }) => [note.id, sum, competing, combined]);
  };
  for (const unasked of [true, false]) {
    assert.deepEqual(scores("[[Rate limit]]", unasked), scores("rate-limit", unasked));
  }
});
