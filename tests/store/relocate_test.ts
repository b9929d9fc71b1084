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
