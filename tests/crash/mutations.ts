/**
 * The commands that change something, each with what may stand on the disk when it was cut short: all
 * of the old or all of the new, never a part. What they have no business with must not move at all.
 */
import assert from "node:assert/strict";
import { read } from "../support/world.ts";
import { assertWhole, type Lived, notesOf, SECRET_WORD, TUNING } from "./lived.ts";

export interface Mutation {
  readonly name: string;
  readonly args: readonly string[];
  readonly stdin?: (on: Lived) => string;
  /** What it prints once it may be relied on; hooks promise nothing. */
  readonly acknowledged?: RegExp;
  /** Notes (paths begin so) that it may change or remove. */
  readonly touches?: readonly string[];
  /** New notes it may leave. */
  readonly adds?: RegExp;
  /** Whether its effect is there; throws where there is half of it. */
  state(on: Lived, before: ReadonlyMap<string, string>): "old" | "new";
  /** What is gone cannot be put back: a failure after that is told, and repeating it ends it. */
  readonly isErasure?: boolean;
  /** Exit codes of a second run, after the first was cut short. */
  readonly again: readonly number[];
  /** What has to hold after that second run. */
  after?(on: Lived): Promise<void> | void;
}

export const THESIS = "The parser hands on each row as soon as its line ends.";
const RENEWED = "The importer streams its rows, and so it never stalls any more.\n";
const VALLEY = "The river of the valley rises by two metres in the spring.\n";

const added = (on: Lived, before: ReadonlyMap<string, string>): [string, string][] =>
  [...notesOf(on)].filter(([path]) => !before.has(path));

/** A new note, whole, with these words in it; two where the first was saved but not acknowledged. */
function isAdded(on: Lived, before: ReadonlyMap<string, string>, words: string): "old" | "new" {
  const found = added(on, before);
  assert.ok(found.length <= 2, `${found.length} new notes`);
  for (const [path, text] of found) assert.ok(text.includes(words), `${path}: ${text}`);
  return found.length === 0 ? "old" : "new";
}

/** One note replaced: its old bytes, or new ones with these words. */
function isReplaced(
  on: Lived,
  before: ReadonlyMap<string, string>,
  path: string,
  words: RegExp,
): "old" | "new" {
  const text = notesOf(on).get(path);
  assert.ok(text !== undefined, `${path} is gone`);
  if (text === before.get(path)) return "old";
  assertWhole(text, path);
  assert.match(text, words);
  return "new";
}

const IMPORTER = "project/knowledge/importer.md";
const PROMOTED = "user/knowledge/importer.md";
const MERGER = "project/knowledge/merger.md";
const TODO = "project/todos/stream-the-rows.md";

const notes: readonly Mutation[] = [
  {
    name: "checkpoint save",
    args: ["checkpoint", "save", "-m", THESIS],
    acknowledged: /^Saved checkpoint /,
    adds: /^project\/checkpoints\//,
    state: (on, before) => isAdded(on, before, THESIS),
    again: [0],
  },
  {
    name: "knowledge add",
    args: ["knowledge", "add", "-", "--title", "Valley"],
    stdin: () => VALLEY,
    acknowledged: /^Saved knowledge /,
    adds: /^project\/knowledge\/valley\.md$/,
    state: (on, before) => isAdded(on, before, VALLEY),
    again: [0, 4],
  },
  {
    name: "knowledge add --id",
    args: [
      ...["knowledge", "add", "-", "--title", "Importer"],
      ...["--id", "importer", "--on-conflict", "update"],
    ],
    stdin: () => RENEWED,
    acknowledged: /^Updated knowledge /,
    touches: [IMPORTER],
    state: (on, before) => isReplaced(on, before, IMPORTER, /streams its rows[^]*## History/),
    again: [0],
  },
  {
    name: "knowledge restore",
    args: ["knowledge", "restore", "gone"],
    acknowledged: /^Restored knowledge /,
    adds: /^project\/knowledge\/gone\.md$/,
    state: (on, before) => isAdded(on, before, "The old importer was written"),
    // Three where it was back already and the trash empty.
    again: [0, 3],
    after(on) {
      assert.match(notesOf(on).get("project/knowledge/gone.md") ?? "", /The old importer/);
    },
  },
  {
    name: "knowledge promote",
    args: ["knowledge", "promote", "importer"],
    acknowledged: / now holds in every project: /,
    touches: [IMPORTER],
    adds: /^user\/knowledge\/importer\.md$/,
    state(on, before) {
      const now = notesOf(on);
      const [here, there] = [now.get(IMPORTER), now.get(PROMOTED)];
      // Both for a moment, which the next process ends; never none.
      if (here !== undefined) {
        assert.equal(here, before.get(IMPORTER));
        return "old";
      }
      assertWhole(there ?? "", PROMOTED);
      assert.match(there ?? "", /^promoted:$/m);
      return "new";
    },
    again: [0],
    after(on) {
      const found = [...notesOf(on).keys()].filter((path) => path.endsWith("/importer.md"));
      assert.deepEqual(found, [PROMOTED]);
    },
  },
  {
    name: "todo done",
    args: ["todo", "done", "stream-the-rows"],
    acknowledged: / is done: /,
    touches: [TODO],
    state: (on, before) => isReplaced(on, before, TODO, /\nstatus: done\n/),
    again: [0],
  },
  {
    name: "forget",
    args: ["forget", "merger", "--yes"],
    isErasure: true,
    acknowledged: /^Forgot /,
    touches: [MERGER],
    state(on, before) {
      const text = notesOf(on).get(MERGER);
      assert.ok(text === undefined || text === before.get(MERGER), "half a note");
      return text === undefined ? "new" : "old";
    },
    // Three where all was gone already and only the telling was missing.
    again: [0, 3],
    after: (on) => assertNowhere(on, SECRET_WORD),
  },
];

const settings: readonly Mutation[] = [
  {
    name: "config set",
    args: ["config", "set", "recall_threshold", "0.65"],
    acknowledged: /^retrieval\.recall_threshold = 0\.65 /,
    state(on) {
      const text = read(`${on.home}/.sage/tuning.yaml`);
      if (text === TUNING) return "old";
      assert.match(text, /^# how I like it\nretrieval:\n {2}max_items: 5 # enough\n/);
      assert.match(text, /recall_threshold: 0\.65\n$/);
      return "new";
    },
    again: [0],
  },
  {
    name: "install",
    args: ["install", "claude-code"],
    acknowledged: /\nConnected Claude Code\./,
    state(on) {
      const isNew = ["settings.json", ".json"].map((name) => isOurs(on, name));
      return isNew.every(Boolean) ? "new" : "old";
    },
    again: [0],
    async after(on) {
      await on.must(["uninstall"]);
      for (const path of ["/.claude/settings.json", "/.claude.json"]) {
        assert.equal(read(on.home + path), read(`${on.base}/kept${path}`), path);
      }
    },
  },
];

/** Whether the editor's file is the new one; it is whole in any case. */
function isOurs(on: Lived, name: string): boolean {
  const path = `/.claude${name === ".json" ? name : `/${name}`}`;
  const [text, kept] = [on.home, `${on.base}/kept`].map((at) => read(at + path));
  if (text === kept) return false;
  assert.match(text ?? "", name === ".json" ? /"sage": \{[^]*\}\}\}$/ : /SessionEnd[^]*\n\}\n$/);
  return true;
}

