/** R13: whatever names a note by path stays in the store. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { SageError } from "../../src/base/errors.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { openStore, type Store } from "../../src/store/handle.ts";
import { loadNote } from "../../src/store/load.ts";
import { pathProblem, resolveFolder, resolveNew, resolvePath } from "../../src/store/paths.ts";
import { createNote } from "../../src/store/store.ts";
import { depth } from "../support/depth.ts";
import { newNote, tempDir, tempStore, writeOld } from "../support/temp_store.ts";

const isPosix = Deno.build.os !== "windows";

const UP = ["..", "../", "..\\", "%2e%2e/", "..%2f", "..;/", "....//", ".\u200b./", "․․/", "．．/"];
const PREFIXES = [
  "",
  "/",
  "\\",
  "//",
  "knowledge/",
  "/knowledge/",
  "./",
  "~/",
  "~root/",
  "C:\\",
  "C:/",
  "file:///",
  "\\\\?\\C:\\",
  "\\\\server\\share\\",
  "knowledge\\",
  "-",
  "knowledge/./",
  "KNOWLEDGE/",
];
const ENDS = [
  "",
  "etc/passwd",
  "x.md",
  "a.md\0.png",
  "a.md\n",
  "a.md:stream",
  "a.md::$DATA",
  "a.md.",
  "a.md ",
  ".md",
  "a.md/",
  "a.md/../../x.md",
  "CON.md/x",
  "\u202ea.md",
  "state/index/x.md",
];
const CORPUS: readonly string[] = [
  ...PREFIXES.flatMap((prefix) => UP.flatMap((up) => ENDS.map((end) => prefix + up + end))),
  ...PREFIXES.flatMap((prefix) => ENDS.map((end) => prefix + end)),
  ...[
    "config.yaml",
    "tuning.yaml",
    "shared_memory.md",
    "state/x.md",
    "models/x.md",
    ".history/x.md",
    "knowledge/.obsidian/x.md",
    "knowledge/.git/x.md",
    "knowledge/x.txt",
    "knowledge",
    "knowledge/",
    "knowledge/link/secret.md",
    "knowledge/out.md",
    "knowledge/folder.md",
    "knowledge/loop/x.md",
    "knowledge/" + "a/".repeat(40) + "x.md",
    "knowledge/" + "a".repeat(300) + ".md",
  ],
];

/** A disk that remembers what was opened. */
function watched(): { fs: Fs; opened: string[] } {
  const opened: string[] = [];
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      opened.push(path);
      return realFs.open(path, options);
    },
  };
  return { fs, opened };
}

/** A store beside a secret, with links that lead there. */
function trapped(): { store: Store; opened: string[]; outside: string } {
  const home = tempDir();
  const outside = `${home}/outside`;
  writeOld(`${outside}/secret.md`, "SECRET");
  writeOld(`${home}/.sage/knowledge/a.md`, "# A\n");
  writeOld(`${home}/.sage/config.yaml`, "api_key: SECRET");
  Deno.mkdirSync(`${home}/.sage/knowledge/folder.md`);
  if (isPosix) {
    Deno.symlinkSync(outside, `${home}/.sage/knowledge/link`);
    Deno.symlinkSync(`${outside}/secret.md`, `${home}/.sage/knowledge/out.md`);
    Deno.symlinkSync("loop", `${home}/.sage/knowledge/loop`);
    Deno.symlinkSync("a.md", `${home}/.sage/knowledge/inside.md`);
    Deno.symlinkSync(outside, `${home}/.sage/topics`);
  }
  const { fs, opened } = watched();
  const root = `${home}/.sage`;
  const store = openStore({ root, scope: "user", stateDir: `${root}/state`, holder: "t", fs });
  return { store, opened, outside };
}

async function attack(store: Store, path: string): Promise<void> {
  for (const run of [() => resolvePath(store, path), () => loadNote(store, path)]) {
    try {
      await run();
    } catch (error) {
      assert(error instanceof SageError, `${JSON.stringify(path)}: ${error}`);
      assert.match(error.code, /^(unsafe_path|not_found|io)$/, JSON.stringify(path));
      assert.doesNotMatch(error.message, /\p{Cc}|SECRET/u);
    }
  }
  try {
    createNote(store, { kind: "knowledge", stem: "made", text: "x", folder: path });
  } catch (error) {
    assert(error instanceof SageError, `${JSON.stringify(path)}: ${error}`);
  }
}

function assertInside({ store, opened, outside }: ReturnType<typeof trapped>): void {
  const foreign = opened.filter((path) =>
    !path.startsWith(`${store.root}/`) || /\/\.\.(\/|$)/.test(path) || path.endsWith("config.yaml")
  );
  // Syncing the store's own place in its parent is no reading.
  assert.deepEqual(foreign, []);
  assert.deepEqual([...Deno.readDirSync(outside)].map(({ name }) => name), ["secret.md"]);
}

