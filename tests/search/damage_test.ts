/** R8: whatever happens to its files, an index opens, answers, and is repaired by the next scan. */
import assert from "node:assert/strict";
import { POSTINGS } from "../../src/base/core.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { HEADER_BYTES, readHeader } from "../../src/search/segment/format.ts";
import { prepareQuery, spell } from "../../src/search/query/query.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { depth } from "../support/depth.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { type Random, seeded } from "./random.ts";
import { tempDir } from "../support/temp_store.ts";

const NOTES = Array.from(
  { length: 30 },
  (_, i) =>
    noteDocument(`n${i}.md`, `alpha beta${i % 7} gamma${i}\n\ndelta beta${i % 5} epsilon`, {
      keywords: [`key${i}`],
      patterns: [`p${i}\\d`],
      supersedes: i === 3 ? ["n4"] : [],
      tags: ["red"],
      contradicts: i === 5 ? ["n6"] : undefined,
      relations: { aliases: [`alias${i}`], links: [[`n${i + 1}`, "follows"]], fields: [] },
    }),
);

Deno.test("a mutated file costs at most its index, never an error", () => {
  const pristine = freshIndex();
  for (let seed = 1; seed <= depth(100, 1000); seed++) {
    const random = seeded(seed);
    const dir = tempDir();
    for (const { name } of Deno.readDirSync(pristine)) {
      Deno.copyFileSync(`${pristine}/${name}`, `${dir}/${name}`);
    }
    const what = mutate(dir, random);
    try {
      const index = openIndex(dir, realFs, embedder.id);
      askAll(index);
      repair(index);
      assert.deepEqual([...index.stamps().keys()].sort(), NOTES.map(({ path }) => path).sort());
      askAll(index);
      index.close();
    } catch (cause) {
      throw new Error(`seed ${seed}: ${what}`, { cause });
    }
    Deno.removeSync(dir, { recursive: true });
  }
});

Deno.test("openIndex() begins empty when a header or the manifest is damaged in any byte", () => {
  const dir = freshIndex();
  const names = [...Deno.readDirSync(dir)].map(({ name }) => name);
  for (const name of names) {
    const bytes = Deno.readFileSync(`${dir}/${name}`);
    const length = name === "manifest" ? bytes.length : HEADER_BYTES;
    for (let at = 0; at < length; at += name === "manifest" ? 7 : 3) {
      const changed = bytes.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      Deno.writeFileSync(`${dir}/${name}`, changed);
      const index = openIndex(dir, realFs, embedder.id);
      assert.deepEqual([index.rebuilt, index.revision, index.notes().length], [true, 0, 0]);
      index.close();
    }
    Deno.writeFileSync(`${dir}/${name}`, bytes);
  }
  const index = openIndex(dir, realFs, embedder.id);
  assert.equal(index.rebuilt, false);
  index.close();
});

for (const kind of ["folder", "full folder", "dangling link", "file that may not be read"]) {
  Deno.test(`a ${kind} in the manifest's place costs the index, and the next scan mends it`, () => {
    const dir = freshIndex();
    const manifest = `${dir}/manifest`;
    if (kind !== "file that may not be read") Deno.removeSync(manifest);
    if (kind.endsWith("folder")) Deno.mkdirSync(manifest);
    if (kind === "full folder") Deno.writeTextFileSync(`${manifest}/mine.txt`, "mine");
    if (kind === "dangling link") Deno.symlinkSync("/nowhere/at/all", manifest);
    const { inode } = realFs.lstat(manifest) ?? {};
    const fs: Fs = {
      ...realFs,
      open(path, how) {
        if (path === manifest && realFs.lstat(path)?.inode === inode) {
          throw Object.assign(new Error("denied"), { code: "EACCES" });
        }
        return realFs.open(path, how);
      },
    };
    const index = openIndex(dir, fs, embedder.id);
    assert.deepEqual([index.rebuilt, index.notes().length], [true, 0]);
    repair(index);
    index.close();
    const again = openIndex(dir, realFs, embedder.id);
    assert.deepEqual([again.rebuilt, again.notes().length], [false, NOTES.length]);
    again.close();
    const aside = [...Deno.readDirSync(dir)].filter(({ name }) => name.endsWith(".aside"));
    assert.equal(aside.length, kind.endsWith("folder") ? 1 : 0, "what somebody put there stays");
  });
}

