/** What is left of notes: trash, inbox, tombstones, traces to erase, litter to sweep (R25). */
import assert from "node:assert/strict";
import { type Fs, realFs, writeInto } from "../../src/base/fs.ts";
import { encode } from "../../src/base/utf8.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { eraseNote } from "../../src/store/erase.ts";
import type { Store } from "../../src/store/handle.ts";
import { deferToInbox, foldInbox, listInbox } from "../../src/store/inbox.ts";
import { loadNote } from "../../src/store/load.ts";
import { createNote, replaceNote, updateNote } from "../../src/store/store.ts";
import { listRedirects, writeRedirect } from "../../src/store/redirects.ts";
import { sweep } from "../../src/store/sweep.ts";
import { addTombstone, type Forgotten, isForgotten } from "../../src/store/tombstones.ts";
import { emptyTrash, listTrash, restoreTrash, trashNote } from "../../src/store/trash.ts";
import { listVersions } from "../../src/store/versions.ts";
import { CONFLICT_COPY, listPaths } from "../../src/store/walk.ts";
import { CrashFs } from "../support/crash_fs.ts";
import {
  age,
  filesIn,
  newNote,
  noteText,
  tempDir,
  tempStore,
  writeOld,
} from "../support/temp_store.ts";
import { freshDisk, openOn } from "../crash/scenario.ts";

const DAY_MS = 86_400_000;
/** A process id that nobody has. */
const DEAD = 4_194_399;

function read(store: Store, path: string): string {
  return Deno.readTextFileSync(`${store.root}/${path}`);
}

function modeOf(store: Store, path: string): number | null {
  return Deno.statSync(`${store.root}/${path}`).mode;
}

function withoutLinks(): Fs {
  const link = (): never => {
    throw Object.assign(new Error("no links here"), { code: "EPERM" });
  };
  return { ...realFs, link };
}

async function trashed(store: Store, path: string): Promise<string> {
  const outcome = await trashNote(store, await loadNote(store, path));
  assert(outcome.kind === "trashed");
  return outcome.trash;
}

Deno.test("trashNote() moves a note away, and restoreTrash() brings it back", async () => {
  const store = tempStore();
  const path = createNote(store, {
    kind: "knowledge",
    stem: "a",
    text: noteText,
    folder: "knowledge/skills/git",
  }).path;
  const text = read(store, path);
  const trash = await trashed(store, path);
  assert.deepEqual(listPaths(store).files, []);
  assert.equal(read(store, trash), text);
  assert.deepEqual(listTrash(store).map(({ path }) => path), [path]);
  assert.equal(restoreTrash(store, trash), path);
  assert.equal(read(store, path), text);
  assert.deepEqual(filesIn(`${store.root}/.trash`), []);
});

Deno.test("trashNote() has returned: no power cut brings the note back, or takes it from the trash", async () => {
  const disk = freshDisk();
  const store = openOn(disk);
  const { path } = createNote(store, { kind: "knowledge", stem: "a", text: noteText("a") });
  const trash = await trashed(store, path);
  for (const cut of disk.powerCuts()) {
    const files = cut.files();
    assert.deepEqual([path, trash].map((one) => files.get(`${store.root}/${one}`)), [
      undefined,
      noteText("a"),
    ]);
  }
});

Deno.test("listTrash() tells of no file that was not written to its end", async () => {
  const store = tempStore();
  const trash = await trashed(store, newNote(store, "a"));
  const beside = trash.replace("a.md", `.a.md.sage-${DEAD}-0123456789abcdef.tmp`);
  writeOld(`${store.root}/${beside}`, "half of i");
  assert.deepEqual(listTrash(store).map((one) => one.trash), [trash]);
});

Deno.test("restoreTrash() brings back what lay as deep as a note may", async () => {
  const store = tempStore();
  const path = `knowledge/${"a/".repeat(10)}deep.md`;
  writeOld(`${store.root}/${path}`, noteText("deep"));
  assert.deepEqual(listPaths(store).files.map(({ path }) => path), [path]);
  const trash = await trashed(store, path);
  assert.equal((await loadNote(store, trash)).note.id, "deep");
  assert.equal(restoreTrash(store, trash), path);
});

for (
  const [disk, fs] of [["a disk with links", realFs], ["one without", withoutLinks()]] as const
) {
  Deno.test(`restoreTrash() goes beside what took the name meanwhile, on ${disk}`, async () => {
    const store = { ...tempStore(), fs };
    const path = newNote(store, "a", "old");
    const trash = await trashed(store, path);
    newNote(store, "a", "new");
    assert.equal(restoreTrash(store, trash), "knowledge/a-2.md");
    assert.match(read(store, "knowledge/a.md"), /new/);
    assert.match(read(store, "knowledge/a-2.md"), /old/);
    assert.equal(modeOf(store, "knowledge/a-2.md"), modeOf(store, "knowledge/a.md"));
  });
}

