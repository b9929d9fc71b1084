/** The write protocol on the real disk, and a person who edits at the worst moment (R6). */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { encode } from "../../src/base/utf8.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { NOTE_BYTES_MAX, NOTE_INDEXED_BYTES_MAX } from "../../src/base/limits.ts";
import { openStore, type Store, withStoreLock } from "../../src/store/handle.ts";
import { loadNote } from "../../src/store/load.ts";
import { createNote, replaceNote, updateNote } from "../../src/store/store.ts";
import { sweep } from "../../src/store/sweep.ts";
import { listVersions } from "../../src/store/versions.ts";
import { freshDisk, openOn } from "../crash/scenario.ts";
import { laterBy } from "../support/dying_fs.ts";
import { age, filesIn, newNote, noteText, tempStore, writeOld } from "../support/temp_store.ts";
import { assertInTime } from "../support/quick.ts";

const isPosix = Deno.build.os !== "windows";

function read(store: Store, path: string): string {
  return Deno.readTextFileSync(`${store.root}/${path}`);
}

/** The same store on a disk where somebody acts right before the n-th rename of a note. */
function disturbed(store: Store, before: "link" | "rename", act: (target: string) => void): Store {
  let isDone = false;
  const once = (target: string): void => {
    if (isDone || target.includes("/state/")) return;
    isDone = true;
    act(target);
  };
  const fs: Fs = {
    ...realFs,
    link(from, to) {
      if (before === "link" && to.includes(".history")) once(from);
      realFs.link(from, to);
    },
    rename(from, to) {
      if (before === "rename") once(to);
      realFs.rename(from, to);
    },
  };
  return openStore({ ...store, fs });
}

Deno.test("createNote() makes private files in the user store", { ignore: !isPosix }, () => {
  const store = tempStore();
  const path = newNote(store, "a");
  assert.equal((Deno.statSync(`${store.root}/${path}`).mode ?? 0) & 0o777, 0o600);
  assert.equal((Deno.statSync(`${store.root}/knowledge`).mode ?? 0) & 0o777, 0o700);
  assert.equal((Deno.statSync(store.root).mode ?? 0) & 0o777, 0o700);
});

Deno.test("createNote() honours the umask in a project store", { ignore: !isPosix }, () => {
  const before = Deno.umask(0o027);
  try {
    const store = tempStore({ scope: "project" });
    const path = newNote(store, "a");
    assert.equal((Deno.statSync(`${store.root}/${path}`).mode ?? 0) & 0o777, 0o640);
    assert.equal((Deno.statSync(`${store.root}/knowledge`).mode ?? 0) & 0o777, 0o750);
  } finally {
    Deno.umask(before);
  }
});

Deno.test("createNote() numbers a taken name, and tells the text its stem", () => {
  const store = tempStore();
  assert.deepEqual([newNote(store, "a"), newNote(store, "a")], [
    "knowledge/a.md",
    "knowledge/a-2.md",
  ]);
  assert.match(read(store, "knowledge/a-2.md"), /^id: a-2$/m);
  // One file on another disk, or with whom the store is shared.
  writeOld(`${store.root}/knowledge/Plan.md`, "# Plan\n");
  assert.equal(newNote(store, "plan"), "knowledge/plan-2.md");
});

Deno.test("createNote() takes no name that somebody took meanwhile, and is alone, without hard links", () => {
  const store = tempStore();
  const lock = (): void => withStoreLock(tempStore({ like: store }), () => {}, 0);
  let isAlone = false;
  const fs: Fs = {
    ...realFs,
    link(_, to) {
      if (to.endsWith("/a.md")) writeOld(to, "THEIRS\n");
      throw Object.assign(new Error("no links here"), { code: "EPERM" });
    },
    rename(from, to) {
      if (to.endsWith("/a-2.md")) {
        assert.throws(lock, { code: "locked" });
        isAlone = true;
      }
      realFs.rename(from, to);
    },
  };
  assert.equal(newNote({ ...store, fs }, "a"), "knowledge/a-2.md");
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a-2.md", "a.md"]);
  assert.deepEqual([read(store, "knowledge/a.md"), isAlone], ["THEIRS\n", true]);
});