Deno.test("query() counts nothing by lists that no list can be, and has the index derived anew", () => {
  const damages: Readonly<Record<string, (postings: DataView) => void>> = {
    "documents that are not there": (postings) => {
      const at = postings.getUint32(POSTINGS.documentsAt, true);
      for (let i = 0; i < postings.getUint32(POSTINGS.postings, true); i++) {
        postings.setUint32(at + i * 4, 0x00ffffff, true);
      }
    },
    "lists behind the end": (postings) => {
      const at = postings.getUint32(POSTINGS.slotsAt, true);
      for (let i = 0; i < postings.getUint32(POSTINGS.slots, true); i++) {
        postings.setUint32(at + i * POSTINGS.slotBytes + POSTINGS.slotStart, 0x7fffffff, true);
      }
    },
    "lists without an end": (postings) => {
      const at = postings.getUint32(POSTINGS.slotsAt, true);
      for (let i = 0; i < postings.getUint32(POSTINGS.slots, true); i++) {
        postings.setUint32(at + i * POSTINGS.slotBytes + POSTINGS.slotDf, 0x7fffffff, true);
      }
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    const dir = freshIndex();
    damagePostings(dir, damage);
    const index = openIndex(dir, realFs, embedder.id);
    assert.deepEqual(index.query(prepareQuery("alpha gamma7"), { limit: 5 }), [], what);
    assert.deepEqual([index.rebuilt, index.revision], [true, 0], what);
    index.close();
  }
});

Deno.test("query() counts nothing by such a list where all of them are in memory", () => {
  const dir = freshIndex();
  const [term] = spell("gamma7");
  damagePostings(dir, (postings) => {
    const field = (at: number): number => postings.getUint32(at, true);
    for (let i = 0; i < field(POSTINGS.slots); i++) {
      const slot = field(POSTINGS.slotsAt) + i * POSTINGS.slotBytes;
      if (field(slot + POSTINGS.slotHashLow) !== term?.low) continue;
      const list = field(POSTINGS.documentsAt) + field(slot + POSTINGS.slotStart) * 4;
      postings.setUint32(list, 0x00ffffff, true);
    }
  });
  const index = openIndex(dir, realFs, embedder.id);
  for (let i = 0; i < 300; i++) {
    assert.notEqual(index.query(prepareQuery("beta3"), { limit: 5 }).length, 0);
  }
  assert.deepEqual(index.query(prepareQuery("gamma7"), { limit: 5 }), []);
  assert.deepEqual([index.rebuilt, index.revision], [true, 0]);
  index.close();
});

function damagePostings(dir: string, damage: (postings: DataView) => void): void {
  for (const { name } of Deno.readDirSync(dir)) {
    if (name === "manifest") continue;
    const bytes = Deno.readFileSync(`${dir}/${name}`);
    const header = readHeader(bytes.subarray(0, HEADER_BYTES), bytes.length);
    damage(new DataView(bytes.buffer, bytes.byteOffset + (header?.sections.postings.at ?? 0)));
    Deno.writeFileSync(`${dir}/${name}`, bytes);
  }
}

Deno.test("openIndex() begins empty when another model's vectors are there", () => {
  const index = openIndex(freshIndex(), realFs, "another model");
  assert.deepEqual([index.rebuilt, index.notes().length], [true, 0]);
});

Deno.test("openIndex() begins empty and creates nothing when there is no folder", () => {
  const dir = `${tempDir()}/none/yet`;
  const index = openIndex(dir, realFs, embedder.id);
  assert.deepEqual([index.rebuilt, index.query(prepareQuery("x", embedder), { limit: 1 })], [
    true,
    [],
  ]);
  assert.equal(realFs.lstat(dir), undefined);
});

Deno.test("readHeader() refuses a header of another length, version or file", () => {
  const dir = freshIndex();
  const name = [...Deno.readDirSync(dir)].find((entry) => entry.name.endsWith(".segment"))?.name;
  const bytes = Deno.readFileSync(`${dir}/${name}`);
  const header = bytes.subarray(0, HEADER_BYTES);
  assert.ok(readHeader(header, bytes.length));
  assert.equal(readHeader(header, bytes.length + 1), undefined);
  assert.equal(readHeader(header.subarray(1), bytes.length), undefined);
});

function freshIndex(): string {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: NOTES.slice(0, 25), remove: [] }, embedder);
  index.apply({ put: NOTES.slice(20), remove: [] }, embedder);
  index.close();
  return dir;
}

function askAll(index: SearchIndex): void {
  const query = prepareQuery("alpha beta3 gamma7 key9 epsilon", embedder);
  index.query({ ...query, patterns: new Set(["p3\\d"]) }, { limit: 40 });
  index.query(query, { limit: 5, tags: ["red"], after: "2025-01-01", kinds: ["knowledge"] });
  const other = prepareQuery("beginning of gamma8", undefined, { synonyms: true });
  index.query(other, { limit: 5, unasked: true, atLeast: 0.5, also: [query] });
  index.contradictions();
  index.relations();
  index.holding(["alpha", "delta beta3"]);
  index.hasTogether(["alpha", "beta3"]);
  index.patterns();
  index.notes();
  index.stamps();
}

/** What a scan of the store would do. */
function repair(index: SearchIndex): void {
  const wanted = new Map<string, NoteDocument>(NOTES.map((note) => [note.path, note]));
  const there = index.stamps();
  const remove = [...there.keys()].filter((path) => !wanted.has(path));
  const put = NOTES.filter(({ path }) => !there.has(path));
  index.apply({ put, remove }, embedder);
}

function mutate(dir: string, random: Random): string {
  const names = [...Deno.readDirSync(dir)].map(({ name }) => name).sort();
  const name = random.pick(names);
  const bytes = Deno.readFileSync(`${dir}/${name}`);
  const at = random.below(bytes.length);
  const kind = random.below(7);
  const write = (changed: Uint8Array): void => Deno.writeFileSync(`${dir}/${name}`, changed);
  if (kind <= 2) {
    for (let i = 0; i <= kind * 10; i++) {
      const place = random.below(bytes.length);
      bytes[place] = (bytes[place] ?? 0) ^ (1 << random.below(8));
    }
    write(bytes);
  } else if (kind === 3) write(bytes.slice(0, at));
  else if (kind === 4) write(bytes.fill(random.below(256), at, at + random.below(4096)));
  else if (kind === 5) write(new TextEncoder().encode("# Some note\n".repeat(random.below(400))));
  else Deno.removeSync(`${dir}/${name}`);
  return `${name}, kind ${kind}, at ${at} of ${bytes.length}`;
}