Deno.test("trashNote() leaves a note where it lies of which nobody can be sure that it went", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  let hasFailed = false;
  const fs: Fs = {
    ...realFs,
    syncDir(folder) {
      if (!hasFailed && realFs.lstat(`${store.root}/${path}`) === undefined) {
        hasFailed = true;
        throw Object.assign(new Error("the disk fails"), { code: "EIO" });
      }
      realFs.syncDir(folder);
    },
  };
  await assert.rejects(trashNote({ ...store, fs }, loaded), { code: "io" });
  assert.equal(read(store, path), loaded.text);
  assert.deepEqual(listTrash(store), []);
});

Deno.test("trashNote() leaves a note that somebody changed since", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const loaded = await loadNote(store, path);
  writeOld(`${store.root}/${path}`, noteText("a", "edited"));
  const outcome = await trashNote(store, loaded);
  assert.equal(outcome.kind, "conflict");
  assert.match(read(store, path), /edited/);
  assert.deepEqual(listTrash(store), []);
});

Deno.test("eraseNote() names the file that keeps it from looking everywhere", async () => {
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      if (path.endsWith("/other.md")) {
        throw Object.assign(new Error("denied"), { code: "EACCES" });
      }
      return realFs.open(path, options);
    },
  };
  const store = { ...tempStore(), fs };
  newNote(store, "a");
  writeOld(`${store.root}/knowledge/other.md`, noteText("other"));
  await assert.rejects(
    eraseNote(store, "a"),
    /Cannot forget note "a" without reading ".*\/knowledge\/other\.md": this account may not/,
  );
});

/** Looks into the trash once a day; returns how many notes went for good. */
function emptyDaily(store: Store, fromMs: number, days: number): number {
  return Array.from({ length: days }, (_, day) => emptyTrash(store, fromMs + day * DAY_MS))
    .reduce((all, gone) => all + gone, 0);
}

Deno.test("emptyTrash() keeps thirty days", async () => {
  const store = tempStore();
  await trashed(store, newNote(store, "a"));
  assert.equal(emptyDaily(store, Date.now(), 31), 0);
  assert.equal(emptyDaily(store, Date.now() + 31 * DAY_MS, 1), 1);
  assert.deepEqual(filesIn(`${store.root}/.trash`), []);
});

Deno.test("emptyTrash() takes nothing early by a clock that is years ahead, or goes to and fro", async () => {
  const store = tempStore();
  await trashed(store, newNote(store, "a"));
  const [today, far] = [Date.now(), Date.parse("2099-01-01T10:00:00Z")];
  for (let boot = 0; boot < 40; boot++) {
    assert.equal(emptyTrash(store, boot % 2 === 0 ? far : today), 0);
  }
  assert.equal(emptyDaily(store, far, 28), 0);
  assert.equal(emptyDaily(store, today, 31), 1, "counted on by the right clock");
});

Deno.test("emptyTrash() keeps what was removed yesterday, on however many days a clock has been since", async () => {
  const store = tempStore();
  await trashed(store, newNote(store, "a"));
  const today = Date.now();
  for (let day = 1; day <= 28; day++) {
    assert.equal(emptyTrash(store, today + day * DAY_MS), 0);
    assert.equal(emptyTrash(store, today - day * DAY_MS), 0);
  }
  assert.equal(emptyTrash(store, today + DAY_MS), 0);
});

Deno.test("emptyTrash() keeps what a clock removed in 1970, or in 2099, as long as anything", () => {
  const store = tempStore();
  for (const when of ["1970-01-01T00-00-09", "2099-01-01T10-00-00"]) {
    writeOld(`${store.root}/.trash/${when}-0123abcd/knowledge/a.md`, noteText("a"));
  }
  assert.equal(emptyDaily(store, Date.now(), 31), 0);
  assert.equal(emptyDaily(store, Date.now() + 31 * DAY_MS, 1), 2);
});

Deno.test("emptyTrash() takes away an entry that was left empty, and none that is just being filled", async () => {
  const store = tempStore();
  const trash = await trashed(store, newNote(store, "a"));
  const now = Date.now();
  const stamp = (ms: number): string =>
    new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-");
  const [left, fresh] = [`${stamp(now - DAY_MS)}-0123abcd`, `${stamp(now)}-89abcdef`];
  for (const name of [left, fresh]) {
    await Deno.mkdir(`${store.root}/.trash/${name}/knowledge/deep`, { recursive: true });
  }
  emptyTrash(store, now);
  const entries = await Array.fromAsync(Deno.readDir(`${store.root}/.trash`), ({ name }) => name);
  assert.deepEqual(entries.sort(), [trash.split("/")[1], fresh].sort());
});

