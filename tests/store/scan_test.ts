/** The walk and its comparison with what is known; R23: odd files cost nothing. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { conflictOf, numberedOf } from "../../src/store/conflict.ts";
import { openStore, type Store } from "../../src/store/handle.ts";
import { loadNote } from "../../src/store/load.ts";
import { scanStore } from "../../src/store/scan.ts";
import { type FileStamp, hasStamp, type KnownStamps } from "../../src/store/stamp.ts";
import { openIgnores } from "../../src/store/ignore.ts";
import { idOnDisk } from "../../src/store/sync_copies.ts";
import { listPaths, walkStore } from "../../src/store/walk.ts";
import { depth } from "../support/depth.ts";
import { foldingFs } from "../support/folding_fs.ts";
import { newNote, tempDir, tempStore, writeOld } from "../support/temp_store.ts";
import { assertQuick } from "../support/quick.ts";
import { run } from "../support/within.ts";

const isPosix = Deno.build.os !== "windows";

/** What an index hands to a scan. */
class Known extends Map<string, FileStamp> implements KnownStamps {
  isUnchanged(path: string, info: Omit<FileStamp, "racy">): boolean {
    const before = this.get(path);
    return before !== undefined && hasStamp(before, info);
  }
}

function known(store: Store): Known {
  const stamps = new Known();
  for (const change of scanStore(store, new Known())) {
    if (change.kind === "added") stamps.set(change.path, { ...change.stamp, racy: false });
  }
  return stamps;
}

function skipped(store: Store): Map<string, string> {
  return new Map(
    scanStore(store, new Known()).flatMap((change) =>
      change.kind === "skipped" ? [[change.path, change.reason] as const] : []
    ),
  );
}

Deno.test("scanStore() tells added, modified and removed", () => {
  const store = tempStore();
  for (const name of ["a", "b", "c"]) writeOld(`${store.root}/knowledge/${name}.md`, `# ${name}\n`);
  const before = known(store);
  assert.equal(before.size, 3);
  writeOld(`${store.root}/knowledge/b.md`, "# changed\n");
  Deno.removeSync(`${store.root}/knowledge/c.md`);
  writeOld(`${store.root}/todos/d.md`, "# d\n");
  const changes = scanStore(store, before).map(({ kind, path }) => `${kind} ${path}`);
  assert.deepEqual(changes.sort(), [
    "added todos/d.md",
    "modified knowledge/b.md",
    "removed knowledge/c.md",
  ]);
});

Deno.test("scanStore() reports a racy file again until it is quiet", () => {
  const store = tempStore();
  newNote(store, "a");
  const [first] = scanStore(store, new Known());
  assert(first?.kind === "added" && first.stamp.racy);
  const [second] = scanStore(store, new Known([[first.path, first.stamp]]));
  assert.equal(second?.kind, "modified");
  assert.deepEqual(
    scanStore(store, new Known([[first.path, { ...first.stamp, racy: false }]])),
    [],
  );
});

Deno.test("hasStamp() is false where anything differs, or the stamp is racy", () => {
  const stamp = { size: 1, mtimeMs: 2, ctimeMs: 3, inode: 4, racy: false };
  assert.equal(hasStamp(stamp, stamp), true);
  for (const other of [{ size: 9 }, { mtimeMs: 9 }, { ctimeMs: 9 }, { inode: 9 }]) {
    assert.equal(hasStamp(stamp, { ...stamp, ...other }), false, JSON.stringify(other));
  }
  assert.equal(hasStamp({ ...stamp, racy: true }, stamp), false);
});

Deno.test("scanStore() sees edits of the same size in the same millisecond", () => {
  const store = tempStore();
  const path = `${store.root}/knowledge/a.md`;
  const then = new Date("2026-01-01");
  for (let i = 0; i < depth(100, 2000); i++) {
    writeOld(path, "# a0\n");
    Deno.utimeSync(path, then, then);
    const stamps = new Known(
      scanStore(store, new Known()).flatMap((change) =>
        change.kind === "added" ? [[change.path, change.stamp] as const] : []
      ),
    );
    Deno.writeTextFileSync(path, "# b1\n");
    Deno.utimeSync(path, then, then);
    assert.equal(scanStore(store, stamps).length, 1);
  }
});

