/** What a change adds, out of real and made-up words of git. */
import assert from "node:assert/strict";
import { AddedLines } from "../../src/guard/added_lines.ts";
import { changedPaths } from "../../src/guard/diff_paths.ts";
import { assertLinear } from "../support/linear.ts";

interface Text {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly number[];
}

function read(
  text: string,
): { added: Text[]; files: readonly string[]; binary: readonly string[] } {
  const change = new AddedLines();
  const added: Text[] = [];
  const take = (): void => {
    for (const { path, bytes, lines } of change.take()) {
      added.push({ path, text: new TextDecoder().decode(bytes), lines });
    }
  };
  for (const line of text.split("\n")) {
    change.push(new TextEncoder().encode(line));
    take();
  }
  change.end();
  take();
  return { added, files: change.files, binary: change.binary };
}

Deno.test("AddedLines gives each added line with its number", () => {
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

Deno.test("AddedLines reads on behind a last line that had no end", () => {
  const { added } = read([
    "diff --git a/a.ts b/a.ts",
    "--- a/a.ts",
    "+++ b/a.ts",
    "@@ -1 +1 @@",
    "-before",
    "\\ No newline at end of file",
    "+after",
    "\\ No newline at end of file",
  ].join("\n"));
  assert.deepEqual(added, [{ path: "a.ts", text: "after", lines: [1] }]);
});

Deno.test("AddedLines hands out a long file in parts, before it is at its end", () => {
  const change = new AddedLines();
  const push = (line: string): void => change.push(new TextEncoder().encode(line));
  for (const line of ["diff --git a/a b/a", "+++ b/a", "@@ -0,0 +1,3000 @@"]) push(line);
  for (let n = 0; n < 3000; n++) push("+" + "x".repeat(400));
  const [first, ...more] = change.take();
  assert.ok(first !== undefined && first.lines.length < 3000 && more.length === 0);
  change.end();
  const [rest] = change.take();
  assert.deepEqual([rest?.path, rest?.lines.at(-1)], ["a", 3000]);
  assert.equal(rest?.lines[0], first.lines.length + 1);
});

Deno.test("AddedLines gives a long line alone and in pieces, each with the end of the one before", () => {
  const change = new AddedLines();
  const push = (line: string, goesOn = false): void =>
    change.push(new TextEncoder().encode(line), goesOn);
  for (const line of ["diff --git a/a b/a", "+++ b/a", "@@ -1,2 +1,5 @@", "+x"]) push(line);
  const end = "b".repeat(16 * 1024);
  push(`-${"gone"}`, true);
  push("gone, too");
  push(`+${"a".repeat(900_000)}${end}`, true);
  const [before, first] = change.take();
  assert.deepEqual([before?.lines, first?.lines, first?.isRest], [[1], [2], true]);
  assert.deepEqual([first?.bytes.length, first?.before], [900_000 + end.length, 0]);
  push("c".repeat(100), true);
  const [second] = change.take();
  assert.deepEqual([second?.lines, second?.before], [[2], 900_000]);
  assert.equal(new TextDecoder().decode(second?.bytes), end + "c".repeat(100));
  push("");
  push("+y");
  push(" stays");
  push("+z");
  for (const line of ["diff --git a/b b/b", "+++ b/b", "@@ -0,0 +1 @@", "+w"]) push(line);
  change.end();
  const [rest, other, ...more] = change.take();
  assert.deepEqual([rest?.lines, rest?.before, more], [[3, 5], 0, []]);
  assert.equal(new TextDecoder().decode(rest?.bytes), "y\nz");
  assert.deepEqual([other?.path, other?.isRest, other?.isBehindEnd], ["b", false, false]);
});

Deno.test("AddedLines takes no content for a head", () => {
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

Deno.test("AddedLines tells messages from files, and what is gone, renamed, empty or binary", () => {
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
    "diff --git a/gone-empty b/gone-empty",
    "deleted file mode 100644",
    "index e69de29..0000000",
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

Deno.test("AddedLines reads a merge: what came with either side or by hand", () => {
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

Deno.test("AddedLines reads a merge of many", () => {
  for (const parents of [1, 2, 3, 4, 5]) {
    const at = "@".repeat(parents + 1);
    const ranges = "-1,2 ".repeat(parents);
    const { added } = read([
      "diff --cc a.ts",
      "--- a/a.ts",
      "+++ b/a.ts",
      `${at} ${ranges}+7,2 ${at} - +9,9`,
      `${"-".repeat(parents)}gone`,
      `${"+".repeat(parents)}by hand`,
      `${" ".repeat(parents)}stays`,
      `${" ".repeat(parents - 1)}-gone too`,
      "diff --cc b.ts",
    ].join("\n"));
    assert.deepEqual(added, [{ path: "a.ts", text: "by hand", lines: [7] }], at);
  }
});

Deno.test("AddedLines knows a file that only moved, was copied, or is binary under any name", () => {
  const { files, binary } = read([
    "diff --git a/a.md b/.sage/local/a.md",
    "similarity index 100%",
    "rename from a.md",
    "rename to .sage/local/a.md",
    "diff --git a/b.md b/b2.md",
    "similarity index 100%",
    "copy from b.md",
    "copy to b2.md",
    'diff --git "a/\\303\\244.md" "b/\\303\\244.md"',
    "new file mode 100644",
    'Binary files /dev/null and "b/\\303\\244.md" differ',
    "diff --git i/mode.sh w/mode.sh",
    "old mode 100644",
    "new mode 100755",
    "diff --git plain.md plain.md",
    "new file mode 100644",
    'diff --git "a/x\\ty" "b/\\303\\266"',
    "similarity index 100%",
    'rename from "x\\ty"',
    'rename to "\\303\\266"',
    "diff --cc both.png",
    "index 1,2..3",
    "Binary files differ",
  ].join("\n"));
  assert.deepEqual(files, [
    ...[".sage/local/a.md", "b2.md", "ä.md", "mode.sh", "plain.md", "ö", "both.png"],
  ]);
  assert.deepEqual(binary, ["ä.md", "both.png"]);
});

Deno.test("AddedLines and changedPaths() cost in proportion to a hostile head", async () => {
  await assertLinear((text) => read(`diff --git a/${text}`), [" b/"]);
  await assertLinear((text) => changedPaths(`diff --git a/${text}`), [" b/"]);
});

Deno.test("AddedLines looks at plain text as it stands", () => {
  assert.deepEqual(read("one\ntwo").added, [{ path: "(stdin)", text: "one\ntwo", lines: [1, 2] }]);
  assert.deepEqual(read("").added, [{ path: "(stdin)", text: "", lines: [1] }]);
});

Deno.test("AddedLines survives what is torn and hostile", () => {
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

const SHA = "3cacf6d" + "0".repeat(33);
const HUNK = [
  "diff --git a/f b/f",
  "index 1..2 100644",
  "--- a/f",
  "+++ b/f",
  "@@ -1 +1 @@",
  "-x",
  "+y",
];

for (
  const head of [
    `commit ${SHA} (HEAD -> main, tag: v1)`,
    `commit ${SHA} (from ${"1".repeat(40)})`,
    `commit - ${SHA}`,
    `commit >${SHA} ${"1".repeat(40)}`,
  ]
) {
  Deno.test(`AddedLines reads the message below "${head.replaceAll(/0+|1{9,}/g, "…")}"`, () => {
    const { added, files } = read(
      [...HUNK, "", head, "", "    the subject", "", ...HUNK].join("\n"),
    );
    assert.deepEqual(added.map(({ path, text }) => [path, text.trim()]), [
      ["f", "y"],
      ["(commit 3cacf6d)", "the subject"],
      ["f", "y"],
    ]);
    assert.deepEqual(files, ["f", "f"]);
  });
}

Deno.test("AddedLines reads what stands between two files in no form of git's own", () => {
  const { added } = read([
    ...HUNK,
    "\\ No newline at end of file",
    "3cacf6d the subject of a line",
    ...HUNK,
    "-- ",
    "2.39.5",
    "",
    `From ${SHA} Mon Sep 17 00:00:00 2001`,
    "Subject: the second of two mails",
    ...HUNK,
  ].join("\n"));
  assert.deepEqual(added.map(({ path, text, lines }) => [path, text, lines]), [
    ["f", "y", [1]],
    ["(stdin)", "3cacf6d the subject of a line", [9]],
    ["f", "y", [1]],
    [
      "(stdin)",
      `2.39.5\n\nFrom ${SHA} Mon Sep 17 00:00:00 2001\nSubject: the second of two mails`,
      [18, 19, 20, 21],
    ],
    ["f", "y", [1]],
  ]);
});

for (
  const [what, head] of [
    ["a move", ["similarity index 100%", "rename from f", "rename to g"]],
    ["a mode", ["old mode 100644", "new mode 100755"]],
    ["an empty file", ["new file mode 100644", "index 0000000..e69de29"]],
    ["data", [
      "index 1..2 100644",
      "GIT binary patch",
      "literal 4",
      "Dcmdnb",
      "",
      "literal 10",
      "JcmezW|Noyq1}OXg",
      "",
    ]],
  ] as const
) {
  Deno.test(`AddedLines reads what stands behind ${what}`, () => {
    const { added } = read(
      ["diff --git a/f b/g", ...head, "-- ", "2.39.5", "", "Subject: the second", ...HUNK].join(
        "\n",
      ),
    );
    assert.deepEqual(added.map(({ path, text }) => [path, text]), [
      ["(stdin)", "2.39.5\n\nSubject: the second"],
      ["f", "y"],
    ]);
  });
}

Deno.test("AddedLines takes nothing that a merge has removed for words of anybody", () => {
  const { added } = read([
    "diff --cc f",
    "index 1,2..3",
    "--- a/f",
    "+++ b/f",
    "@@@ -1,2 -1,2 +1,1 @@@",
    "++both",
    "- mine",
    " -theirs",
    "--gone",
  ].join("\n"));
  assert.deepEqual(added, [{ path: "f", text: "both", lines: [1] }]);
});