Deno.test("emptyTrash() forgets the days of a store that is gone", async () => {
  const [gone, here] = [tempStore(), tempStore()];
  const other: Store = { ...gone, id: "gone", stateDir: here.stateDir };
  await trashed(other, newNote(other, "a"));
  const now = Date.now();
  emptyTrash(other, now);
  const known = (): boolean =>
    Deno.readTextFileSync(`${here.stateDir}/trash.json`).includes('"gone"');
  emptyDaily(here, now, 80);
  assert.equal(known(), true);
  emptyDaily(here, now + 80 * DAY_MS, 20);
  assert.equal(known(), false);
  assert.equal(emptyDaily(other, now + 100 * DAY_MS, 30), 0, "should it come back");
});

Deno.test("emptyTrash() counts the days that it was at work in any store, and again without its state", async () => {
  const [store, other] = [tempStore(), tempStore()];
  const beside = { ...other, stateDir: store.stateDir };
  const from = Date.now();
  await trashed(store, newNote(store, "a"));
  assert.equal(emptyTrash(store, from), 0);
  assert.equal(emptyDaily(beside, from, 40), 0);
  realFs.unlink(`${store.stateDir}/trash.json`);
  assert.equal(emptyTrash(store, from + 41 * DAY_MS), 0);
  assert.equal(emptyDaily(beside, from + 42 * DAY_MS, 30), 0);
  assert.equal(emptyTrash(store, from + 72 * DAY_MS), 1);
});

Deno.test("emptyTrash() begins anew where its count is damaged, and goes on where none can be written", async () => {
  const store = tempStore();
  await trashed(store, newNote(store, "a"));
  const count = `${store.stateDir}/trash.json`;
  for (
    const damaged of [
      "[]",
      '{"days":9}',
      '{"days":99,"lately":3,"since":null}',
      `{"days":99,"lately":[],"since":{"${store.id}":null}}`,
    ]
  ) {
    await Deno.writeTextFile(count, `${damaged}\n`);
    assert.equal(emptyTrash(store, Date.now() + 99 * DAY_MS), 0, damaged);
    assert.match(await Deno.readTextFile(count), /^\{"days":1,/, damaged);
  }
  assert.equal(emptyDaily(store, Date.now() + 100 * DAY_MS, 30), 0);
  const full: Fs = {
    ...realFs,
    open(path, options) {
      if (options?.write !== true) return realFs.open(path, options);
      throw Object.assign(new Error("no room"), { code: "ENOSPC" });
    },
  };
  assert.equal(emptyTrash({ ...store, fs: full }, Date.now() + 130 * DAY_MS), 1);
  assert.equal(emptyTrash(store, Date.now() + 131 * DAY_MS), 0);
  assert.match(await Deno.readTextFile(count), /"since":\{\}/);
});

Deno.test("foldInbox() merges with what a person wrote meanwhile", async () => {
  const store = tempStore();
  const path = newNote(store, "a", "first\n\nmiddle\n\nlast");
  const { text } = await loadNote(store, path);
  deferToInbox(store, {
    path,
    noteId: "a",
    updated: "",
    base: text,
    next: text.replace("last", "last, by Sage"),
  });
  writeOld(`${store.root}/${path}`, text.replace("first", "first, by Ann"));
  assert.deepEqual(foldInbox(store), { folded: 1, copies: [], left: 0, problems: [] });
  assert.match(read(store, path), /first, by Ann\n\nmiddle\n\nlast, by Sage/);
  assert.deepEqual(listInbox(store), []);
});

Deno.test("foldInbox() makes a conflict copy of a note with the longest name there is", () => {
  const store = tempStore();
  const path = `knowledge/${"ü".repeat(126)}.md`;
  const text = noteText("a", "line");
  writeOld(`${store.root}/${path}`, text.replace("line", "Ann"));
  const next = text.replace("line", "Sage");
  deferToInbox(store, { path, noteId: "a", updated: "", base: text, next });
  const { copies, problems } = foldInbox(store);
  assert.deepEqual(problems, []);
  assert.match(read(store, copies[0] ?? ""), /\nSage\n/);
  assert.deepEqual(listPaths(store).skipped.map(({ reason }) => reason), [CONFLICT_COPY]);
});

Deno.test("foldInbox() makes Sage's own changes alone in a store that nobody trusts", async () => {
  const store = { ...tempStore({ scope: "project" }), trust: "unknown" as const };
  const path = newNote(store, "a", "line");
  const { text } = await loadNote(store, path);
  const entry = { path, noteId: "a", updated: "", base: text, next: text.replace("line", "Sage") };
  const own = deferToInbox(store, entry);
  const forged = own.replace(/[0-9a-f]{16}\.json$/, "0123456789abcdef.json");
  writeOld(`${store.root}/${forged}`, JSON.stringify({ ...entry, next: "Eve" }));
  assert.deepEqual(foldInbox(store), { folded: 1, copies: [], left: 1, problems: [] });
  assert.match(read(store, path), /\nSage\n/);
  assert.deepEqual(listInbox(store), [forged]);
});

Deno.test("foldInbox() makes a conflict copy of what cannot be merged", async () => {
  const store = tempStore();
  const path = newNote(store, "a", "line");
  const { text } = await loadNote(store, path);
  deferToInbox(store, {
    path,
    noteId: "a",
    updated: "",
    base: text,
    next: text.replace("line", "Sage"),
  });
  writeOld(`${store.root}/${path}`, text.replace("line", "Ann"));
  // Whoever may read the note may read the copy, and nobody else.
  if (Deno.build.os !== "windows") await Deno.chmod(`${store.root}/${path}`, 0o640);
  const { copies } = foldInbox(store);
  assert.equal(copies.length, 1);
  assert.equal(modeOf(store, copies[0] ?? ""), modeOf(store, path));
  assert.match(read(store, path), /\nAnn\n/);
  assert.match(read(store, copies[0] ?? ""), /\nSage\n/);
  assert.deepEqual(listPaths(store).skipped, [{ path: copies[0], reason: "conflict copy" }]);
});

Deno.test("listInbox() takes for a change what Sage called so, and nothing else", () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const entry = { path, noteId: "a", updated: "", base: "", next: "x" };
  const own = deferToInbox(store, entry);
  const later = own.slice(7).replace(/^\d{4}/, "9999");
  const older = own.slice(7).replace(/^\d{4}/, "1999");
  for (
    const name of [later, older, "notes.json", later.replace(".json", ".sync-conflict-1.json")]
  ) {
    writeOld(`${store.root}/.inbox/${name}`, JSON.stringify(entry));
  }
  assert.deepEqual(listInbox(store), [`.inbox/${older}`, own, `.inbox/${later}`]);
  if (Deno.build.os !== "windows") assert.equal((modeOf(store, own) ?? 0) & 0o77, 0);
});

