/** What a scan is told of the files of an index. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { tempDir } from "../support/temp_store.ts";

const STAMP = { size: 7, mtimeMs: 1_768_000_000_123, ctimeMs: 1_768_000_000_456, inode: 2 ** 40 };

Deno.test("isUnchanged() holds for the very same stamp alone, and never for a racy one", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const note = (path: string, racy: boolean) =>
    noteDocument(path, "some text", { stamp: { ...STAMP, racy } });
  index.apply(
    { put: [note("a.md", false), note("ä.md", false), note("b.md", true)], remove: [] },
    embedder,
  );
  // A second segment, which buries the first version of one.
  const newer = { ...STAMP, size: 8, racy: false };
  index.apply(
    { put: [noteDocument("ä.md", "other text", { stamp: newer })], remove: ["none.md"] },
    embedder,
  );
  const stamps = index.stamps();
  assert.deepEqual([...stamps.keys()].sort(), ["a.md", "b.md", "ä.md"]);
  assert.equal(stamps.size, 3);
  assert.deepEqual([stamps.has("a.md"), stamps.has("none.md")], [true, false]);
  assert.ok(stamps.isUnchanged("a.md", STAMP));
  for (const key of ["size", "mtimeMs", "ctimeMs", "inode"] as const) {
    assert.ok(!stamps.isUnchanged("a.md", { ...STAMP, [key]: STAMP[key] + 1 }), key);
  }
  assert.ok(stamps.isUnchanged("ä.md", newer));
  assert.ok(!stamps.isUnchanged("ä.md", STAMP));
  assert.ok(!stamps.isUnchanged("b.md", STAMP));
  assert.ok(!stamps.isUnchanged("none.md", STAMP));
  index.close();
  Deno.removeSync(dir, { recursive: true });
});

Deno.test("a note that was found again is as racy as it was then, and one that was removed is not known", () => {
  const dir = tempDir();
  const index = openIndex(dir, realFs, embedder.id);
  const note = (path: string, racy: boolean) =>
    noteDocument(path, "some text", { stamp: { ...STAMP, racy } });
  index.apply(
    { put: [note("a.md", true), note("b.md", false), note("c.md", false)], remove: [] },
    embedder,
  );
  index.apply({ put: [note("a.md", false), note("b.md", true)], remove: ["c.md"] }, embedder);
  const stamps = index.stamps();
  assert.deepEqual([...stamps.keys()].sort(), ["a.md", "b.md"]);
  assert.deepEqual(["a.md", "b.md", "c.md"].map((path) => stamps.isUnchanged(path, STAMP)), [
    true,
    false,
    false,
  ]);
  index.close();
});
