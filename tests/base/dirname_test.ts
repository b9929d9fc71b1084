/** Walks upwards end at a root: a store was once looked for in the process's own folder behind it. */
import assert from "node:assert/strict";
import { dirname } from "../../src/base/path.ts";

Deno.test("dirname() of a root is the root", () => {
  assert.deepEqual(["/", "//", "C:/", "C:\\", "//server/share"].map(dirname), [
    "/",
    "//",
    "C:/",
    "C:\\",
    "//server/share",
  ]);
});

Deno.test("dirname() is the folder of a path, whatever it ends with", () => {
  assert.deepEqual(["/a", "/a/b/", "a", "a/b", "C:/a", "C:/a/b"].map(dirname), [
    "/",
    "/a",
    ".",
    "a",
    "C:/",
    "C:/a",
  ]);
});