Deno.test("foldInbox() keeps no version of a note that says it already", async () => {
  const store = tempStore();
  const path = newNote(store, "a", "first");
  const { text } = await loadNote(store, path);
  const next = text.replace("first", "first, by Sage");
  deferToInbox(store, { path, noteId: "a", updated: "", base: text, next });
  // Who folded it in did not live to remove it.
  writeOld(`${store.root}/${path}`, next);
  assert.equal(foldInbox(store).folded, 1);
  assert.deepEqual([read(store, path), listVersions(store, "a")], [next, []]);
});

Deno.test("foldInbox() names the copy of what a person wrote at the same moment, and is done", async () => {
  const store = tempStore();
  const path = newNote(store, "a", "first");
  const { text } = await loadNote(store, path);
  deferToInbox(store, { path, noteId: "a", updated: "", base: text, next: `${text}Sage\n` });
  const fs: Fs = {
    ...realFs,
    rename(from, to) {
      if (to.endsWith("/a.md")) writeInto(realFs, to, { append: true }, [encode("Ann\n")]);
      realFs.rename(from, to);
    },
  };
  const { copies, left } = foldInbox({ ...store, fs });
  assert.deepEqual([copies.length, left, listInbox(store)], [1, 0, []]);
  assert.match(read(store, copies[0] ?? ""), /Ann\n$/);
  assert.match(read(store, path), /Sage\n$/);
});

Deno.test("foldInbox() makes a conflict copy beside a note that grew beyond what is read whole", async () => {
  const store = tempStore();
  const path = newNote(store, "a", "first\n\nmiddle\n\nlast");
  const { text } = await loadNote(store, path);
  const next = text.replace("first", "first, by Sage");
  deferToInbox(store, { path, noteId: "a", updated: "", base: text, next });
  const grown = text + `${"a line of a log ".repeat(100)}\n`.repeat(1000);
  writeOld(`${store.root}/${path}`, grown);
  const { copies } = foldInbox(store);
  assert.equal(read(store, path).length, grown.length);
  assert.match(read(store, copies[0] ?? ""), /first, by Sage/);
});

Deno.test("foldInbox() puts the change of a removed note into the trash, and drops a forgotten one's", async () => {
  const store = tempStore();
  for (const id of ["a", "b"]) {
    const path = newNote(store, id);
    const { text } = await loadNote(store, path);
    deferToInbox(store, { path, noteId: id, updated: "", base: text, next: `${text}changed\n` });
    await Deno.remove(`${store.root}/${path}`);
  }
  addTombstone(store.fs, store.stateDir, { id: "b", store });
  assert.equal(foldInbox(store).folded, 2);
  const [trash, ...others] = listTrash(store);
  assert.deepEqual([trash?.path, others], ["knowledge/a.md", []]);
  if (Deno.build.os !== "windows") assert.equal((modeOf(store, trash?.trash ?? "") ?? 0) & 0o77, 0);
  assert.deepEqual(listPaths(store).files, []);
});