Deno.test("createNote() refuses a text that is too large, and leaves nothing", () => {
  const store = tempStore();
  const note = { kind: "topic", stem: "big", text: "x".repeat(1024 * 1024 + 1) } as const;
  assert.throws(() => createNote(store, note), /too_large|at most 1048576/);
  assert.deepEqual(filesIn(`${store.root}/topics`), []);
});

Deno.test("replaceNote() keeps what it replaces, whole", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  const next = noteText("a", "new", "2026-02-01T00:00:00Z");
  assert.deepEqual(await replaceNote(store, loaded, next), { kind: "written", path });
  // What a person or a sync tool puts there is no version, and in nobody's way.
  for (const name of [".DS_Store", "mine.md", "2026-02-01T00-00-00 2.md"]) {
    writeOld(`${store.root}/knowledge/.history/a/${name}`, "theirs");
  }
  await updateNote(store, path, ({ text }) => text + "more\n");
  assert.equal(read(store, path), next + "more\n");
  const versions = listVersions(store, "a").map(({ path }) => path);
  assert.deepEqual(versions, [
    "knowledge/.history/a/2026-01-13T14-30-00.md",
    "knowledge/.history/a/2026-02-01T00-00-00.md",
  ]);
  assert.deepEqual(versions.map((version) => read(store, version)), [loaded.text, next]);
});

Deno.test("replaceNote() numbers versions of the same second in order", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  for (let i = 0; i < 12; i++) await updateNote(store, path, ({ text }) => `${text}${i}\n`);
  assert.deepEqual(listVersions(store, "a").map(({ number }) => number), [
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    11,
    12,
  ]);
});

Deno.test("replaceNote() keeps the versions of two notes apart where no folder can be called by the ids", async () => {
  const store = tempStore();
  const ids = ["con", "con-note", `${"ü".repeat(150)}1`, `${"ü".repeat(150)}2`];
  for (const [i, id] of ids.entries()) {
    const path = `knowledge/${i}.md`;
    writeOld(`${store.root}/${path}`, noteText(id));
    await updateNote(store, path, ({ text }) => `${text}more\n`);
  }
  for (const id of ids) {
    const versions = listVersions(store, id).map(({ path }) => read(store, path));
    assert.deepEqual(versions, [noteText(id)]);
  }
});

Deno.test("replaceNote() drops what a dead writer kept of the note as it is, and no version beside it", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  await updateNote(store, path, ({ text }) => text + "1\n");
  const [version] = listVersions(store, "a");
  assert(version !== undefined);
  const first = read(store, version.path);
  const second = read(store, path);
  // It kept the note under a second name, and died before it replaced it.
  await Deno.link(`${store.root}/${path}`, `${store.root}/${version.path.replace(".md", "-2.md")}`);
  await updateNote(store, path, ({ text }) => text + "2\n");
  const kept = listVersions(store, "a").map((one) => read(store, one.path));
  assert.deepEqual(kept.toSorted(), [first, second].toSorted());
});

Deno.test("replaceNote() without versions leaves none, and still sees a race", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  await updateNote(store, path, ({ text }) => text + "1\n", { keepVersion: false });
  assert.deepEqual(listVersions(store, "a"), []);
  // Whoever keeps links of files, as some do for a backup.
  await Deno.link(`${store.root}/${path}`, `${store.root}/backup`);
  const racing = disturbed(
    store,
    "rename",
    (target) => Deno.writeTextFileSync(target, "THEIRS", { append: true }),
  );
  const result = await replaceNote(racing, await loadNote(racing, path), "2\n", {
    keepVersion: false,
  });
  assert(result.kind === "conflict" && result.copy !== undefined);
  assert.match(read(store, result.copy), /THEIRS$/);
  assert.deepEqual(filesIn(`${store.root}/knowledge`).length, 2);
});

