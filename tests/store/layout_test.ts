/** R22: file names that work everywhere. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { FILE_NAME_BYTES_MAX } from "../../src/base/limits.ts";
import { conflictOf } from "../../src/store/conflict.ts";
import {
  fileName,
  foldName,
  isReservedName,
  numberedStem,
  safeStem,
} from "../../src/store/layout.ts";
import { pathProblem } from "../../src/store/paths.ts";
import { createNote } from "../../src/store/store.ts";
import { depth } from "../support/depth.ts";
import { filesIn, noteText, tempStore } from "../support/temp_store.ts";

const DEVICES = ["con", "PRN", "Aux", "nul", "COM1", "com9", "LPT1", "lpt9", "COM¹", "CONIN$"];
const INVISIBLE = [
  "\u200b",
  "\u200d",
  "\u202e",
  "\u2066",
  "\ufeff",
  "\u00ad",
  "\u{e0041}",
  "\ufe0f",
];

/** Titles that broke somebody's tool once. */
const TORTURE: readonly string[] = [
  "",
  " ",
  ".",
  "..",
  "...",
  "-",
  "--help",
  "~",
  "~root",
  "/etc/passwd",
  "..\\..\\x",
  'a/b\\c:d*e?f"g<h>i|j',
  "trailing dot.",
  "trailing space ",
  ".hidden",
  "nul.txt",
  "con.tar.gz",
  "index",
  "INDEX",
  "Log",
  "_index",
  "x.md",
  "x.MD",
  "Chapter 2",
  "Chapter (2)",
  "café",
  "cafe\u0301",
  "Straße",
  "STRASSE",
  "İstanbul",
  "ﬁ ligature",
  "한국어",
  "日本語のタイトル",
  "مرحبا بالعالم",
  "👨‍👩‍👧‍👦 family",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "\ud800 lone",
  "lone \udfff",
  "new\nline\ttab\r",
  "nul\0byte",
  "\x1b[31mred",
  "\u2028line",
  "[[wikilink]] #tag ^block",
  "%2e%2e%2f",
  "$(rm -rf ~)",
  "`x`; y & z",
  "a".repeat(500),
  "日".repeat(200),
  "👩‍🚀".repeat(60),
  "e\u0301".repeat(100),
  "a" + "\u0301".repeat(300),
  "x.sync-conflict-20260113-143000-ABCDEFG",
  ...DEVICES,
  ...DEVICES.map((name) => `${name}.md`),
  ...DEVICES.map((name) => `${name}. x`),
  ...INVISIBLE,
  ...INVISIBLE.map((mark) => `in${mark}visible`),
  ...INVISIBLE.map((mark) => `e${mark}\u0301`),
  ...INVISIBLE.map((mark) => `${mark}.${mark}`),
];

function assertGood(name: string, title: string): void {
  const shown = JSON.stringify(title);
  assert(new TextEncoder().encode(name).length <= FILE_NAME_BYTES_MAX, shown);
  assert.equal(name, name.normalize("NFC"), shown);
  assert(name.isWellFormed(), shown);
  assert.match(name, /.\.md$/, shown);
  assert.doesNotMatch(name, /[<>:"/\\|?*#^[\]]|\p{C}/u, shown);
  assert.doesNotMatch(name, /^[.~\s-]|[. ]\.md$/u, shown);
  assert.doesNotMatch(
    name,
    /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\.|$)/i,
    shown,
  );
  assert(!isReservedName(name), shown);
  assert.equal(pathProblem(`knowledge/${name}`), undefined, shown);
}

Deno.test("fileName() makes a good name of every title that broke something", () => {
  for (const title of TORTURE) assertGood(fileName(title), title);
});

Deno.test("fileName() makes a good name of any string, and again the same of it", () => {
  const strings = fc.oneof(
    fc.string({ unit: "binary", maxLength: 300 }),
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc.array(fc.constantFrom(...TORTURE), { maxLength: 4 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(strings, (title) => {
      const name = fileName(title);
      assertGood(name, title);
      const stem = name.slice(0, -3);
      assert.equal(safeStem(stem), stem);
    }),
    { numRuns: depth(3000, 100_000) },
  );
});

Deno.test("numberedStem() stays within the bounds and differs", () => {
  for (const title of TORTURE) {
    const names = [1, 2, 3, 1000].map((n) => `${numberedStem(title, n)}.md`);
    for (const name of names) assertGood(name, title);
    assert.equal(new Set(names.map(foldName)).size, 4);
  }
});

Deno.test("fileName() keeps what is readable", () => {
  assert.equal(fileName("Git: Worktrees"), "Git - Worktrees.md");
  assert.equal(fileName("a/b"), "a-b.md");
  assert.equal(fileName("日本語のタイトル"), "日本語のタイトル.md");
  assert.equal(fileName("nul"), "nul-note.md");
  assert.equal(fileName("index"), "index-note.md");
});

Deno.test("no title's file name looks like a conflict copy of another", () => {
  const titles = ["Chapter", "Chapter 2", "Chapter (2)", "Plan 3"];
  const names = new Set(titles.map(fileName));
  for (const name of names) assert.equal(conflictOf(name), undefined, name);
});

Deno.test("createNote() gives every title its own file, under NFC and case folding too", () => {
  const store = tempStore();
  const titles = [...TORTURE, ...TORTURE].slice(0, depth(120, 1000));
  const stems = titles.map((stem) =>
    createNote(store, { kind: "topic", stem, text: noteText }).stem
  );
  assert.equal(new Set(stems.map(foldName)).size, titles.length);
  assert.equal(filesIn(`${store.root}/topics`).length, titles.length);
});

Deno.test("createNote() sees a person's file of the same name in another case", () => {
  const store = tempStore();
  Deno.mkdirSync(`${store.root}/topics`, { recursive: true });
  Deno.writeTextFileSync(`${store.root}/topics/Git.md`, "# Git\n");
  assert.equal(createNote(store, { kind: "topic", stem: "git", text: "x" }).stem, "git-2");
});