Deno.test("scanStore() does not believe in a store that became empty", () => {
  const store = tempStore();
  newNote(store, "a");
  const before = known(store);
  Deno.renameSync(store.root, `${store.root}-away`);
  const changes = scanStore(store, before);
  assert.deepEqual(changes.map(({ kind }) => kind), ["skipped"]);
  Deno.renameSync(`${store.root}-away`, store.root);
  Deno.removeSync(`${store.root}/knowledge/a.md`);
  assert.deepEqual(scanStore(store, before).map(({ kind }) => kind), ["removed"]);
});

Deno.test("scanStore() drops nothing below a folder that cannot be listed", () => {
  const store = tempStore();
  newNote(store, "a");
  const before = known(store);
  const list: Fs["list"] = (path) => {
    if (path.endsWith("/knowledge")) throw Object.assign(new Error("EIO"), { code: "EIO" });
    return realFs.list(path);
  };
  const changes = scanStore(openStore({ ...store, fs: { ...realFs, list } }), before);
  assert.deepEqual(changes, [{ kind: "skipped", path: "knowledge", reason: "unreadable (EIO)" }]);
});

Deno.test("scanStore() drops nothing that no list names and nobody can look at", () => {
  const store = tempStore();
  for (const name of ["a", "b"]) newNote(store, name);
  const before = known(store);
  const fs: Fs = {
    ...realFs,
    list: (path) => realFs.list(path).filter(({ name }) => name !== "b.md"),
    lstat(path) {
      if (path.endsWith("/b.md")) throw Object.assign(new Error("EIO"), { code: "EIO" });
      return realFs.lstat(path);
    },
  };
  const changes = scanStore(openStore({ ...store, fs }), before);
  assert.deepEqual(changes.filter(({ kind }) => kind === "removed"), []);
});

Deno.test("listPaths() looks into the folders of notes and nowhere else", () => {
  const store = tempStore();
  const inside = [
    "archive/a.md",
    "checkpoints/a.md",
    "knowledge/a.md",
    "knowledge/skills/git/a.md",
    "local/knowledge/a.md",
    "local/a.md",
    "sessions/a.md",
    "todos/a.md",
    "topics/deep/er/a.md",
  ];
  const outside = [
    "state/a.md",
    "models/m/a.md",
    "knowledge/.history/a/x.md",
    ".trash/x/a.md",
    ".inbox/a.md",
    "a.md",
    "shared_memory.md",
    "knowledge/a.txt",
    "knowledge/.hidden.md",
    "other/a.md",
  ];
  for (const path of [...inside, ...outside]) writeOld(`${store.root}/${path}`, "# x\n");
  assert.deepEqual(listPaths(store).files.map(({ path }) => path), inside.sort());
});

Deno.test("odd files are skipped with a reason, at once", { ignore: !isPosix }, async () => {
  const store = tempStore();
  newNote(store, "good");
  const folder = `${store.root}/knowledge`;
  const outside = tempDir();
  await Deno.writeTextFile(`${outside}/x.md`, "x");
  await run("mkfifo", { args: [`${folder}/fifo.md`] });
  // By its name alone: a socket's path has 103 bytes at most, and macOS's temporary folders are long.
  const before = Deno.cwd();
  Deno.chdir(folder);
  const socket = Deno.listen({ transport: "unix", path: "socket.md" });
  Deno.chdir(before);
  await Deno.symlink("/dev/zero", `${folder}/device.md`);
  await Deno.symlink("loop.md", `${folder}/loop.md`);
  await Deno.symlink(`${outside}/x.md`, `${folder}/out.md`);
  await Deno.symlink(outside, `${folder}/outside`);
  await Deno.symlink(folder, `${folder}/again`);
  await Deno.mkdir(`${folder}/folder.md`);
  await Deno.writeTextFile(`${folder}/empty.md`, "");
  await Deno.writeFile(`${folder}/binary.md`, new Uint8Array([0x89, 0x50, 0, 0, 1]));
  await Deno.truncate(await touched(`${folder}/huge.md`), 700 * 1024 * 1024);
  await Deno.writeTextFile(`${folder}/index.md`, "# Map\n");
  await Deno.writeTextFile(`${folder}/a:b.md`, "# x\n");
  const reasons = skipped(store);
  await assertQuick(() => skipped(store), 60);
  socket.close();
  assert.deepEqual(Object.fromEntries(reasons), {
    "knowledge/again": "a link",
    "knowledge/a:b.md": "it holds a backslash or a colon",
    "knowledge/binary.md": "binary",
    "knowledge/device.md": "a link",
    "knowledge/empty.md": "empty",
    "knowledge/fifo.md": "no regular file",
    "knowledge/folder.md": "a folder",
    "knowledge/huge.md": "larger than 16 MiB",
    "knowledge/index.md": "reserved name",
    "knowledge/loop.md": "a link",
    "knowledge/out.md": "a link",
    "knowledge/outside": "a link",
    "knowledge/socket.md": "no regular file",
  });
  for (const path of reasons.keys()) {
    if (
      path === "knowledge/index.md" || path === "knowledge/huge.md" || path === "knowledge/empty.md"
    ) continue;
    await assert.rejects(loadNote(store, path), path);
  }
});