for (const isRaced of [false, true]) {
  const what = isRaced ? "keeps what somebody wrote into what" : "passes what";
  Deno.test(`replaceNote() without versions ${what} a dead writer of its number left of the same text`, async () => {
    const store = tempStore();
    const path = newNote(store, "a");
    const loaded = await loadNote(store, path);
    const digits = sha256Hex(loaded.bytes).slice(0, 16);
    const left = `${store.root}/knowledge/.a.md.sage-${Deno.pid}-${digits}.old.tmp`;
    writeOld(left, isRaced ? "THEIRS\n" : loaded.bytes);
    const result = await replaceNote(store, loaded, noteText("a", "new"), { keepVersion: false });
    assert.equal(result.kind, "written");
    const others = filesIn(`${store.root}/knowledge`).filter((name) => name !== "a.md");
    const texts = others.map((name) => read(store, `knowledge/${name}`));
    assert.deepEqual(texts, isRaced ? ["THEIRS\n"] : []);
  });
}

for (const isRaced of [false, true]) {
  const end = isRaced ? "kept beside the note, for somebody wrote into it" : "removed";
  Deno.test(`what a dead writer left of a note without versions is ${end}`, async () => {
    const store = tempStore();
    const path = newNote(store, "a");
    const loaded = await loadNote(store, path);
    const dying = dyingOnceReplaced(store, isRaced);
    await assert.rejects(replaceNote(dying, loaded, "ours\n", { keepVersion: false }));
    assert.equal(read(store, path), "ours\n");
    const [left = ""] = filesIn(`${store.root}/knowledge`).filter((name) => name !== "a.md");
    assert.match(left, /^\.a\.md\.sage-\d+-[0-9a-f]{16}\.old\.tmp$/);

    // Of a process that nobody is by now; the young, and those who live, are left alone.
    const dead = left.replace(/sage-\d+-/, "sage-4194399-");
    await Deno.rename(`${store.root}/knowledge/${left}`, `${store.root}/knowledge/${dead}`);
    assert.equal(sweep(store), 0);
    const later = openStore({ ...store, fs: laterBy(11 * 60_000) });
    assert.equal(sweep(later), 1);
    const rest = filesIn(`${store.root}/knowledge`).filter((name) => name !== "a.md");
    assert.equal(rest.length, isRaced ? 1 : 0);
    if (!isRaced) return;
    assert.match(rest[0] ?? "", /^a\.sage-conflict-/);
    assert.equal(read(store, `knowledge/${rest[0]}`), `${loaded.text}THEIRS\n`);
  });
}

Deno.test("a sweep makes no copy of a note that a dead writer was about to replace, edited since", async () => {
  const store = tempStore();
  const path = `${store.root}/${newNote(store, "a")}`;
  const digits = sha256Hex(await Deno.readFile(path)).slice(0, 16);
  await Deno.link(path, `${store.root}/knowledge/.a.md.sage-4194399-${digits}.old.tmp`);
  await Deno.writeTextFile(path, "THEIRS\n", { append: true });
  assert.equal(sweep(openStore({ ...store, fs: laterBy(11 * 60_000) })), 1);
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
});

Deno.test("a sweep leaves the version of a writer that slept before it replaced the note", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  const sleeping: Fs = {
    ...realFs,
    rename(from, to) {
      if (to.endsWith("/a.md")) sweep(openStore({ ...store, fs: laterBy(11 * 60_000) }));
      realFs.rename(from, to);
    },
  };
  const result = await replaceNote({ ...store, fs: sleeping }, loaded, noteText("a", "ours"));
  assert.equal(result.kind, "written");
  assert.deepEqual(listVersions(store, "a").map((one) => read(store, one.path)), [loaded.text]);
});