Deno.test("foldInbox() leaves another note alone that has the name by now", async () => {
  const store = tempStore();
  const [path, gone] = [newNote(store, "a"), newNote(store, "c")];
  for (const [id, at] of [["a", path], ["c", gone]] as const) {
    const { text } = await loadNote(store, at);
    deferToInbox(store, {
      path: at,
      noteId: id,
      updated: "",
      base: text,
      next: `${text}changed\n`,
    });
  }
  await Deno.mkdir(`${store.root}/knowledge/sub`);
  await Deno.rename(`${store.root}/${path}`, `${store.root}/knowledge/sub/a.md`);
  const other = "---\nid: other\ntype: knowledge\n---\n# Other\n\nSomething else.\n";
  for (const at of [path, gone]) writeOld(`${store.root}/${at}`, other);
  assert.equal(foldInbox(store).folded, 2);
  assert.match(read(store, "knowledge/sub/a.md"), /changed\n$/);
  assert.deepEqual([read(store, path), read(store, gone)], [other, other]);
  // Removed and not moved: the change can be found in the trash.
  assert.deepEqual(listTrash(store).map((one) => one.path), [gone]);
  assert.deepEqual(listPaths(store).skipped, []);
});

Deno.test("foldInbox() leaves a busy note's change, and a damaged entry, for later", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const { text } = await loadNote(store, path);
  deferToInbox(store, { path, noteId: "a", updated: "", base: text, next: `${text}changed\n` });
  writeOld(`${store.root}/${path}`, `top\n${text}`);
  age(`${store.root}/${path}`, 0);
  const damaged = `${store.root}/.inbox/2026-01-13T14-30-00-0123456789abcdef.json`;
  await Deno.writeTextFile(
    damaged,
    '{"path":"../../x.md","noteId":"a","updated":"","base":"","next":"x"}',
  );
  const report = foldInbox(store);
  assert.deepEqual([report.folded, report.left, report.problems.length], [0, 2, 1]);
  age(`${store.root}/${path}`, 60_000);
  assert.equal(foldInbox(store).folded, 1);
  assert.match(read(store, path), /^top\n[^]*changed\n$/);
});

Deno.test("isForgotten() knows ids and contents, and neither can be read from the state", () => {
  const store = tempStore();
  const contentHash = sha256Hex("text");
  addTombstone(store.fs, store.stateDir, { id: "secret-plan", store, contentHash });
  addTombstone(store.fs, store.stateDir, { id: "secret-plan", store });
  const ask = (forgotten: Forgotten): boolean => isForgotten(store.fs, store.stateDir, forgotten);
  assert(ask({ id: "secret-plan", store }) && ask({ contentHash }));
  assert(ask({ id: "x", store, contentHash }));
  assert(!ask({ id: "x", store }) && !ask({ id: "x", store, contentHash: sha256Hex("y") }));
  const other = { scope: "project", home: "/elsewhere/.sage" } as const;
  assert(!ask({ id: "secret-plan", store: other }));
  // The person's own is one, wherever it lies by now; and so was an id, whatever its store.
  assert(ask({ id: "secret-plan", store: { ...store, home: "/elsewhere/.sage" } }));
  const before = `${store.stateDir}/tombstones/id-${sha256Hex("old-plan").slice(0, 32)}`;
  Deno.writeTextFileSync(before, "");
  assert(ask({ id: "old-plan", store }) && ask({ id: "old-plan", store: other }));
  const names = filesIn(`${store.stateDir}/tombstones`);
  const all = names.join() + names.map((name) => read(store, `state/tombstones/${name}`)).join();
  assert(!all.includes("secret") && !all.includes(contentHash));
});

Deno.test("isForgotten() knows a project's note by its folder and by its project, in either form of Unicode", () => {
  const { fs, stateDir } = tempStore();
  const kestrel = { scope: "project", home: "/kestrel/.sage", projectId: "kestrel" } as const;
  addTombstone(fs, stateDir, { id: "cafe\u0301", store: kestrel });
  const ask = (parts: { home?: string; projectId?: string }): boolean =>
    isForgotten(fs, stateDir, { id: "caf\u00e9", store: { ...kestrel, ...parts } });
  const [home, projectId] = ["/moved/.sage", "merlin"];
  assert.deepEqual([ask({ projectId }), ask({ home }), ask({ home, projectId })], [
    true,
    true,
    false,
  ]);
});

