/** Files of a store on their way to another root: of two texts under one name both are there afterwards. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { copyNotes, moveNotes } from "../../src/store/relocate.ts";
import { filesIn, tempDir, writeOld } from "../support/temp_store.ts";

Deno.test("moveNotes() loses no text when the name of its conflict copy is taken as well", () => {
  const [from, to] = [tempDir(), tempDir()];
  writeOld(`${from}/knowledge/a.md`, "from here");
  writeOld(`${to}/knowledge/a.md`, "from there");
  let taken = 0;
  const fs: Fs = {
    ...realFs,
    link(source, target) {
      // Somebody made a copy of the same name a moment ago.
      if (target.includes(".sage-conflict-") && taken++ === 0) writeOld(target, "another copy");
      realFs.link(source, target);
    },
  };
  moveNotes(fs, { from, to, names: new Map(), mode: 0o700 });
  const texts = filesIn(to).map((path) => Deno.readTextFileSync(`${to}/${path}`)).sort();
  assert.deepEqual(texts, ["another copy", "from here", "from there"]);
  assert.deepEqual(filesIn(from), []);
});

Deno.test("moveNotes() lists no folder for each of its files, when they were copied before", () => {
  const [from, to] = [tempDir(), tempDir()];
  for (let i = 0; i < 50; i++) writeOld(`${from}/knowledge/${i}.md`, `note ${i}`);
  const relocation = { from, to, names: new Map(), mode: 0o700 };
  copyNotes(realFs, relocation);
  let lists = 0;
  const list: Fs["list"] = (path) => (lists++, realFs.list(path));
  assert.deepEqual(moveNotes({ ...realFs, list }, relocation), { files: 50, left: [] });
  assert.equal(filesIn(to).length, 50);
  assert.ok(lists < 10, `${lists}`);
});

for (const [disk, link] of [["one disk", realFs.link], ["two", noLink]] as const) {
  Deno.test(`moveNotes() takes along what an editor saves meanwhile, on ${disk}`, () => {
    const [from, to] = [tempDir(), tempDir()];
    writeOld(`${from}/knowledge/a.md`, "before");
    let saved = 0;
    const fs: Fs = {
      ...realFs,
      link,
      syncDir(path) {
        realFs.syncDir(path);
        // As editors save: another file under the name. Once when it is copied, once when it is compared.
        if (path.endsWith("/knowledge") && saved++ === 0) {
          Deno.writeTextFileSync(`${from}/new`, "what was saved");
          Deno.renameSync(`${from}/new`, `${from}/knowledge/a.md`);
        }
      },
    };
    moveNotes(fs, { from, to, names: new Map(), mode: 0o700 });
    const texts = filesIn(to).map((path) => Deno.readTextFileSync(`${to}/${path}`)).sort();
    assert.deepEqual(texts, ["before", "what was saved"]);
    assert.deepEqual(filesIn(from), []);
  });
}

function noLink(): never {
  throw Object.assign(new Error("another disk"), { code: "EXDEV" });
}

Deno.test("moveNotes() goes on where somebody removes a file meanwhile", () => {
  const [from, to] = [tempDir(), tempDir()];
  for (const name of ["a", "b"]) writeOld(`${from}/knowledge/${name}.md`, name);
  const gone = `${from}/knowledge/a.md`;
  const lstat: Fs["lstat"] = (path) => {
    if (path === gone && realFs.lstat(gone) !== undefined) Deno.removeSync(gone);
    return realFs.lstat(path);
  };
  moveNotes({ ...realFs, lstat }, { from, to, names: new Map(), mode: 0o700 });
  assert.deepEqual(filesIn(to), ["knowledge/b.md"]);
});

Deno.test("moveNotes() tells two texts of one length apart", () => {
  const [from, to] = [tempDir(), tempDir()];
  writeOld(`${from}/knowledge/a.md`, "from here");
  writeOld(`${to}/knowledge/a.md`, "elsewhere");
  moveNotes(realFs, { from, to, names: new Map(), mode: 0o700 });
  const texts = filesIn(to).map((path) => Deno.readTextFileSync(`${to}/${path}`)).sort();
  assert.deepEqual(texts, ["elsewhere", "from here"]);
});

Deno.test("moveNotes() puts nothing beside another a second time, and keeps what kind of file it is", () => {
  const [from, to] = [tempDir(), tempDir()];
  for (const name of ["a.md", "plan.png"]) {
    writeOld(`${from}/knowledge/${name}`, `${name} from here`);
    writeOld(`${to}/knowledge/${name}`, `${name} from there`);
  }
  const relocation = { from, to, names: new Map(), mode: 0o700 };
  // The first was cut short; on two disks a copy is known by its bytes alone.
  copyNotes({ ...realFs, link: noLink }, relocation);
  moveNotes({ ...realFs, link: noLink }, relocation);
  const names = filesIn(to).map((path) => path.replace(/\d.*\./, "*.").replace("knowledge/", ""));
  assert.deepEqual(names.sort(), [
    "a.md",
    "a.sage-conflict-*.md",
    "plan.png",
    "plan.png.sage-conflict-*.png",
  ]);
});

Deno.test("moveNotes() keeps when a file was written, also on another disk", () => {
  const [from, to] = [tempDir(), tempDir()];
  writeOld(`${from}/knowledge/a.md`, "a");
  const { mtime } = Deno.statSync(`${from}/knowledge/a.md`);
  moveNotes({ ...realFs, link: noLink }, { from, to, names: new Map(), mode: 0o700 });
  assert.deepEqual(Deno.statSync(`${to}/knowledge/a.md`).mtime, mtime);
});

Deno.test("moveNotes() calls a conflict copy by the name that its note has there", () => {
  const [from, to] = [tempDir(), tempDir()];
  const copy = "a.sage-conflict-20260101T000000Z.md";
  for (const name of ["a.md", copy]) writeOld(`${from}/knowledge/${name}`, name);
  const names = new Map([["knowledge/a.md", "knowledge/The oak.md"]]);
  moveNotes(realFs, { from, to, names, mode: 0o700 });
  assert.deepEqual(filesIn(to).sort(), [
    "knowledge/The oak.md",
    `knowledge/The oak${copy.slice(1)}`,
  ]);
});

Deno.test("moveNotes() takes nothing from where a link leads", () => {
  const [from, to, other] = [tempDir(), tempDir(), tempDir()];
  writeOld(`${other}/theirs.md`, "not Sage's");
  Deno.symlinkSync(other, `${from}/knowledge`);
  moveNotes(realFs, { from, to, names: new Map(), mode: 0o700 });
  assert.deepEqual([filesIn(other), filesIn(to)], [["theirs.md"], []]);
});

Deno.test("moveNotes() removes nothing that somebody keeps changing", () => {
  const [from, to] = [tempDir(), tempDir()];
  const note = `${from}/knowledge/a.md`;
  writeOld(note, "0");
  let saved = 0;
  const lstat: Fs["lstat"] = (path) => {
    if (path === note) Deno.writeTextFileSync(note, "x".repeat(++saved));
    return realFs.lstat(path);
  };
  assert.throws(
    () =>
      moveNotes({ ...realFs, lstat, link: noLink }, { from, to, names: new Map(), mode: 0o700 }),
    /somebody keeps changing it/,
  );
  assert.equal(Deno.readTextFileSync(note), "x".repeat(saved));
});

const SAVED: readonly (readonly [how: string, text: string, isOther: boolean, isLater: boolean])[] =
  [
    ["another file, as long and as old", "after!", true, false],
    ["the same file, longer and as old by a coarse clock", "what came after", false, false],
    ["the same file, as long and younger", "after!", false, true],
  ];

for (const [how, text, isOther, isLater] of SAVED) {
  Deno.test(`moveNotes() notices what is saved meanwhile by whatever tells it: ${how}`, () => {
    const [from, to] = [tempDir(), tempDir()];
    const note = `${from}/knowledge/a.md`;
    writeOld(note, "before");
    const { mtime } = Deno.statSync(note);
    let saved = 0;
    const syncDir: Fs["syncDir"] = (path) => {
      realFs.syncDir(path);
      if (path !== `${to}/knowledge` || saved++ > 0) return;
      const saving = isOther ? `${from}/new` : note;
      Deno.writeTextFileSync(saving, text);
      if (!isLater) Deno.utimeSync(saving, mtime ?? 0, mtime ?? 0);
      if (isOther) Deno.renameSync(saving, note);
    };
    moveNotes({ ...realFs, link: noLink, syncDir }, { from, to, names: new Map(), mode: 0o700 });
    const texts = filesIn(to).map((path) => Deno.readTextFileSync(`${to}/${path}`)).sort();
    assert.deepEqual(texts, [text, "before"].sort());
  });
}

Deno.test("moveNotes() on two disks copies for the eyes of the same people, and onto the disk", () => {
  const [from, to] = [tempDir(), tempDir()];
  const note = `${from}/knowledge/a.md`;
  writeOld(note, "mine alone");
  Deno.chmodSync(note, 0o600);
  let synced = 0;
  const open: Fs["open"] = (path, how) => {
    const file = realFs.open(path, how);
    const sync = file.sync.bind(file);
    return Object.assign(file, { sync: () => (synced++, sync()) });
  };
  moveNotes({ ...realFs, link: noLink, open }, { from, to, names: new Map(), mode: 0o700 });
  assert.equal((Deno.statSync(`${to}/knowledge/a.md`).mode ?? 0) & 0o777, 0o600);
  assert.equal(synced, 1);
});

Deno.test("moveNotes() leaves nothing half-copied where the other disk is full", () => {
  const [from, to] = [tempDir(), tempDir()];
  writeOld(`${from}/knowledge/a.md`, "too much");
  const open: Fs["open"] = (path, how) =>
    Object.assign(realFs.open(path, how), {
      write() {
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
      },
    });
  assert.throws(() =>
    moveNotes({ ...realFs, link: noLink, open }, { from, to, names: new Map(), mode: 0o700 })
  );
  assert.deepEqual([filesIn(from), filesIn(to)], [["knowledge/a.md"], []]);
});