Deno.test("no path of the corpus gets anything outside opened or written", async () => {
  const trap = trapped();
  assert(CORPUS.length > 500);
  for (const path of CORPUS) await attack(trap.store, path);
  assertInside(trap);
});

Deno.test("no string gets anything outside opened or written", async () => {
  const trap = trapped();
  const part = fc.oneof(
    fc.constantFrom(...UP, ...PREFIXES, ...ENDS, "knowledge", "link", "a.md", "topics"),
    fc.string({ unit: "binary", maxLength: 12 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(part, { maxLength: 6 }),
      fc.constantFrom("", "/"),
      (parts, separator) => attack(trap.store, parts.join(separator)),
    ),
    { numRuns: depth(1500, 100_000) },
  );
  assertInside(trap);
});

Deno.test("resolvePath() refuses links, also those that stay inside", { ignore: !isPosix }, () => {
  const { store } = trapped();
  for (
    const path of [
      "knowledge/link/secret.md",
      "knowledge/out.md",
      "knowledge/inside.md",
      "topics/secret.md",
    ]
  ) {
    assert.throws(() => resolvePath(store, path), /is a link/, path);
  }
});

Deno.test("pathProblem() says what is wrong with a path", () => {
  const wrong: Readonly<Record<string, RegExp>> = {
    "": /empty/,
    "/knowledge/a.md": /absolute/,
    "knowledge//a.md": /empty/,
    "knowledge/../a.md": /leaves/,
    "knowledge/a\n.md": /control/,
    "knowledge/a:b.md": /colon/,
    "knowledge/a\\b.md": /backslash/,
    "knowledge/\uD800.md": /Unicode/,
    "knowledge/-rf.md": /begins with -/,
    "knowledge/~root/a.md": /begins with - or ~/,
    "knowledge/a.md.": /ends in a dot/,
    "knowledge/a /b.md": /or a space/,
    "knowledge/.a.md": /hidden/,
    "knowledge/.history/.a/b.md": /hidden/,
    "state/a.md": /none of the folders/,
    "knowledge": /none of the folders/,
    [`knowledge/${"x".repeat(256)}.md`]: /too long/,
    [`knowledge/${"x/".repeat(2000)}a.md`]: /too long/,
    [`knowledge/${"x/".repeat(40)}a.md`]: /too deep/,
  };
  for (const [path, why] of Object.entries(wrong)) {
    assert.match(pathProblem(path) ?? "nothing", why, JSON.stringify(path.slice(0, 40)));
  }
  for (const path of ["knowledge/a-b~c.md", "knowledge/.history/a/b.md", ".trash/x/topics/a.md"]) {
    assert.equal(pathProblem(path), undefined, path);
  }
});

Deno.test("resolvePath() finds notes and the copies that are kept of them", () => {
  const store = tempStore();
  const path = newNote(store, "a");
  assert.equal(resolvePath(store, path).absolute, `${store.root}/${path}`);
  for (
    const kept of ["knowledge/.history/a/2026-01-13T14-30-00.md", ".trash/2026/knowledge/a.md"]
  ) {
    writeOld(`${store.root}/${kept}`, "x");
    assert.equal(resolvePath(store, kept).path, kept);
  }
});

Deno.test("resolveNew() and resolveFolder() need nothing to exist", () => {
  const store = tempStore();
  assert.equal(resolveNew(store, "knowledge/skills/git/x.md").path, "knowledge/skills/git/x.md");
  assert.equal(resolveFolder(store, "archive").path, "archive");
  assert.throws(() => resolveFolder(store, "state"), SageError);
  assert.throws(() => resolveFolder(store, ".."), SageError);
});

Deno.test(
  "no name in a folder keeps other notes from being made there",
  { ignore: !isPosix },
  () => {
    const store = tempStore();
    Deno.mkdirSync(`${store.root}/knowledge`, { recursive: true });
    for (const name of ["x.md", "a.md", "new.md"]) {
      Deno.symlinkSync("/etc/hosts", `${store.root}/knowledge/${name}`);
    }
    assert.equal(resolveFolder(store, "knowledge").path, "knowledge");
    assert.match(newNote(store, "made"), /^knowledge\//);
    Deno.symlinkSync("/tmp", `${store.root}/topics`);
    assert.throws(() => resolveFolder(store, "topics"), /is a link/);
    Deno.writeTextFileSync(`${store.root}/archive`, "");
    assert.throws(() => resolveFolder(store, "archive"), /no folder/);
  },
);

Deno.test(
  "a store reached through a link works, for people link their home",
  { ignore: !isPosix },
  async () => {
    const home = tempDir();
    await Deno.mkdir(`${home}/dotfiles/sage`, { recursive: true });
    await Deno.symlink(`${home}/dotfiles/sage`, `${home}/.sage`);
    const root = `${home}/.sage`;
    const store = openStore({ root, scope: "user", stateDir: `${root}/state`, holder: "t" });
    assert.equal(store.root, `${home}/dotfiles/sage`);
    assert.equal((await loadNote(store, newNote(store, "a"))).note.id, "a");
  },
);