/** A note in every place that one can get to, each with the canary. */
async function spread(store: Store, canary: string): Promise<void> {
  const path = newNote(store, "secret-plan", canary);
  newNote(store, "other", "innocent");
  await updateNote(store, path, ({ text }) => `${text}again ${canary}\n`);
  const { text } = await loadNote(store, path);
  const { root } = store;
  writeOld(`${root}/knowledge/secret-plan.sync-conflict-20260113-143000-ABCDEFG.md`, text);
  writeOld(`${root}/knowledge/secret-plan.md.orig`, canary);
  writeOld(`${root}/knowledge/secret-plan 2.md`, `${text}as it was on the other machine\n`);
  writeOld(`${root}/knowledge/.secret-plan.md.sage-999999-0123456789abcdef.tmp`, canary);
  writeOld(`${root}/.trash/2026-01-13T14-30-00-01234567/knowledge/renamed.md`, text);
  writeOld(`${root}/archive/elsewhere.md`, text);
  writeOld(`${root}/todos/secret-plan.sync-conflict-20260113-143000-ABCDEFG.md`, canary);
  deferToInbox(store, { path, noteId: "secret-plan", updated: "", base: text, next: `${text}x` });
}

Deno.test("eraseNote() leaves nothing of a note anywhere, and everything of the others", async () => {
  const store = tempStore();
  await spread(store, "CANARY");
  writeOld(`${store.root}/knowledge/mention.md`, "# See secret-plan\n\nid: secret-plan\n");
  const named = "knowledge/secret-plan.sync-conflict-20260114-143000-ABCDEFG.md";
  writeOld(`${store.root}/${named}`, noteText("another", "It says whose it is."));
  const removed = await eraseNote(store, "secret-plan");
  assert.equal(removed.length, 10);
  assert.match(read(store, named), /whose it is/);
  await Deno.remove(`${store.root}/${named}`);
  const left = filesIn(store.root).filter((path) => !path.startsWith("state/locks/"));
  assert(left.every((path) => !read(store, path).includes("CANARY")), left.join("\n"));
  assert(left.every((path) => !path.includes("secret-plan")), left.join("\n"));
  assert.deepEqual(
    store.fs.list(`${store.root}/knowledge/.history`),
    [],
    "its folder bears the id",
  );
  assert.deepEqual(listPaths(store).files.map(({ path }) => path), [
    "knowledge/mention.md",
    "knowledge/other.md",
  ]);
  assert(isForgotten(store.fs, store.stateDir, { id: "secret-plan", store }));
  assert.deepEqual(await eraseNote(store, "secret-plan"), []);
});

Deno.test("eraseNote() finds a note whose id is escaped in its file", async () => {
  const store = tempStore();
  newNote(store, "other");
  writeOld(`${store.root}/knowledge/x.md`, '---\nid: "secret\\x2dplan"\n---\n# Plan\n\nCANARY\n');
  assert.deepEqual(await eraseNote(store, "secret-plan"), ["knowledge/x.md"]);
  assert.deepEqual(listPaths(store).files.map(({ path }) => path), ["knowledge/other.md"]);
});

Deno.test("eraseNote() looks again for what was written while it looked", async () => {
  const store = tempStore();
  newNote(store, "a", "CANARY");
  const late = `${store.root}/knowledge/a.sync-conflict-20260113-143000-ABCDEFG.md`;
  let isWritten = false;
  const unlink = (path: string): void => {
    if (!isWritten && path.endsWith("/knowledge/a.md")) {
      writeOld(late, noteText("a", "CANARY"));
      isWritten = true;
    }
    realFs.unlink(path);
  };
  await eraseNote({ ...store, fs: { ...realFs, unlink } }, "a");
  assert.deepEqual([isWritten, filesIn(`${store.root}/knowledge`)], [true, []]);
});

Deno.test("eraseNote() takes the note itself last, by which the rest is found again", async () => {
  const store = tempStore();
  await spread(store, "CANARY");
  const gone: string[] = [];
  const unlink = (path: string): void => {
    gone.push(path.slice(store.root.length + 1));
    realFs.unlink(path);
  };
  await eraseNote({ ...store, fs: { ...realFs, unlink } }, "secret-plan");
  const notes = gone.filter((path) => path.endsWith(".md") && !path.includes("/."));
  const last = ["knowledge/secret-plan.md", "archive/elsewhere.md"];
  assert.deepEqual(notes.filter((path) => last.includes(path)).length, 2);
  assert.ok(gone.findIndex((path) => last.includes(path)) >= gone.length - 3, gone.join("\n"));
});

Deno.test("eraseNote() cut short at any call is finished by the next, and never undone", async () => {
  for (let stopAt = 1; stopAt < 200; stopAt++) {
    const disk = freshDisk();
    const store = openOn(disk);
    createNote(store, { kind: "knowledge", stem: "a", text: (id) => noteText(id, "CANARY") });
    await updateNote(store, "knowledge/a.md", ({ text }) => text + "CANARY\n");
    const dying = disk.restarted({ stopAt });
    await eraseNote(openOn(dying), "a").catch(() => {});
    const isGone = ![...dying.files().values()].some((text) => text.includes("CANARY"));
    const next = openOn(dying.restarted());
    if (isGone) {
      assert(isForgotten(next.fs, next.stateDir, { id: "a", store: next }), `stop at ${stopAt}`);
    }
    await eraseNote(next, "a");
    const after = next.fs as CrashFs;
    assert(
      ![...after.files().values()].some((text) => text.includes("CANARY")),
      `stop at ${stopAt}`,
    );
    if (!dying.isStopped) return;
  }
  assert.fail("never ran to its end");
});

