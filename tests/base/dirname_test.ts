/** Walks upwards end at a root: a store was once looked for in the process's own folder behind it. */
import assert from "node:assert/strict";
import { dirname } from "../../src/base/fs.ts";

Deno.test("dirname() of a root is the root", () => {
  assert.deepEqual(["/", "//", "C:/", "C:\\"].map(dirname), ["/", "//", "C:/", "C:\\"]);
});

Deno.test("dirname() is the folder of a path, whatever it ends with", () => {
  assert.deepEqual(["/a", "/a/b/", "a", "a/b", "C:/a"].map(dirname), ["/", "/a", ".", "a", "C:"]);
});
