/** What a change adds, out of real and made-up words of git. */
import assert from "node:assert/strict";
import { type Added, addedLines } from "../../src/guard/added_lines.ts";

function read(
  text: string,
): { added: Added[]; files: readonly string[]; binary: readonly string[] } {
  const change = addedLines();
  const added: Added[] = [];
  for (const line of text.split("\n")) {
    change.push(line);
    added.push(...change.take());
  }
  change.end();
  added.push(...change.take());
  return { added, files: change.files, binary: change.binary };
}

Deno.test("addedLines() gives each added line with its number", () => {
  const { added, files } = read([
    "diff --git a/a.ts b/a.ts",
    "index 1..2 100644",
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@ -1,2 +1,2 @@ function x() {",
    "-gone",
    "+came",
    " stays",
    "@@ -10 +11,2 @@",
    "-x",
    "+y",
    "+z",
    "\\ No newline at end of file",
    "diff --git a/new.md b/new.md",
    "new file mode 100644",
    "--- /dev/null",
    "+++ b/new.md",
    "@@ -0,0 +1 @@",
    "+only",
  ].join("\n"));
  assert.deepEqual(added, [
    { path: "a.ts", text: "came\ny\nz", lines: [1, 11, 12] },
    { path: "new.md", text: "only", lines: [1] },
  ]);
  assert.deepEqual(files, ["a.ts", "new.md"]);
});

Deno.test("addedLines() takes no content for a head", () => {
  const { added, files } = read([
    "diff --git a/a.md b/a.md",
    "--- a/a.md",
    "+++ b/a.md",
    "@@ -1,3 +1,4 @@",
    "--- a/other.md",
    "+++ b/other.md",
    "+diff --git a/x b/x",
    "+@@ -1 +1 @@",
    "-@@ -1 +1 @@",
    "-- x",
    "+last",
  ].join("\n"));
  assert.deepEqual(files, ["a.md"]);
  assert.deepEqual(added.map(({ text }) => text), [
    "++ b/other.md\ndiff --git a/x b/x\n@@ -1 +1 @@\nlast",
  ]);
});

Deno.test("addedLines() tells messages from files, and what is gone, renamed, empty or binary", () => {
  const sha = "a".repeat(40);
  const { added, files, binary } = read([
    `commit ${sha}`,
    " Subject",
    " diff --git a/not b/not",
    "",
    "diff --git a/gone b/gone",
    "deleted file mode 100644",
    "--- a/gone",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-x",
    "diff --git a/logo.png b/logo.png",
    "new file mode 100644",
    "Binary files /dev/null and b/logo.png differ",
    "diff --git a/empty b/empty",
    "new file mode 100644",
    "index 0000000..e69de29",
    `commit ${"b".repeat(64)}`,
    " Second",
  ].join("\n"));
  assert.deepEqual(added.map(({ path, text }) => [path, text]), [
    ["(commit aaaaaaa)", " Subject\n diff --git a/not b/not\n"],
    ["(commit bbbbbbb)", " Second"],
  ]);
  assert.deepEqual(files, ["logo.png", "empty"]);
  assert.deepEqual(binary, ["logo.png"]);
});

Deno.test("addedLines() reads a merge: what came with either side or by hand", () => {
  const { added } = read([
    "diff --cc a.ts",
    "index 1,2..3",
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@@ -1,2 -1,2 +1,3 @@@",
    "- ours",
    " -theirs",
    "++by hand",
    "+ theirs too",
    "  both",
    `commit ${"c".repeat(40)}`,
    " after",
  ].join("\n"));
  assert.deepEqual(added[0], { path: "a.ts", text: "by hand\ntheirs too", lines: [1, 2] });
  assert.equal(added[1]?.path, "(commit ccccccc)");
});

Deno.test("addedLines() looks at plain text as it stands", () => {
  assert.deepEqual(read("one\ntwo").added, [{ path: "(stdin)", text: "one\ntwo", lines: [1, 2] }]);
  assert.deepEqual(read("").added, [{ path: "(stdin)", text: "", lines: [1] }]);
});

Deno.test("addedLines() survives what is torn and hostile", () => {
  for (
    const text of [
      "@@",
      "diff --git a/a b/a\n@@ garbage",
      "diff --git a/a b/a\n+++ b/a\n@@ -1,99999999 +1,99999999 @@\n+x",
      "diff --cc a\n+++ b/a\n@@@@@@@ -1 -1 -1 -1 -1 -1 +1 @@@@@@@\n+",
      "+++ b/a\n@@ -0,0 +1 @@\n+x",
    ]
  ) read(text);
  const { added } = read("diff --git a/a b/a\n+++ b/a\n@@ -1,9 +1,9 @@\n+secret");
  assert.equal(added[0]?.text, "secret");
});