Deno.test("eraseNote() has returned: no power cut brings anything back", async () => {
  const disk = freshDisk();
  const store = openOn(disk);
  createNote(store, { kind: "knowledge", stem: "a", text: (id) => noteText(id, "CANARY") });
  await eraseNote(store, "a");
  for (const cut of disk.powerCuts()) {
    assert(![...cut.files().values()].some((text) => text.includes("CANARY")));
    assert(isForgotten(cut, store.stateDir, { id: "a", store }));
  }
});

Deno.test("trashNote() and replaceNote() put nothing behind a link that came with a clone", {
  ignore: Deno.build.os === "windows",
}, async () => {
  const store = tempStore({ scope: "project" });
  const path = newNote(store, "a");
  const outside = tempDir();
  await Deno.symlink(outside, `${store.root}/.trash`);
  await Deno.symlink(outside, `${store.root}/knowledge/.history`);
  const loaded = await loadNote(store, path);
  await assert.rejects(trashNote(store, loaded), { code: "unsafe_path" });
  await assert.rejects(replaceNote(store, loaded, noteText("a", "new")), { code: "unsafe_path" });
  assert.deepEqual([filesIn(outside), read(store, path)], [[], loaded.text]);
});

Deno.test("sweep() removes temporary files of the dead, old ones only, and nothing else", () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const temp = (pid: number): string => `.a.md.sage-${pid}-0123456789abcdef.tmp`;
  const [gone, kept] = [
    [
      "knowledge",
      "knowledge/in/folders",
      "knowledge/.history/a",
      "redirects",
      ".inbox",
      ".trash/x/knowledge",
      "state/instances",
    ].map((
      at,
    ) => `${at}/${temp(DEAD)}`),
    [
      `knowledge/${temp(Deno.pid)}`,
      "knowledge/.a.md.sage-1-0.tmp",
      "knowledge/.a.tmp",
      "knowledge/b.md",
      `somebody/${temp(DEAD)}`,
    ],
  ];
  for (const name of [...gone, ...kept]) writeOld(`${store.root}/${name}`, "x");
  for (const name of [...gone, ...kept]) age(`${store.root}/${name}`, 11 * 60_000);
  const young = `knowledge/.b.md.sage-${DEAD}-0123456789abcdef.tmp`;
  writeOld(`${store.root}/${young}`, "x");
  assert.equal(sweep(store), gone.length);
  const left = filesIn(store.root).filter((name) => !name.startsWith("state/"));
  assert.deepEqual(left, [path, young, ...kept].sort());
});

Deno.test("sweep() removes a temporary file of a day ago, whoever has its process id by now", () => {
  const store = tempStore();
  newNote(store, "a");
  const path = `${store.root}/knowledge/.a.md.sage-${Deno.pid}-0123456789abcdef.tmp`;
  writeOld(path, "x");
  for (const [hours, isLeft] of [[23, true], [25, false]] as const) {
    age(path, hours * 60 * 60_000);
    sweep(store);
    assert.equal(realFs.lstat(path) !== undefined, isLeft, `${hours} h`);
  }
});

Deno.test("sweep() leaves what was replaced just now, however old the note was", () => {
  const store = tempStore();
  newNote(store, "a");
  const digits = sha256Hex("an old note\n").slice(0, 16);
  const path = `${store.root}/knowledge/.a.md.sage-${DEAD}-${digits}.old.tmp`;
  writeOld(path, "an old note\n");
  age(path, 3 * DAY_MS);
  assert.equal(sweep(store), 0);
  assert.equal(Deno.readTextFileSync(path), "an old note\n");
});

Deno.test("sweep() removes a version that is the note itself, as a dead writer leaves it, and none made just now", () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const version = `${store.root}/knowledge/.history/a/2026-01-13T14-30-00.md`;
  Deno.mkdirSync(`${store.root}/knowledge/.history/a`, { recursive: true });
  Deno.linkSync(`${store.root}/${path}`, version);
  sweep(store);
  assert.equal(listVersions(store, "a").length, 1);
  // No file's ctime can be set back.
  const lstat: Fs["lstat"] = (of) => {
    const info = realFs.lstat(of);
    return info && { ...info, ctimeMs: info.ctimeMs - 11 * 60_000 };
  };
  sweep({ ...store, fs: { ...realFs, lstat } });
  assert.deepEqual(listVersions(store, "a"), []);
  assert.equal(read(store, path), noteText("a"));
});

