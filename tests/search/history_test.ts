/** R8: an index that grew through any history answers like one built at once. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { depth } from "../support/depth.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { type Random, seeded } from "./random.ts";
import { tempDir } from "../support/temp_store.ts";

const WORDS = `cache token deploy invoice worktree postgres retry queue schema index vector panel
  userName parse_note src/base/fs.ts 記憶 データベース naïve café Straße the a of 2026`.split(
  /\s+/,
);

Deno.test("a rebuilt index equals one that grew by any history", () => {
  for (let seed = 1; seed <= depth(200, 1000); seed++) {
    try {
      compareHistory(seeded(seed));
    } catch (cause) {
      throw new Error(`seed ${seed}`, { cause });
    }
  }
});

function compareHistory(random: Random): void {
  const dir = tempDir();
  const notes = new Map<string, NoteDocument>();
  let grown = openIndex(`${dir}/grown`, realFs, embedder.id);
  for (let step = 0; step < 2 + random.below(14); step++) {
    const put = new Map<string, NoteDocument>();
    const remove: string[] = [];
    for (let i = 0; i < random.below(4); i++) {
      const path = `knowledge/n${random.below(12)}.md`;
      const known = notes.get(path);
      const chance = random.next();
      if (chance < 0.3) remove.push(path);
      else if (known !== undefined && chance < 0.5) {
        put.set(path, { ...known, stamp: randomStamp(random) });
      } else put.set(path, randomNote(path, random));
    }
    for (const path of remove) put.delete(path);
    grown.apply({ put: [...put.values()], remove, erase: random.next() < 0.1 }, embedder);
    for (const path of remove) notes.delete(path);
    for (const [path, note] of put) notes.set(path, note);
    if (random.next() < 0.3) {
      grown.close();
      grown = openIndex(`${dir}/grown`, realFs, embedder.id);
    }
  }
  const built = openIndex(`${dir}/built`, realFs, embedder.id);
  built.apply({ put: [...notes.values()], remove: [] }, embedder);
  assert.deepEqual(answers(grown, random), answers(built, random));
  grown.close();
  built.close();
  Deno.removeSync(dir, { recursive: true });
}

let questions: string[] = [];

/** Everything an index can be asked. The two calls of one history ask the same. */
function answers(index: SearchIndex, random: Random): unknown {
  if (questions.length === 0) {
    questions = Array.from({ length: 3 }, () => words(random, 1 + random.below(4)));
  }
  const asked = questions.map((text) => {
    const query = { ...prepareQuery(text, embedder), patterns: new Set(["foo\\d"]) };
    return [
      index.query(query, { limit: 50 }),
      index.query(query, { limit: 3, kinds: ["todo"] }),
      index.query(query, { limit: 2, tags: ["red"] }),
      index.query(query, { limit: 4, project: "sage", after: "2026-01-05" }),
    ];
  });
  if (++calls % 2 === 0) questions = [];
  const stamps = index.stamps();
  const unchanged = index.notes().map(({ path, stamp }) => [path, stamps.isUnchanged(path, stamp)]);
  return {
    asked,
    notes: index.notes(),
    paths: [...stamps.keys()].sort(),
    unchanged,
    patterns: index.patterns().sort(),
  };
}
let calls = 0;

function randomNote(path: string, random: Random): NoteDocument {
  const text = Array.from({ length: random.below(5) }, () => words(random, 1 + random.below(30)));
  return noteDocument(path, text.join("\n\n"), {
    kind: random.pick(["knowledge", "todo", "checkpoint"]),
    title: words(random, 2),
    tags: random.next() < 0.4 ? ["red"] : ["green", "blue"],
    keywords: random.next() < 0.3 ? [random.pick(WORDS)] : [],
    patterns: random.next() < 0.2 ? ["foo\\d"] : [],
    project: random.next() < 0.4 ? "sage" : undefined,
    updated: `2026-01-0${1 + random.below(9)}T00:00:00Z`,
    supersedes: random.next() < 0.2 ? [`n${random.below(12)}`] : [],
    stamp: randomStamp(random),
    contentHash: `${random.next()}`,
    ...(text.length === 0 ? { chunks: [] } : {}),
  });
}

function randomStamp(random: Random): NoteDocument["stamp"] {
  return {
    size: random.below(1e6),
    mtimeMs: random.below(2 ** 41) + 0.5,
    ctimeMs: 7,
    inode: random.below(2 ** 50),
    racy: random.next() < 0.5,
  };
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(WORDS)).join(" ");
}

Deno.test("a delta becomes part of the main segment when deltas have grown", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const segments = (): number =>
    [...Deno.readDirSync(dir)].filter(({ name }) => name.endsWith(".segment")).length;
  for (let i = 0; i < 9; i++) {
    index.apply({ put: [noteDocument(`n${i}.md`, `word${i}`)], remove: [] }, embedder);
    assert.equal(segments(), i + 1);
  }
  // Nine deltas become one beside the main segment; what they were is swept later.
  index.apply({ put: [noteDocument("n9.md", "word9")], remove: [] }, embedder);
  assert.equal(segments(), 10);
  index.apply({ put: [], remove: ["n0.md"], erase: true }, embedder);
  assert.equal(segments(), 1);
  assert.equal(index.notes().length, 9);
  index.close();
});

Deno.test("a file that is as it was under another stamp is not indexed anew", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const files = (): number => [...Deno.readDirSync(dir)].length;
  const notes = Array.from({ length: 300 }, (_, i) => noteDocument(`n${i}.md`, `word${i}`));
  const touched = (from: number, to: number): NoteDocument[] =>
    notes.slice(from, to).map((note) => ({ ...note, stamp: { ...note.stamp, mtimeMs: 77 } }));
  index.apply({ put: notes, remove: [] }, embedder);
  const before = files();
  index.apply({ put: touched(0, 3), remove: [] }, embedder);
  assert.equal(files(), before);
  const other = openIndex(dir, realFs, embedder.id);
  for (const { path, stamp } of touched(0, 3)) assert(other.stamps().isUnchanged(path, stamp));
  assert.equal(other.notes()[0]?.stamp.mtimeMs, 77);
  other.close();
  // Of as many as this there is no list.
  index.apply({ put: touched(0, 300), remove: [] }, embedder);
  assert(files() > before);
  for (const { path, stamp } of touched(0, 300)) assert(index.stamps().isUnchanged(path, stamp));
  assert.equal(index.notes().length, 300);
  index.close();
});

Deno.test("a store too large for one segment is kept in several, and answers the same", () => {
  const chunk = { heading: "", text: "filler" };
  const huge = Array.from({ length: 3 }, (_, i) =>
    noteDocument(`huge${i}.md`, "", {
      title: `huge ${i}`,
      chunks: Array.from({ length: 30_000 }, (_, c) =>
        c === 7 ? { ...chunk, text: `odd${i}` } : chunk),
    }));
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: huge, remove: [] }, embedder);
  const files = [...Deno.readDirSync(dir)].filter(({ name }) => name.endsWith(".segment"));
  assert.equal(files.length, 2);
  index.apply({ put: [noteDocument("small.md", "odd9")], remove: [] }, embedder);
  for (const [text, path] of [["odd0", "huge0.md"], ["odd2", "huge2.md"], ["odd9", "small.md"]]) {
    const [hit] = index.query(prepareQuery(text ?? "", embedder), { limit: 1 });
    assert.equal(hit?.note.path, path);
  }
  index.close();
  Deno.removeSync(dir, { recursive: true });
});
