/** What somebody pasted without a fence, by the look of its lines, between what was typed. */
import assert from "node:assert/strict";
import { typedText, withoutMachineLines } from "../../src/detect/text/machine_lines.ts";

const PASTED: Readonly<Record<string, string>> = {
  "a stack": `TypeError: rows is not iterable
    at Importer.run (/app/src/importer.ts:41:9)`,
  "JSON": `{
  "name": "importer",
  "retries": 3
}`,
  "a patch": `diff --git a/importer.ts b/importer.ts
@@ -1,2 +1,2 @@
-const RETRIES = 3;
+const RETRIES = 5;`,
  "code": `for (const row of rows) {
  write(row);
}`,
  "code between empty lines": `import rows from "rows";

function run() {
  return rows;
}`,
  "a table of a terminal": `NAME        READY   STATUS
importer-0  0/1     CrashLoopBackOff`,
  "what a test prints": ` FAIL  importer.test.ts > writes rows
AssertionError: expected 3 to be 4

- 4
+ 3

 ❯ importer.test.ts:58:20`,
  "a shell and what it printed": `[07/16/26 18:05 main ~/src/importer] importer run
Watching the folder, press Ctrl-C to stop.

No file came in, so nothing was done.`,
  "the help of a command": `--format text   how rows are printed
--no-sync`,
  "a review with marks": `⚠️ Line 34: two values come back and one is dropped
✅ The lock is always let go`,
  "a comment of a patch": `- // Always ask the server
+ // Ask the server only when it changed`,
  "a browser's console": `importer-Bq7Zk2Wd.js:267 Starting the first run
orders?v=8c1&page=2:314 Content rendering complete
rows.ts:74 [Vue warn]: Component "Row" was registered before
rows.ts:80 🔄 Checking the state: pending`,
  "a request that a browser refused": `Failed to load resource: net::ERR_FILE_NOT_FOUND
Denying load of chrome-extension://abc/a.js. Resources must be listed in the manifest.
Access to fetch at 'https://api.example.com/rows' from origin 'https://example.com' has been blocked`,
  "a log": `2026-05-18 16:33:01 Could not reach the store of the rows
[2026-05-18T16:33:02Z] Trying once more in a minute`,
  "a log by its levels": `fail: Example.Data.Command[20102]
      an error of the store that nobody caught
info: Example.Data.Command[0]`,
  "what npm runs": `> importer@1.4.0 dev
> vite`,
  "a trace of Python": `Traceback (most recent call last):
  File "importer.py", line 12, in run`,
  "a panic": `thread 'main' panicked at src/main.rs:12: the rows have no end`,
  "the rest of a stack": `Caused by: the column has the wrong type
... 22 common frames omitted`,
  "a banner": `=== Importer Diagnostics ===`,
  "what a container prints": `/docker-entrypoint.sh: Looking for shell scripts in the folder
10-listen.sh: info: Getting the checksum of the settings
nginx: [warn] the directive makes sense only for another user`,
  "YAML": `apiVersion: apps/v1
kind: Deployment
spec:
  replicas: 2`,
};

for (const [what, pasted] of Object.entries(PASTED)) {
  Deno.test(`withoutMachineLines() leaves out ${what} and keeps what stands around it`, () => {
    const text = `The importer stalls, why?\n\n${pasted}\n\nTell me what to change.`;
    const kept = withoutMachineLines(text).split("\n").filter((line) => line.trim() !== "");
    assert.deepEqual(kept, ["The importer stalls, why?", "Tell me what to change."]);
  });
}

Deno.test("withoutMachineLines() leaves out a remark of a review that stands alone", () => {
  assert.equal(withoutMachineLines("(12) ✅ Right that it is here, since it needs the flags"), "");
});