Deno.test("sweep() empties the trash also where a hook's time is up before it comes to that", () => {
  const store = tempStore();
  const entry = "2025-01-01T00-00-00-0123abcd";
  writeOld(`${store.root}/.trash/${entry}/knowledge/a.md`, noteText("a"));
  const seen = { days: 32, lately: [], since: { [store.id]: { [entry]: 1 } } };
  writeOld(`${store.stateDir}/trash.json`, JSON.stringify(seen));
  sweep(store, -1);
  assert.equal(realFs.lstat(`${store.root}/.trash/${entry}`), undefined);
});

Deno.test("a sweep that a wrong clock noted ahead keeps none from the next", () => {
  const store = tempStore();
  const litter = `${store.root}/knowledge/.a.md.sage-${DEAD}-0123456789abcdef.tmp`;
  writeOld(litter, "");
  age(litter, 3 * DAY_MS);
  const mark = `${store.stateDir}/locks/${store.id}/swept`;
  writeOld(mark, "\n");
  age(mark, -365 * DAY_MS);
  newNote(store, "a");
  assert.equal(store.fs.lstat(litter), undefined);
});

Deno.test("one write sweeps, fifteen minutes later", async () => {
  const store = tempStore();
  const path = newNote(store, "a");
  const litter = `${store.root}/todos/.x.md.sage-${DEAD}-0123456789abcdef.tmp`;
  writeOld(litter, "x");
  age(litter, 15 * 60_000);
  await updateNote(store, path, ({ text }) => text + "1\n");
  assert(filesIn(`${store.root}/todos`).length === 1, "swept again too soon");
  age(`${store.stateDir}/locks/${store.id}/swept`, 15 * 60_000);
  await updateNote(store, path, ({ text }) => text + "2\n");
  assert.deepEqual(filesIn(`${store.root}/todos`), []);
});

Deno.test("listRedirects() tells all that can be read, whatever else lies there", () => {
  const store = tempStore();
  writeRedirect(store, {
    id: "a",
    to: "b",
    path: "knowledge/a.md",
    title: "A",
    moved: "2026-01-13",
  });
  writeOld(`${store.root}/redirects/closed.md`, "---\nid: c\n---\n");
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      if (!path.endsWith("/closed.md")) return realFs.open(path, options);
      throw Object.assign(new Error("denied"), { code: "EACCES" });
    },
  };
  assert.deepEqual(listRedirects({ ...store, fs }).map(({ id }) => id), ["a"]);
});

for (const quote of [`"`, `'`]) {
  Deno.test(`foldInbox() finds the note whose id a formatter has put in ${quote}`, () => {
    const store = tempStore();
    const path = newNote(store, "a", "one");
    const base = read(store, path);
    deferToInbox(store, {
      path,
      noteId: "a",
      updated: "2026-01-13T14:30:00Z",
      base,
      next: base + "\ntwo\n",
    });
    writeOld(`${store.root}/${path}`, base.replace("id: a", `id: ${quote}a${quote} # stays`));
    assert.deepEqual(foldInbox(store), { folded: 1, copies: [], left: 0, problems: [] });
    assert.match(read(store, path), /two\n$/);
  });
}

Deno.test("eraseNote() looks again where a file goes away under its eyes, and finds the note elsewhere", async () => {
  const store = tempStore();
  const path = newNote(store, "secret");
  let isMoved = false;
  const open: Fs["open"] = (at, options) => {
    if (!isMoved && at === `${store.root}/${path}`) {
      isMoved = true;
      Deno.renameSync(at, `${store.root}/knowledge/0-called-otherwise.md`);
    }
    return realFs.open(at, options);
  };
  const erased = await eraseNote({ ...store, fs: { ...realFs, open } }, "secret");
  assert.deepEqual(erased, ["knowledge/0-called-otherwise.md"]);
  assert.deepEqual(listPaths(store).files, []);
});

Deno.test("sweep() clears up and empties the trash where one folder may not be looked into", () => {
  const store = tempStore();
  newNote(store, "a");
  const old = `${store.root}/.trash/2020-01-01T00-00-00-0123abcd/knowledge/old.md`;
  writeOld(old, "old");
  const litter = `${store.root}/todos/.t.md.sage-${DEAD}-0123456789abcdef.tmp`;
  writeOld(litter, "half of i");
  age(litter, 2 * DAY_MS);
  Deno.mkdirSync(`${store.root}/knowledge/locked`);
  const refuse = (path: string): void => {
    if (!path.includes("/locked")) return;
    throw Object.assign(new Error("not for you"), { code: "EACCES" });
  };
  const fs: Fs = { ...realFs, list: (path) => (refuse(path), realFs.list(path)) };
  assert.equal(sweep({ ...store, fs }), 1);
  assert.equal(realFs.lstat(litter), undefined);
});