Deno.test("a sweep leaves a version that the note was replaced from while it looked", () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const live = `${store.root}/${path}`;
  const version = `${store.root}/knowledge/.history/a/2026-01-13T14-30-00.md`;
  Deno.mkdirSync(`${store.root}/knowledge/.history/a`, { recursive: true });
  Deno.linkSync(live, version);
  const later = laterBy(11 * 60_000);
  const fs: Fs = {
    ...later,
    open(file, options) {
      // Whoever had the lock before has replaced the note.
      if (file.endsWith("/store.lock")) {
        Deno.writeTextFileSync(`${live}.new`, "new\n");
        Deno.renameSync(`${live}.new`, live);
      }
      return later.open(file, options);
    },
  };
  sweep(openStore({ ...store, fs }));
  assert.equal(Deno.readTextFileSync(version), noteText("a"));
});

/** The same store for a process that dies when it has put a note in the place of another text. */
function dyingOnceReplaced(store: Store, isRaced: boolean): Store {
  let isDead = false;
  const die = (): void => {
    if (isDead) throw new Error("the process is dead");
  };
  const fs: Fs = {
    ...realFs,
    rename(from, to) {
      die();
      if (isRaced) Deno.writeTextFileSync(to, "THEIRS\n", { append: true });
      realFs.rename(from, to);
      isDead = to.endsWith("a.md");
    },
    syncDir: (path) => (die(), realFs.syncDir(path)),
    unlink: (path) => (die(), realFs.unlink(path)),
  };
  return openStore({ ...store, fs });
}

Deno.test("replaceNote() keeps the mode and line ends that a person gave the file", {
  ignore: !isPosix,
}, async () => {
  const store = tempStore();
  writeOld(`${store.root}/knowledge/a.md`, "\uFEFF# A\r\n\r\ntext\r\n");
  await Deno.chmod(`${store.root}/knowledge/a.md`, 0o664);
  await updateNote(store, "knowledge/a.md", ({ text }) => text + "more\r\n");
  assert.equal(read(store, "knowledge/a.md"), "\uFEFF# A\r\n\r\ntext\r\nmore\r\n");
  assert.equal(((await Deno.stat(`${store.root}/knowledge/a.md`)).mode ?? 0) & 0o777, 0o664);
});

Deno.test("replaceNote() gives a conflict and writes nothing when the note changed since", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  writeOld(`${store.root}/${path}`, noteText("a", "a person's"));
  const result = await replaceNote(store, loaded, noteText("a", "ours"));
  assert(result.kind === "conflict");
  assert.equal(result.copy, undefined);
  assert.match(result.current.text, /a person's/);
  assert.match(read(store, path), /a person's/);
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
});

Deno.test("replaceNote() leaves a note alone that grew beyond what is read whole, and begins as before", async () => {
  const store = tempStore();
  const head = noteText("a");
  const text = `${head}${"x".repeat(NOTE_INDEXED_BYTES_MAX - head.length)}`;
  const path = createNote(store, { kind: "knowledge", stem: "a", text }).path;
  const loaded = await loadNote(store, path);
  writeOld(`${store.root}/${path}`, text + "y".repeat(NOTE_BYTES_MAX));
  assert.equal((await replaceNote(store, loaded, noteText("a", "ours"))).kind, "conflict");
  assert.equal(read(store, path).length, text.length + NOTE_BYTES_MAX);
});

Deno.test("replaceNote() makes no note that could not be written again", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  const large = noteText("a", "x".repeat(NOTE_BYTES_MAX));
  await assert.rejects(replaceNote(store, loaded, large), { code: "too_large" });
  assert.equal(read(store, path), loaded.text);
});

Deno.test("replaceNote() fails clearly when the note was removed", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  await Deno.remove(`${store.root}/${path}`);
  await assert.rejects(replaceNote(store, loaded, "x"), { code: "not_found" });
});

