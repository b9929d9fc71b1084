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