const TYPED = [
  "+ the header too\n- and never the footer",
  "user@example.com wrote to us $ 5 was too much\nanswer him please",
  "- raise the retries to 5\n- sort the rows by date\n  - newest first\n- edit src/importer.ts",
  "1. the header\n2. the footer (smaller!)\n3. a test for both; then commit",
  "Notes:\n\nThe importer runs at 03:30.  It takes an hour.",
  "bump importer to 4.5 in apps/door/package.json",
  "为什么导入会卡住？\n请解释一下。",
  'rows.ts:12 rename the column to total\nimporter.ts:30 the same, and "page" too',
  "src/rows.ts:12: is this needed?\nimporter.ts:30 (and below) as well",
  "/settings: the button does nothing\nit should save",
  "=== means the same type as well, not only the same value\nuse it everywhere",
  "Wie heißt die Datenbank?\nUnd wo läuft sie?",
];

for (const typed of TYPED) {
  Deno.test(`withoutMachineLines() keeps ${JSON.stringify(typed.slice(0, 30))}`, () => {
    assert.equal(withoutMachineLines(typed), typed);
  });
}

Deno.test("withoutMachineLines() knows the line of a thrown error where its stack is gone", () => {
  const text = "Why does it stall?\n\njava.lang.IllegalStateException: Fragment not attached";
  assert.equal(withoutMachineLines(text).trim(), "Why does it stall?");
});

Deno.test("typedText() keeps of a document what stands in front of it, and what was added below", () => {
  const review = Array.from(
    { length: 8 },
    (_, i) =>
      `${
        i + 1
      }. The path in chapter ${i} is wrong: we always decided for the home folder, and never ` +
      "for the one of the system, because it is shared by all accounts of the machine.",
  ).join("\n");
  const text =
    `Another agent reviewed it:\n\n## Findings\n\n${review}\n\nTake 3 and 4, leave the rest.`;
  assert.equal(
    typedText(text).trim(),
    "Another agent reviewed it:\n\n\nTake 3 and 4, leave the rest.",
  );
  const rules = "From now on:\n- always sort the rows\n- never touch the queue";
  assert.equal(typedText(rules), rules);
});

Deno.test("typedText() drops what a compiler or linter says of a place", () => {
  for (
    const line of [
      "src/rates.rs:10:5: warning: rates should always be snake case, never camel case",
      "src/rates.ts(10,5): error TS2322: a rate must never be a string",
      "rates.py:14: error: A rate must always have a type",
    ]
  ) assert.equal(typedText(`fix it please\n${line}`).trim(), "fix it please", line);
  const said = "look at rates.ts:10, error handling must stay there\nand never round twice";
  assert.equal(typedText(said), said);
});

Deno.test("typedText() takes what a shell printed for no words of the person, up to its last prompt", () => {
  const shell = [
    "❯ git clone git@example.org:till.git",
    "Cloning into 'till'...",
    "fatal: Could not read from remote repository.",
    "",
    "Please make sure you have the correct access rights",
    "and the repository exists.",
    "❯ ssh-add",
    "Identity added",
    "",
  ];
  const prompt = `~➜${" ".repeat(40)}0s how do i fix this so that i can clone it`;
  const typed = typedText([...shell, prompt].join("\n"));
  assert.equal(typed.trim(), "how do i fix this so that i can clone it");
  const before = typedText(["look at this", ...shell, "❯ "].join("\n"));
  assert.equal(before.trim(), "look at this");
});

Deno.test("typedText() keeps nothing of what a reviewing program hands over", () => {
  const lead = "Verify this issue exists and fix it:";
  assert.equal(typedText(`${lead}\n\nThe rates should stay in one table instead of two.`), lead);
  const finding =
    "In `@src/rates.ts` around lines 40 - 52, the rates must be rounded once, and never twice.";
  assert.equal(typedText(`Please check this.\n\n${finding}`), "Please check this.");
});

Deno.test("typedText() keeps the title of a graded finding, and what stands before it", () => {
  const finding = "Missing index makes the search of orders slow\n\nMedium Severity\n\n" +
    "The query must use the index of the customer, and the comment should say so.";
  assert.equal(typedText(finding).trim(), "Missing index makes the search of orders slow");
  assert.equal(
    typedText(`can you look at this one?\n\n${finding}`).trim(),
    "can you look at this one?\n\nMissing index makes the search of orders slow",
  );
  const typed = "we always log with low severity in tests\nand never in the shop";
  assert.equal(typedText(typed), typed);
});