Deno.test("replaceNote() waits until a person has been quiet for two seconds", async () => {
  const store = tempStore();
  writeOld(`${store.root}/knowledge/a.md`, "# A\n");
  age(`${store.root}/knowledge/a.md`, 800);
  const start = performance.now();
  await updateNote(store, "knowledge/a.md", ({ text }) => text + "x\n");
  const took = performance.now() - start;
  assert(took > 400, `${took} ms`);
  await assertInTime(took, 5000, "updateNote()");
});

Deno.test("a hook does not wait for a person, it defers", async () => {
  const hook = tempStore({ hook: true });
  writeOld(`${hook.root}/knowledge/a.md`, "# A\n");
  age(`${hook.root}/knowledge/a.md`, 100);
  const result = await replaceNote(hook, await loadNote(hook, "knowledge/a.md"), "x\n");
  assert.equal(result.kind, "deferred");
  assert.equal(read(hook, "knowledge/a.md"), "# A\n");
});

Deno.test("nobody is waited for whose clock is ahead", async () => {
  const store = tempStore({ hook: true });
  const path = newNote(store, "a");
  const text = noteText("a", "by a person");
  writeOld(`${store.root}/${path}`, text);
  age(`${store.root}/${path}`, -86_400_000);
  const result = await replaceNote(store, await loadNote(store, path), noteText("a", "new"));
  assert.deepEqual([result.kind, read(store, path)], ["written", noteText("a", "new")]);
});

Deno.test("Sage does not wait for itself", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const start = performance.now();
  for (let i = 0; i < 5; i++) await updateNote(store, path, ({ text }) => `${text}${i}\n`);
  await assertInTime(performance.now() - start, 2000, "updateNote()");
});

for (const before of ["link", "rename"] as const) {
  Deno.test(`an edit in place right before the ${before} is found and kept`, async () => {
    const store = tempStore();
    const path = newNote(store, "a");
    const racing = disturbed(
      store,
      before,
      (target) => Deno.writeTextFileSync(target, "THEIRS\n", { append: true }),
    );
    const loaded = await loadNote(racing, path);
    const result = await replaceNote(racing, loaded, noteText("a", "ours"));
    assert(result.kind === "conflict" && result.copy !== undefined);
    assert.match(read(store, path), /ours/);
    assert.match(read(store, result.copy), /THEIRS\n$/);
    assert.deepEqual(listVersions(store, "a").map(({ path }) => read(store, path)), [loaded.text]);
  });
}

Deno.test("updateNote() changes a note once, whoever writes into it at that moment", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const racing = disturbed(
    store,
    "rename",
    (target) => Deno.writeTextFileSync(target, "THEIRS\n", { append: true }),
  );
  const result = await updateNote(racing, path, ({ text }) => `${text}ours\n`);
  assert(result.kind === "conflict" && result.copy !== undefined);
  assert.equal(read(store, path), `${noteText("a")}ours\n`);
});

/** The same store for one whose editor saves what it read before right over what was written, the first time. */
function savedOver(store: Store, save: (target: string) => void): Store {
  let isDone = false;
  const rename: Fs["rename"] = (from, to) => {
    realFs.rename(from, to);
    if (isDone || !to.endsWith("/a.md")) return;
    isDone = true;
    save(to);
  };
  return openStore({ ...store, fs: { ...realFs, rename } });
}

Deno.test("updateNote() writes again what an editor saved over that had not seen it", async () => {
  for (const isInPlace of [true, false]) {
    const store = tempStore();
    const path = newNote(store, "a");
    const theirs = `${noteText("a")}THEIRS\n`;
    const racing = savedOver(store, (target) => {
      Deno.writeTextFileSync(isInPlace ? target : `${target}~`, theirs);
      if (!isInPlace) Deno.renameSync(`${target}~`, target);
    });
    const result = await updateNote(racing, path, ({ text }) => `${text}ours\n`);
    assert.equal(result.kind, "written");
    assert.equal(read(store, path), `${theirs}ours\n`);
  }
});