async function touched(path: string): Promise<string> {
  await Deno.writeTextFile(path, "x");
  return path;
}

Deno.test("text in any state is a note: BOM, CRLF, no front matter, invalid UTF-8", async () => {
  const store = tempStore();
  const texts = { "bom.md": "\uFEFF# Bom\n", "crlf.md": "# Crlf\r\n", "plain.md": "just text" };
  for (const [name, text] of Object.entries(texts)) {
    writeOld(`${store.root}/knowledge/${name}`, text);
  }
  writeOld(`${store.root}/knowledge/latin1.md`, new Uint8Array([0x63, 0x61, 0x66, 0xe9]));
  const { files } = listPaths(store);
  assert.equal(files.length, 4);
  for (const { path } of files) assert.equal((await loadNote(store, path)).path, path);
});

Deno.test("conflict copies of sync tools are kept out and named", () => {
  const store = tempStore();
  const copies = [
    "a.sync-conflict-20260113-143000-ABCDEFG.md",
    "a (conflicted copy 2026-01-13).md",
    "a (Ann's conflicted copy 2026-01-13).md",
    "a (Ann (work)'s conflicted copy 2026-01-13).md",
    "a (Konfliktkopie von Ann 2026-01-13).md",
    "a (Ann の競合コピー 2026-01-13).md",
    "a 2.md",
    "a (1).md",
    "a.sage-conflict-2026-0001.md",
    "a (Case Conflict).md",
    "a_conflict-20260113-143000.md",
  ];
  writeOld(`${store.root}/knowledge/a.md`, "# a\n");
  for (const name of copies) writeOld(`${store.root}/knowledge/${name}`, "# a\n");
  writeOld(`${store.root}/knowledge/Chapter 2.md`, "# no copy\n");
  assert.deepEqual(
    [...skipped(store)].map(([, reason]) => reason),
    copies.map(() => "conflict copy"),
  );
  assert.deepEqual(listPaths(store).files.map(({ path }) => path), [
    "knowledge/Chapter 2.md",
    "knowledge/a.md",
  ]);
  for (const name of copies) assert(conflictOf(name) ?? numberedOf(name), name);
  for (
    const name of ["a.md", "2026-01-13T14-30-00_x.md", "a-2.md", "conflict.md", "a (conflicts).md"]
      .concat("Chapter 2 begins.md", "a (1) b.md", "a (retro 2026-01-13) b.md")
  ) {
    assert.equal(conflictOf(name) ?? numberedOf(name), undefined, name);
  }
});

Deno.test("a numbered note is none's copy unless it says the same", () => {
  const store = tempStore();
  const folder = `${store.root}/knowledge`;
  writeOld(`${folder}/Sprint.md`, "---\nid: sprint\n---\n# Sprint\n");
  writeOld(`${folder}/Sprint 2.md`, "# Sprint 2\n");
  writeOld(`${folder}/Sprint 3.md`, "---\ntype: knowledge\nid: sprint\n---\n# Sprint, edited\n");
  writeOld(`${folder}/Merge.md`, "# Merge\n");
  writeOld(`${folder}/Merge (conflict policy).md`, "# Policy\n");
  writeOld(`${folder}/Merge (retro 2026-01-13).md`, "# What we learned\n");
  assert.deepEqual(listPaths(store).files.map(({ path }) => path), [
    "knowledge/Merge (conflict policy).md",
    "knowledge/Merge (retro 2026-01-13).md",
    "knowledge/Merge.md",
    "knowledge/Sprint 2.md",
    "knowledge/Sprint.md",
  ]);
  writeOld(`${folder}/Merge 2.md`, "# The next merge\n");
  writeOld(`${folder}/Merge 3.md`, "# Merge\n");
  const merges = listPaths(store).files.filter(({ path }) => /Merge \d/.test(path));
  assert.deepEqual(merges.map(({ path }) => path), ["knowledge/Merge 2.md"]);
});