const hooks: readonly Mutation[] = [
  {
    name: "hook pre-compact",
    args: ["hook", "pre-compact"],
    stdin: (on) => on.payload("PreCompact.auto"),
    touches: ["project/sessions/"],
    adds: /^project\/(checkpoints|sessions)\//,
    state: (on, before) =>
      added(on, before).some(([path]) => path.includes("/checkpoints/")) ? "new" : "old",
    again: [0],
    after(on) {
      const saved = [...notesOf(on)].filter(([, text]) => /^trigger: precompact$/m.test(text));
      assert.ok(saved.length >= 1 && saved.length <= 2, `${saved.length} checkpoints`);
    },
  },
  {
    name: "hook session-end",
    args: ["hook", "session-end"],
    stdin: (on) => on.payload("SessionEnd.other"),
    touches: ["project/sessions/"],
    adds: /^project\/(checkpoints|sessions)\//,
    state: (on) =>
      [...notesOf(on)].some(([path, text]) => path.includes("/sessions/") && /^ended: /m.test(text))
        ? "new"
        : "old",
    again: [0],
    after(on) {
      assert.equal(this.state(on, new Map()), "new", "the session did not end");
    },
  },
];

export const MUTATIONS: readonly Mutation[] = [...notes, ...settings, ...hooks];

/** The word stands in no file and no name but the editor's transcript. */
export function assertNowhere(on: Lived, word: string): void {
  const visit = (folder: string): string[] =>
    [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory, isFile }) => {
      const path = `${folder}/${name}`;
      if (path === `${on.home}/.claude/projects`) return [];
      const inside = isDirectory ? visit(path) : isFile && holds(path, word) ? [path] : [];
      return name.includes(word) ? [path, ...inside] : inside;
    });
  assert.deepEqual(visit(on.home), [], `${word} remains`);
}

function holds(path: string, word: string): boolean {
  return new TextDecoder("latin1").decode(Deno.readFileSync(path)).includes(word);
}

/**
 * What must hold whenever a command ended, in whatever way: what it has no business with is as it was,
 * what is new is whole, and an acknowledgement was true. Returns where its effect stands.
 */
export function assertKept(
  mutation: Mutation,
  on: Lived,
  before: ReadonlyMap<string, string>,
  stdout: string,
): "old" | "new" {
  const now = notesOf(on);
  for (const [path, text] of before) {
    if (mutation.touches?.some((one) => path.startsWith(one)) === true) continue;
    assert.equal(now.get(path), text, `${path} changed`);
  }
  for (const [path, text] of now) {
    if (before.get(path) === text) continue;
    if (!before.has(path)) {
      assert.ok(mutation.adds?.test(path), `${path} is new`);
    }
    assertWhole(text, path);
  }
  const state = mutation.state(on, before);
  if (mutation.acknowledged?.test(stdout) === true && stdout.endsWith("\n")) {
    assert.equal(state, "new", `acknowledged and lost: ${stdout}`);
  }
  return state;
}