Deno.test("replaceNote() reports a text that was saved over at once as a conflict", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const theirs = noteText("a", "THEIRS");
  const racing = savedOver(store, (target) => Deno.writeTextFileSync(target, theirs));
  const loaded = await loadNote(racing, path);
  const result = await replaceNote(racing, loaded, noteText("a", "ours"));
  assert(result.kind === "conflict" && result.copy === undefined);
  assert.equal(result.current.text, theirs);
  // What is moved away meanwhile took it along.
  const moving = savedOver(store, (target) => Deno.renameSync(target, `${target}.moved`));
  const again = await loadNote(moving, path);
  writeOld(`${store.root}/${path}`, again.text);
  const moved = await replaceNote(moving, await loadNote(moving, path), noteText("a", "ours"));
  assert.equal(moved.kind, "written");
  assert.equal(read(store, `${path}.moved`), noteText("a", "ours"));
});

Deno.test("a note that grows while it is read is read again, whole", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const text = noteText("a", "What an editor writes in place, longer than what was there.");
  let isWritten = false;
  const open: Fs["open"] = (file, options) => {
    const handle = realFs.open(file, options);
    const read = (into: Uint8Array): number => {
      if (!isWritten) Deno.writeTextFileSync(file, text);
      isWritten = true;
      return handle.read(into);
    };
    return file.endsWith("/a.md") ? { ...handle, read } : handle;
  };
  assert.equal((await loadNote({ ...store, fs: { ...realFs, open } }, path)).text, text);
});

/** The same store for one whose note is written, with this time, while its next text is. */
function writtenMeanwhile(store: Store, path: string, text: string, time: Date): Store {
  const open: Fs["open"] = (file, options) => {
    if (options.createNew === true) {
      Deno.writeTextFileSync(`${store.root}/${path}`, text);
      Deno.utimeSync(`${store.root}/${path}`, time, time);
    }
    return realFs.open(file, options);
  };
  return { ...store, fs: { ...realFs, open } };
}

for (const isOther of [true, false]) {
  const what = isOther ? "another text as old as the note" : "the same text once more";
  Deno.test(`${what}, written while the next one is, is left in its place`, async () => {
    const store = tempStore();
    const path = newNote(store, "a");
    age(`${store.root}/${path}`, 60_000);
    const loaded = await loadNote(store, path);
    const theirs = isOther ? noteText("a", "THEIRS") : loaded.text;
    const time = new Date(isOther ? loaded.stamp.mtimeMs : Date.now());
    const racing = writtenMeanwhile(store, path, theirs, time);
    const result = await replaceNote(racing, loaded, noteText("a", "ours"));
    assert.deepEqual([result.kind, "copy" in result], ["conflict", false]);
    assert.equal(read(store, path), theirs);
    assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
  });
}

Deno.test("an atomic edit right before the link is left in its place", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const racing = disturbed(store, "link", (target) => {
    Deno.writeTextFileSync(`${target}.editor`, "THEIRS\n");
    Deno.renameSync(`${target}.editor`, target);
  });
  const result = await replaceNote(racing, await loadNote(racing, path), noteText("a", "ours"));
  assert(result.kind === "conflict");
  assert.equal(read(store, path), "THEIRS\n");
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
});

Deno.test("a file that is put over the note while it is linked is left in its place", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  const link = (from: string): never => {
    writeOld(from, "THEIRS\n");
    throw Object.assign(new Error("the file that was looked at has no name"), { code: "ENOENT" });
  };
  const racing = { ...store, fs: { ...realFs, link } };
  const result = await replaceNote(racing, loaded, noteText("a", "ours"));
  assert.equal(result.kind, "conflict");
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
});

