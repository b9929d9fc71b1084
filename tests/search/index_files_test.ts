/** What an index leaves on disk, what it reads of it, and what two writers do to each other. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { depth } from "../support/depth.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { seeded, zipfPicker } from "./random.ts";
import { CrashFs } from "../support/crash_fs.ts";
import { age, tempDir } from "../support/temp_store.ts";
import { run, WAIT_MS_MAX } from "../support/within.ts";

Deno.test("apply() with erase leaves no byte of a removed note in any file", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const secret = noteDocument("knowledge/secret-canary.md", "the canary7261 sings", {
    keywords: ["canary7261"],
    project: "canary7261",
  });
  index.apply({ put: [noteDocument("knowledge/a.md", "plain")], remove: [] }, embedder);
  index.apply({ put: [secret], remove: [] }, embedder);
  index.apply({ put: [noteDocument(secret.path, "harmless now")], remove: [] }, embedder);
  assert.notEqual(filesWith(dir, "canary7261").length, 0);
  index.apply({ put: [], remove: [secret.path], erase: true }, embedder);
  assert.deepEqual(filesWith(dir, "canary"), []);
  assert.deepEqual(index.notes().map(({ path }) => path), ["knowledge/a.md"]);
  // Removed before, it is in the index no more, and its words are.
  index.apply({ put: [secret], remove: [] }, embedder);
  index.apply({ put: [], remove: [secret.path] }, embedder);
  assert.notEqual(filesWith(dir, "canary7261").length, 0);
  index.apply({ put: [], remove: [secret.path], erase: true }, embedder);
  assert.deepEqual(filesWith(dir, "canary"), []);
  index.close();
});

Deno.test("apply() sweeps what a crashed writer left, once nobody can be writing it", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const [old, young] = ["0123456789abcdef.segment", "fedcba9876543210.segment"];
  for (const name of [old, young]) Deno.writeTextFileSync(`${dir}/${name}`, "left");
  age(`${dir}/${old}`, 3_600_000);
  index.apply({ put: [noteDocument("a.md", "one")], remove: [] }, embedder);
  assert.deepEqual(filesWith(dir, "left"), [young]);
  index.close();
});

Deno.test("apply() leaves a hundred files of a hundred saves for moments only, of a few for minutes", () => {
  for (const [earlier, left] of [[60, 60], [100, 0]] as const) {
    const dir = tempDir();
    const index = openIndex(dir, realFs, embedder.id);
    for (let i = 0; i < earlier; i++) {
      const path = `${dir}/${`${i}`.padStart(16, "0")}.segment`;
      Deno.writeTextFileSync(path, "left");
      age(path, 60_000);
    }
    index.apply({ put: [noteDocument("a.md", "one")], remove: [] }, embedder);
    assert.equal(filesWith(dir, "left").length, left);
    index.close();
  }
});

Deno.test("a process that lists often reads again only what a save changed", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const [a, b, c] = ["a", "b", "c"].map((name) => noteDocument(`knowledge/${name}.md`, name));
  if (a === undefined || b === undefined || c === undefined) throw new Error("three");
  index.apply({ put: [a, b, c], remove: [] }, embedder);
  for (let i = 0; i < 6; i++) index.notes({ kinds: ["knowledge"], statuses: ["active"] });
  const listed = () => index.notes({ kinds: ["knowledge"], statuses: ["active"] });
  const before = listed();
  const stamp = { ...b.stamp, mtimeMs: 2000 };
  index.apply({ put: [{ ...b, stamp }, noteDocument(c.path, "sea")], remove: [] }, embedder);
  const after = listed();
  assert.equal(after[0], before[0]);
  assert.equal(after[1]?.stamp.mtimeMs, 2000);
  assert.equal(after[2]?.contentHash, "hash of sea");
  index.apply({ put: [], remove: [a.path, c.path] }, embedder);
  assert.deepEqual(listed().map(({ path }) => path), [b.path]);
  index.close();
});

Deno.test("apply() puts in again what says something else, whatever its dates, and notes other dates", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const note = noteDocument("knowledge/a.md", "one");
  index.apply({ put: [note], remove: [] }, embedder);
  index.apply({ put: [noteDocument(note.path, "two")], remove: [] }, embedder);
  assert.deepEqual(index.notes().map(({ contentHash }) => contentHash), ["hash of two"]);
  const updated = "2026-03-04T00:00:00Z";
  index.apply({ put: [noteDocument(note.path, "two", { updated })], remove: [] }, embedder);
  assert.deepEqual(index.notes().map((one) => one.updated), [updated]);
  index.close();
});

Deno.test("a note that was replaced holds again when the one that replaced it is removed", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const [old, next] = [
    noteDocument("knowledge/old.md", "Ten requests a second."),
    noteDocument("knowledge/next.md", "Five a second.", { supersedes: ["old"] }),
  ];
  index.apply({ put: [old, next], remove: [] }, embedder);
  const said = () => index.notes().map(({ id, supersededBy }) => [id, supersededBy]);
  assert.deepEqual(said(), [["next", undefined], ["old", "next"]]);
  index.apply({ put: [], remove: [next.path] }, embedder);
  assert.deepEqual(said(), [["old", undefined]]);
  const own = noteDocument("knowledge/own.md", "One a second.", { supersedes: ["own", "old"] });
  index.apply({ put: [own], remove: [] }, embedder);
  assert.deepEqual(said(), [["old", "own"], ["own", undefined]]);
  index.close();
});

Deno.test("a note is replaced by one that names it by a link, which is to its file", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const supersedes = ["[[Sage/knowledge/Rate limit|the old one]]", "[[day]]"];
  const put = [
    noteDocument("knowledge/Rate limit.md", "Ten requests a second.", { id: "rate-limit" }),
    noteDocument("knowledge/day.md", "On Monday."),
    noteDocument("knowledge/next.md", "Five a second.", { supersedes }),
  ];
  index.apply({ put, remove: [] }, embedder);
  assert.deepEqual(index.notes().map(({ id, supersededBy }) => [id, supersededBy]), [
    ["rate-limit", "next"],
    ["day", "next"],
    ["next", undefined],
  ]);
  assert.deepEqual(index.notes().at(-1)?.supersedes, ["rate-limit", "day"]);
  index.close();
});

for (const erase of [false, true]) {
  const what = erase ? "what was to be erased no more" : "all that it found before";
  Deno.test(`an index that could not be written finds ${what}`, () => {
    let isFull = false;
    const fs: Fs = {
      ...realFs,
      rename(from, to) {
        if (isFull) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
        realFs.rename(from, to);
      },
    };
    const index = openIndex(tempDir(), fs, embedder.id);
    const paths = Array.from({ length: 9 }, (_, n) => `knowledge/${n}.md`);
    // As many parts as are made one with the next.
    for (const path of paths) {
      index.apply({ put: [noteDocument(path, "one")], remove: [] }, embedder);
    }
    isFull = true;
    const [main = "", gone = "", ...others] = paths;
    const change = { put: [noteDocument("knowledge/x.md", "two")], remove: [gone], erase };
    assert.throws(() => index.apply(change, embedder), { code: "disk_full" });
    assert.deepEqual(
      index.notes().map(({ path }) => path),
      erase ? [main, ...others] : paths,
    );
    index.close();
  });
}

Deno.test("a power cut leaves an index whole, or none", () => {
  const disk = new CrashFs();
  disk.makeDir("/index", 0o700);
  const index = openIndex("/index", disk, embedder.id);
  index.apply({ put: [noteDocument("a.md", "The heron import.")], remove: [] }, embedder);
  index.apply({ put: [noteDocument("b.md", "Another heron.")], remove: [] }, embedder);
  for (const cut of disk.powerCuts()) {
    const next = openIndex("/index", cut, embedder.id);
    const found = next.query(prepareQuery("heron", embedder), { limit: 9 });
    assert.equal(found.length, next.rebuilt ? 0 : next.notes().length);
    for (const { chunk } of found) assert.match(chunk.snippet, /heron/);
    next.close();
  }
  index.close();
});

Deno.test("apply() carries over no segment that is not as it was written", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const [kept, gone] = ["kept", "gone"].map((name) =>
    noteDocument(`knowledge/${name}.md`, `The heron of ${name} is told here.`)
  );
  assert.ok(kept !== undefined && gone !== undefined);
  index.apply({ put: [kept, gone], remove: [] }, embedder);
  index.close();
  const [name = ""] = filesWith(dir, "heron of kept");
  const bytes = Deno.readFileSync(`${dir}/${name}`);
  bytes[new TextDecoder("latin1").decode(bytes).indexOf("heron of kept")] = 0x78;
  Deno.writeFileSync(`${dir}/${name}`, bytes);
  const next = openIndex(dir, realFs, embedder.id);
  next.apply({ put: [], remove: [gone.path], erase: true }, embedder);
  assert.deepEqual([next.rebuilt, filesWith(dir, "xeron")], [true, []]);
  next.close();
});

Deno.test("apply() with erase removes what a crashed writer left", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: [noteDocument("a.md", "one")], remove: [] }, embedder);
  Deno.writeTextFileSync(`${dir}/0123456789abcdef.segment`, "canary");
  Deno.writeTextFileSync(`${dir}/.manifest.1234.tmp`, "canary");
  index.apply({ put: [], remove: [], erase: true }, embedder);
  assert.deepEqual(filesWith(dir, "canary"), []);
  assert.equal(index.notes().length, 1);
  index.close();
});

Deno.test("an index that stays open finds a note no more from when another process took it out", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const [gone, stays] = ["gone", "stays"].map((name) =>
    noteDocument(`knowledge/${name}.md`, `The heron import of ${name} runs in batches.`)
  );
  assert.ok(gone !== undefined && stays !== undefined);
  index.apply({ put: [gone, stays], remove: [] }, embedder);
  const ask = (): (readonly [string, number])[] =>
    index.query(prepareQuery("heron import", embedder), { limit: 9 })
      .map(({ note }) => [note.path, note.stamp.mtimeMs]);
  assert.equal(ask().length, 2);
  const other = openIndex(dir, realFs, embedder.id);
  const seen = { ...stays, stamp: { ...stays.stamp, mtimeMs: 2000 } };
  other.apply({ put: [seen], remove: [gone.path] }, embedder);
  other.close();
  assert.equal(index.refresh(), true);
  assert.deepEqual(ask(), [[stays.path, 2000]]);
  index.close();
});

Deno.test("apply() writes to a folder that another process deletes at any of its steps", () => {
  for (let step = 1;; step++) {
    const dir = `${tempDir()}/state/index/x`;
    let left = Infinity;
    const deletes = (): void => {
      if (--left === 0) Deno.removeSync(dir, { recursive: true });
    };
    const fs: Fs = {
      ...realFs,
      open: (path, options) => (deletes(), realFs.open(path, options)),
      rename: (from, to) => (deletes(), realFs.rename(from, to)),
    };
    const index = openIndex(dir, fs, embedder.id);
    index.apply({ put: [noteDocument("a.md", "one")], remove: [] }, embedder);
    left = step;
    index.apply({ put: [noteDocument("b.md", "two")], remove: [] }, embedder);
    const paths = new Set(index.notes().map(({ path }) => path));
    // What was in it before is found by the next scan.
    assert.ok(paths.has("b.md") || left === 0 && paths.size === 0, `step ${step}`);
    const other = openIndex(dir, realFs, embedder.id);
    other.apply({ put: [noteDocument("c.md", "three")], remove: [] }, embedder);
    assert.ok(other.notes().some(({ path }) => path === "c.md"), `step ${step}`);
    other.close();
    index.close();
    if (left > 0) break;
  }
});

Deno.test("apply() makes files for the owner alone", () => {
  const dir = `${tempDir()}/state/index/x`;
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: [noteDocument("a.md", "text")], remove: [] }, embedder);
  assert.equal((Deno.statSync(dir).mode ?? 0) & 0o777, 0o700);
  for (const { name } of Deno.readDirSync(dir)) {
    assert.equal((Deno.statSync(`${dir}/${name}`).mode ?? 0) & 0o777, 0o600, name);
  }
  index.close();
});

Deno.test("apply() writes nothing when nothing changes", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  index.apply({ put: [noteDocument("a.md", "text")], remove: [] }, embedder);
  const before = index.revision;
  index.apply({ put: [], remove: ["never-there.md"] }, embedder);
  assert.equal(index.revision, before);
  index.close();
});

Deno.test("query() reads neither the texts nor the rows it does not show", () => {
  const dir = tempDir();
  const random = seeded(5);
  const word = zipfPicker(Array.from({ length: 5000 }, (_, i) => `word${i}`), random);
  const put = Array.from({ length: 400 }, (_, i) => {
    const parts = Array.from({ length: 5 }, () => Array.from({ length: 160 }, word).join(" "));
    return noteDocument(`knowledge/n${i}.md`, parts.join("\n\n"));
  });
  const writer = openIndex(dir, realFs, embedder.id);
  writer.apply({ put, remove: [] }, embedder);
  writer.close();
  const counted = countingFs();
  const index = openIndex(dir, counted.fs, embedder.id);
  assert.ok(counted.bytes() < 1024, `opening read ${counted.bytes()} bytes`);
  const hits = index.query(prepareQuery("word90 word300 word2001", embedder), { limit: 5 });
  assert.equal(hits.length, 5);
  const chunks = 400 * 5;
  // Vectors, scales, lengths, facts, the table of terms, then postings of three of them and the rows of
  // what was looked at, and of the best sixteen notes their row, meta and passage.
  const needed = chunks * (32 + 4 + 2) + 400 * 24 + 8192 * 16 + 16 * 2800;
  assert.ok(counted.bytes() < needed + 96 * 1024, `${counted.bytes()} of ${needed} bytes`);
  assert.ok(counted.bytes() < fileBytes(dir) / 10, `${counted.bytes()} of ${fileBytes(dir)}`);
  index.close();
});

Deno.test("apply() keeps both changes when another process writes in between", () => {
  const dir = tempDir();
  const other = openIndex(dir, realFs, embedder.id);
  let isRacing = true;
  const fs: Fs = {
    ...realFs,
    rename(from, to) {
      realFs.rename(from, to);
      if (!isRacing || !to.endsWith(".segment")) return;
      isRacing = false;
      other.apply({ put: [noteDocument("theirs.md", "theirs")], remove: [] }, embedder);
    },
  };
  const index = openIndex(dir, fs, embedder.id);
  index.apply({ put: [noteDocument("ours.md", "ours")], remove: [] }, embedder);
  assert.deepEqual(index.notes().map(({ path }) => path), ["ours.md", "theirs.md"]);
  other.refresh();
  assert.deepEqual(other.notes().map(({ path }) => path), ["ours.md", "theirs.md"]);
  index.close();
  other.close();
});

Deno.test("a reader of the revision before a merge still finds its files", () => {
  const dir = tempDir();
  const writer = openIndex(dir, realFs, embedder.id);
  writer.apply({ put: [noteDocument("a.md", "one two")], remove: [] }, embedder);
  const reader = openIndex(dir, realFs, embedder.id);
  for (let i = 0; i < 12; i++) {
    writer.apply({ put: [noteDocument(`b${i}.md`, "three")], remove: [] }, embedder);
  }
  const query = prepareQuery("two", embedder);
  assert.equal(reader.query(query, { limit: 3 })[0]?.note.path, "a.md");
  assert.equal(reader.refresh(), true);
  assert.equal(reader.notes().length, 13);
  assert.equal(reader.refresh(), false);
  reader.close();
  writer.close();
});

Deno.test("writers in several processes leave an index that opens", async () => {
  const dir = tempDir();
  const writer = new URL("./writer.ts", import.meta.url).pathname;
  const rounds = depth(12, 60);
  const runs = ["a", "b", "c"].map((name) =>
    run(Deno.execPath(), {
      args: ["run", "-A", "--no-check", writer, dir, name, String(rounds)],
      msMax: depth(1, 10) * WAIT_MS_MAX,
    })
  );
  for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
  const index = openIndex(dir, realFs, embedder.id);
  assert.equal(index.rebuilt, false);
  const notes = index.notes();
  assert.ok(notes.length > 0 && notes.length <= 3 * rounds, `${notes.length} notes`);
  for (const { path } of notes) assert.match(path, /^[abc]\d+\.md$/);
  index.close();
});

Deno.test("openIndex() keeps no file open of an index of which a segment cannot be read", () => {
  const dir = tempDir();
  const writer = openIndex(dir, realFs, embedder.id);
  for (const name of ["a", "b"]) {
    writer.apply({ put: [noteDocument(`${name}.md`, name)], remove: [] }, embedder);
  }
  writer.close();
  let [segments, open] = [0, 0];
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      if (path.endsWith(".segment") && ++segments % 2 === 0) {
        throw new Deno.errors.PermissionDenied();
      }
      const file = realFs.open(path, options);
      open++;
      return { ...file, close: () => (open--, file.close()) };
    },
  };
  const index = openIndex(dir, fs, embedder.id);
  assert.deepEqual([index.rebuilt, index.notes().length, open], [true, 0, 0]);
  assert.ok(segments > 1);
  index.close();
});

function filesWith(dir: string, text: string): string[] {
  return [...Deno.readDirSync(dir)].map(({ name }) => name).filter((name) =>
    new TextDecoder("latin1").decode(Deno.readFileSync(`${dir}/${name}`)).includes(text)
  );
}

function fileBytes(dir: string): number {
  return [...Deno.readDirSync(dir)].reduce(
    (sum, { name }) => sum + Deno.statSync(`${dir}/${name}`).size,
    0,
  );
}

function countingFs(): { fs: Fs; bytes: () => number } {
  let bytes = 0;
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      const file = realFs.open(path, options);
      return {
        ...file,
        read(into) {
          const count = file.read(into);
          bytes += count;
          return count;
        },
      };
    },
  };
  return { fs, bytes: () => bytes };
}