Deno.test("what has a machine's name behind its own is a copy where it has its note's id and title", () => {
  const store = tempStore();
  const folder = `${store.root}/knowledge`;
  const text = "---\nid: deploy\n---\n# Deploy\n\nOn Mondays.\n";
  writeOld(`${folder}/deploy.md`, text);
  writeOld(`${folder}/deploy-LAPTOP-AB12CD.md`, text.replace("Mondays", "Fridays"));
  writeOld(`${folder}/deploy-Anns-MacBook.md`, text.replace("Mondays", "Sundays"));
  // Begun as a copy; and notes of their own.
  writeOld(`${folder}/deploy-Windows.md`, text.replace("# Deploy", "# Deploy to Windows"));
  writeOld(`${folder}/deploy-LINUX.md`, text.replace("id: deploy", "id: linux"));
  writeOld(`${folder}/other-LAPTOP-AB12CD.md`, text);
  assert.deepEqual([...skipped(store)].sort(), [
    ["knowledge/deploy-Anns-MacBook.md", "conflict copy"],
    ["knowledge/deploy-LAPTOP-AB12CD.md", "conflict copy"],
  ]);
});

Deno.test("a numbered note is a copy from when its original is there, though it is as it was", () => {
  const store = tempStore();
  writeOld(`${store.root}/knowledge/Plan 2.md`, "# Plan\n");
  const before = known(store);
  assert.ok(before.has("knowledge/Plan 2.md"));
  writeOld(`${store.root}/knowledge/Plan.md`, "# Plan\n");
  const changes = scanStore(store, before).map(({ kind, path }) => `${kind} ${path}`);
  assert.deepEqual(changes.sort(), [
    "added knowledge/Plan.md",
    "removed knowledge/Plan 2.md",
    "skipped knowledge/Plan 2.md",
  ]);
});

Deno.test(".sageignore keeps files out of the walk", async () => {
  const store = tempStore({ scope: "project" });
  const projectDir = store.root.slice(0, store.root.lastIndexOf("/"));
  for (const name of ["a", "secret-b"]) writeOld(`${store.root}/knowledge/${name}.md`, "# x\n");
  writeOld(`${store.root}/knowledge/private/c.md`, "# x\n");
  await Deno.writeTextFile(`${projectDir}/.sageignore`, "# mine\nsecret-*\nprivate/\n");
  const places = { userRoot: tempDir(), home: tempDir(), projectDir };
  const ignores = await openIgnores(store.fs, places);
  assert.deepEqual(ignores.files, [`${projectDir}/.sageignore`]);
  assert.deepEqual(walkStore(store, { ignores }).files.map(({ path }) => path), ["knowledge/a.md"]);
  // What was known before it was excluded is to go, below a folder too.
  const changes = scanStore(store, known(store), { ignores });
  const removed = changes.flatMap(({ kind, path }) => kind === "removed" ? [path] : []);
  assert.deepEqual(removed.sort(), ["knowledge/private/c.md", "knowledge/secret-b.md"]);
});

Deno.test(".sageignore keeps a note out that iCloud took away as well", () => {
  const store = tempStore();
  writeOld(`${store.root}/knowledge/b.md`, "# b\n");
  const before = known(store);
  Deno.removeSync(`${store.root}/knowledge/b.md`);
  writeOld(`${store.root}/knowledge/.b.md.icloud`, "bplist00");
  const ignores = { files: ["x"], isIgnored: (path: string) => path.endsWith("/b.md") };
  assert.deepEqual(scanStore(store, before, { ignores }).map(({ kind }) => kind), [
    "skipped",
    "removed",
  ]);
});