Deno.test("a note of which nobody can be sure that it is on the disk is the old one again", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  let isReplaced = false;
  const fs: Fs = {
    ...realFs,
    rename(from, to) {
      realFs.rename(from, to);
      isReplaced ||= to.endsWith("/a.md");
    },
    syncDir(folder) {
      if (isReplaced) throw Object.assign(new Error("the disk fails"), { code: "EIO" });
      realFs.syncDir(folder);
    },
  };
  await assert.rejects(replaceNote({ ...store, fs }, loaded, noteText("a", "ours")), SageError);
  assert.equal(read(store, path), loaded.text);
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
});

Deno.test("a note that could not be replaced has no version of itself", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  const rename = (): never => {
    throw Object.assign(new Error("the disk fails"), { code: "EIO" });
  };
  const failing = { ...store, fs: { ...realFs, rename } };
  await assert.rejects(replaceNote(failing, loaded, noteText("a", "ours")), SageError);
  assert.deepEqual(filesIn(`${store.root}/knowledge`), ["a.md"]);
});

for (const keepVersion of [true, false]) {
  const how = keepVersion ? "whose versions are kept" : "without versions";
  Deno.test(`an edit in place right before the rename of a note ${how} survives a power cut`, async () => {
    const disk = freshDisk();
    const store = openOn(disk);
    const path = newNote(store, "a");
    const rename = disk.rename.bind(disk);
    disk.rename = (from, to) => {
      if (to.endsWith("/a.md")) {
        disk.rename = rename;
        const file = disk.open(to, { append: true });
        file.write(encode("THEIRS\n"));
        file.sync();
        file.close();
      }
      rename(from, to);
    };
    const loaded = await loadNote(store, path);
    const result = await replaceNote(store, loaded, noteText("a", "ours"), { keepVersion });
    assert(result.kind === "conflict" && result.copy !== undefined);
    for (const cut of disk.powerCuts()) {
      assert.match(cut.files().get(`${store.root}/${result.copy}`) ?? "", /THEIRS\n$/);
    }
  });
}

for (
  const [what, bytes] of [
    ["invalid UTF-8", new Uint8Array([0x23, 0x20, 0xff, 0x0a])],
    ["broken front matter", encode("---\nid: [a\n---\n# A\n")],
    ["more than 1 MiB", new Uint8Array(1024 * 1024 + 1).fill(0x61)],
  ] as const
) {
  Deno.test(`a note with ${what} is read and never rewritten`, async () => {
    const store = tempStore();
    writeOld(`${store.root}/knowledge/a.md`, bytes);
    const loaded = await loadNote(store, "knowledge/a.md");
    assert.notEqual(loaded.readOnly, undefined);
    await assert.rejects(
      replaceNote(store, loaded, "# New\n"),
      (error) => error instanceof SageError && error.code === "invalid_note",
    );
    assert.deepEqual(await Deno.readFile(`${store.root}/knowledge/a.md`), bytes);
  });
}

Deno.test("a version that a dead writer left as a second name of the note goes with the next write", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const history = `${store.root}/knowledge/.history/a`;
  await Deno.mkdir(history, { recursive: true });
  await Deno.link(`${store.root}/${path}`, `${history}/2026-01-13T14-30-00.md`);
  await updateNote(store, path, ({ text }) => text + "x\n");
  assert.equal(listVersions(store, "a").length, 1);
});

Deno.test("a file that an editor has emptied to write it anew is never the base of a note", async () => {
  const store = tempStore({ hook: true });
  const path = newNote(store, "plan");
  writeOld(`${store.root}/${path}`, "");
  const loaded = await loadNote(store, path);
  const outcome = await replaceNote(store, loaded, "ours alone\n");
  assert.equal(outcome.kind, "deferred");
  writeOld(`${store.root}/${path}`, noteText("plan", "theirs"));
  assert.equal((await replaceNote(store, loaded, "ours alone\n")).kind, "conflict");
  assert.match(await Deno.readTextFile(`${store.root}/${path}`), /theirs/);
});
