import assert from "node:assert/strict";
import { changedPaths } from "../../src/guard/diff_paths.ts";

const of = (text: string): string[] => [...changedPaths(text)].sort();

Deno.test("changedPaths() reads what git prints of names", () => {
  assert.deepEqual(of("src/a.ts\nb c.md\n"), ["b c.md", "src/a.ts"]);
  assert.deepEqual(of("src/a.ts\0b.md\0"), ["b.md", "src/a.ts"]);
  // A name may begin or end like a status.
  assert.deepEqual(of("README.md\ndocs/A\n"), ["README.md", "docs/A"]);
  assert.deepEqual(of("A\0README.md\0M\0docs/A\0"), ["README.md", "docs/A"]);
  assert.deepEqual(of("M\tsrc/a.ts\nR100\told.ts\tnew.ts\nD\tgone\n"), [
    "gone",
    "new.ts",
    "old.ts",
    "src/a.ts",
  ]);
  assert.deepEqual(of("M\0src/a.ts\0R086\0old.ts\0new.ts\0"), ["new.ts", "old.ts", "src/a.ts"]);
  assert.deepEqual(of('"\\303\\244 \\"x\\".ts"\n'), ['ä "x".ts']);
  assert.deepEqual(of('"a\\tb\\\\c"\n'), ["a\tb\\c"]);
  assert.deepEqual(of(""), []);
});

Deno.test("changedPaths() reads a diff: changed, new, gone, renamed, binary", () => {
  const diff = [
    "diff --git a/src/a.ts b/src/a.ts",
    "index 111..222 100644",
    "--- a/src/a.ts",
    "+++ b/src/a.ts",
    "@@ -1 +1 @@",
    "-one",
    "+two",
    "diff --git a/gone.ts b/gone.ts",
    "deleted file mode 100644",
    "--- a/gone.ts",
    "+++ /dev/null",
    "diff --git a/old name.ts b/new.ts",
    "similarity index 100%",
    "rename from old name.ts",
    "rename to new.ts",
    "diff --git a/logo.png b/logo.png",
    "Binary files a/logo.png and b/logo.png differ",
    'diff --git "a/\\303\\244.ts" "b/\\303\\244.ts"',
    '--- "a/\\303\\244.ts"',
    '+++ "b/\\303\\244.ts"',
    "",
  ].join("\n");
  assert.deepEqual(of(diff), ["gone.ts", "logo.png", "new.ts", "old name.ts", "src/a.ts", "ä.ts"]);
  assert.deepEqual(of(diff.replaceAll("\n", "\r\n")).length, 6);
});

Deno.test("changedPaths() reads a merge, and a diff that no line of git's begins", () => {
  const merge = ["a.png", "b c.png"].map((path, i) => `diff --${i ? "combined" : "cc"} ${path}`);
  assert.deepEqual(of(merge.join("\nBinary files differ\n")), ["a.png", "b c.png"]);
  const plain = "--- /dev/null\n+++ b/new.ts\n@@ -0,0 +1 @@\n+to rename from here\n";
  assert.deepEqual(of(plain), ["new.ts"]);
});