Deno.test(".sageignore means a folder in either form of Unicode, wherever the project lies", async () => {
  for (const [typed, called] of [["é", "e\u0301"], ["e\u0301", "é"]] as const) {
    const home = tempDir();
    const projectDir = `${home}/Ren${called}`;
    await Deno.mkdir(projectDir);
    await Deno.writeTextFile(`${projectDir}/.sageignore`, `Priv${typed}/\n`);
    const ignores = await openIgnores(realFs, { userRoot: tempDir(), home, projectDir });
    for (const form of [typed, called]) {
      assert(ignores.isIgnored(`${home}/Ren${form}/Priv${form}/a.md`), JSON.stringify(form));
      assert(!ignores.isIgnored(`${home}/Ren${form}/other/a.md`));
    }
  }
});

Deno.test("a store of many notes is walked in time", () => {
  const store = tempStore();
  const count = depth(2000, 100_000);
  Deno.mkdirSync(`${store.root}/knowledge`, { recursive: true });
  for (let i = 0; i < count; i++) {
    Deno.writeTextFileSync(`${store.root}/knowledge/n${i}.md`, "# x\n");
  }
  assert.equal(listPaths(store).files.length, count);
  return assertQuick(() => listPaths(store), count / 4);
});

Deno.test("an id behind a run of spaces is read in one go", async () => {
  const store = tempStore();
  for (const gap of [" ", "\t"]) {
    writeOld(`${store.root}/knowledge/x.md`, `---\nid: a${gap.repeat(60_000)}x\n---\n# x\n`);
    writeOld(`${store.root}/knowledge/x 2.md`, "---\nid:  b \r\n---\n# x\n");
    await assertQuick(() => listPaths(store), 200, JSON.stringify(gap));
    assert.equal(idOnDisk(store, "knowledge/x 2.md"), "b");
  }
  writeOld(`${store.root}/knowledge/x 2.md`, "---\nid: \n---\n# x\n");
  assert.equal(idOnDisk(store, "knowledge/x 2.md"), undefined);
});

Deno.test("what the Finder and iCloud put beside notes is none; a note that iCloud took away is not removed", () => {
  const store = tempStore();
  const folder = `${store.root}/knowledge`;
  for (const name of ["a", "b"]) writeOld(`${folder}/${name}.md`, `# ${name}\n`);
  const before = known(store);
  for (const name of [".DS_Store", "._a.md", ".localized", "Icon\r", ".c.txt.icloud"]) {
    writeOld(`${folder}/${name}`, new Uint8Array([0, 5, 22, 7]));
  }
  Deno.removeSync(`${folder}/b.md`);
  writeOld(`${folder}/.b.md.icloud`, "bplist00");
  assert.deepEqual(scanStore(store, before), [
    { kind: "skipped", path: "knowledge/b.md", reason: "in iCloud, not on this disk" },
  ]);
});

Deno.test("a note that is called in another case, or in another form of Unicode, is the one that it was", () => {
  const store = { ...tempStore(), fs: foldingFs({ lists: "NFC" }) };
  const folder = `${store.root}/knowledge`;
  for (const name of ["auth", "café", "plan"]) writeOld(`${folder}/${name}.md`, `# ${name}\n`);
  const before = known(store);
  Deno.renameSync(`${folder}/auth.md`, `${folder}/Auth.md`);
  const told = (of: Store): string[] =>
    scanStore(of, before).map(({ kind, path }) => `${kind} ${path}`).sort();
  assert.deepEqual(told(store), ["added knowledge/Auth.md", "removed knowledge/auth.md"]);
  const nfd = "cafe\u0301";
  assert.deepEqual(told({ ...store, fs: foldingFs({ lists: "NFD" }) }), [
    "added knowledge/Auth.md",
    `added knowledge/${nfd}.md`,
    "removed knowledge/auth.md",
    "removed knowledge/café.md",
  ]);
});

Deno.test("two notes that differ by case alone are two where the disk tells them apart", {
  ignore: Deno.build.os !== "linux",
}, () => {
  const store = tempStore();
  for (const name of ["auth", "Auth"]) writeOld(`${store.root}/knowledge/${name}.md`, "# x\n");
  const before = known(store);
  const { list } = realFs;
  const fs: Fs = {
    ...realFs,
    list: (path) => list(path).filter(({ name }) => name !== "auth.md"),
  };
  assert.deepEqual(scanStore({ ...store, fs }, before), []);
});
