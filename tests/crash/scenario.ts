/**
 * A life of a few notes, step by step, with a record of what may stand on the disk at any moment:
 * before a step the old text, during it the old or the new, after it the new. Crash and fault tests
 * run it on a disk that fails and then compare.
 */
import assert from "node:assert/strict";
import { TEMP_NAME } from "../../src/base/atomic.ts";
import { SageError } from "../../src/base/errors.ts";
import { openStore, type Store } from "../../src/store/handle.ts";
import { deferToInbox, foldInbox } from "../../src/store/inbox.ts";
import { loadNote } from "../../src/store/load.ts";
import { createNote, replaceNote } from "../../src/store/store.ts";
import { restoreTrash, trashNote } from "../../src/store/trash.ts";
import { CrashFs, type CrashFsOptions, Stopped } from "../support/crash_fs.ts";

const ROOT = "/home/p/.sage";
const STATE = `${ROOT}/state`;

export const KNOWLEDGE = "knowledge/worktrees.md";
export const CHECKPOINT = "checkpoints/2026-01-13T14-30-00_plan.md";

type Text = string | undefined;

/** What may stand under each path. More than one while a step is under way. */
export class World {
  readonly allowed = new Map<string, readonly Text[]>();
  /** Texts that were replaced and acknowledged: each must be a version for ever. */
  readonly versions: string[] = [];
  /** Texts that must be somewhere: in their place, or in the trash. */
  readonly somewhere: string[] = [];
  trash = "";
  /** A change that was acknowledged into the inbox: folding in brings it to its note. */
  deferred: string | undefined;
  /** The step that was under way at the end, if any. */
  step = "";

  begin(path: string, next: Text): void {
    this.allowed.set(path, [...this.allowed.get(path) ?? [undefined], next]);
  }

  acknowledge(path: string, text: Text): void {
    this.allowed.set(path, [text]);
  }

  /** The step failed in good order: nothing of it happened. */
  back(): void {
    for (const [path, texts] of this.allowed) this.allowed.set(path, texts.slice(0, 1));
  }
}

interface Step {
  readonly name: string;
  run(store: Store, world: World): Promise<void> | void;
}

export const STEPS: readonly Step[] = [
  { name: "create knowledge", run: (store, world) => create(store, world, KNOWLEDGE, "one") },
  { name: "create checkpoint", run: (store, world) => create(store, world, CHECKPOINT, "plan") },
  { name: "replace", run: (store, world) => replace(store, world, KNOWLEDGE, "two") },
  { name: "replace again", run: (store, world) => replace(store, world, KNOWLEDGE, "three") },
  { name: "trash", run: trash },
  { name: "restore", run: restore },
  { name: "defer and fold", run: deferAndFold },
];

/** A disk with a home folder, which is there long before Sage. */
export function freshDisk(options: CrashFsOptions = {}): CrashFs {
  const disk = new CrashFs();
  disk.makeDir("/home/p", 0o755);
  return disk.restarted(options);
}

/** A handle as one process has it. */
export function openOn(disk: CrashFs): Store {
  return openStore({ root: ROOT, scope: "user", stateDir: STATE, holder: "test", fs: disk });
}

/** Runs all steps until the disk stops. Errors of single calls are met as a command would. */
export async function live(disk: CrashFs, world: World): Promise<SageError[]> {
  const errors: SageError[] = [];
  for (const step of STEPS) {
    world.step = step.name;
    try {
      await step.run(openOn(disk), world);
    } catch (error) {
      if (disk.isStopped) return errors;
      assert(!(error instanceof Stopped));
      assert(error instanceof SageError, `${step.name}: ${error}`);
      errors.push(error);
      world.back();
      // The command ends here; what follows would need what did not happen.
      return errors;
    }
  }
  world.step = "";
  return errors;
}

/** Runs one step on its own, as the process after a crash would. */
export async function liveOn(disk: CrashFs, world: World, name: string): Promise<void> {
  const step = STEPS.find((one) => one.name === name);
  assert(step !== undefined);
  world.step = name;
  await step.run(openOn(disk), world);
}

/** Everything that was acknowledged is there, and nothing else took its place. */
export function assertKept(disk: CrashFs, world: World, context: string): void {
  const files = disk.files();
  for (const [path, texts] of world.allowed) {
    const there = files.get(`${ROOT}/${path}`);
    assert(texts.includes(there), `${context}, ${world.step}: ${path} is ${JSON.stringify(there)}`);
  }
  for (const text of world.somewhere) {
    assert([...files.values()].includes(text), `${context}, ${world.step}: a text is nowhere`);
  }
  const kept = [...files].filter(([path]) => path.includes("/.history/")).map(([, text]) => text);
  for (const version of world.versions) {
    assert(kept.includes(version), `${context}, ${world.step}: a version is lost`);
  }
}

/** No file is there that neither a person asked for nor the sweep would know. */
export function assertTidy(disk: CrashFs, context: string): string[] {
  const left = [...disk.files().keys()].filter((path) => path.endsWith(".tmp"));
  for (const path of left) {
    assert.match(path.slice(path.lastIndexOf("/") + 1), TEMP_NAME, context);
  }
  return left;
}

/** The next process can do everything with what it finds. */
export async function assertUsable(disk: CrashFs, world: World, context: string): Promise<void> {
  const store = openOn(disk);
  foldInbox(store);
  const folded = disk.files().get(`${ROOT}/${KNOWLEDGE}`);
  if (world.deferred !== undefined) assert.equal(folded, world.deferred, context);
  createNote(store, { kind: "knowledge", stem: "after", text: (stem) => text(stem, "after") });
  for (const path of [KNOWLEDGE, CHECKPOINT]) {
    if (disk.lstat(`${ROOT}/${path}`) === undefined) continue;
    const loaded = await loadNote(store, path);
    assert.equal(loaded.readOnly, undefined, context);
    const result = await replaceNote(store, loaded, loaded.text + "After.\n");
    assert.equal(result.kind, "written", context);
  }
}

export function text(id: string, word: string): string {
  return `---\nid: ${id}\ntype: knowledge\ncreated: 2026-01-13T14:30:00Z\n` +
    `updated: 2026-01-13T14:30:00Z\n---\n# ${id}\n\n${word}\n`;
}

function create(store: Store, world: World, path: string, word: string): void {
  const [folder = "", name = ""] = path.split("/");
  const stem = name.slice(0, -3);
  world.begin(path, text(stem, word));
  const created = createNote(store, {
    kind: folder === "knowledge" ? "knowledge" : "checkpoint",
    stem,
    text: text(stem, word),
  });
  assert.equal(created.path, path);
  world.acknowledge(path, text(stem, word));
  if (path === CHECKPOINT) world.somewhere.push(text(stem, word));
}

async function replace(store: Store, world: World, path: string, word: string): Promise<void> {
  const loaded = await loadNote(store, path);
  const next = text("worktrees", word);
  world.begin(path, next);
  const result = await replaceNote(store, loaded, next);
  assert.equal(result.kind, "written");
  world.acknowledge(path, next);
  world.versions.push(loaded.text);
}

async function trash(store: Store, world: World): Promise<void> {
  const loaded = await loadNote(store, CHECKPOINT);
  world.begin(CHECKPOINT, undefined);
  const result = await trashNote(store, loaded);
  assert(result.kind === "trashed");
  world.acknowledge(CHECKPOINT, undefined);
  world.trash = result.trash;
  world.acknowledge(result.trash, loaded.text);
}

function restore(store: Store, world: World): void {
  const [there] = world.allowed.get(world.trash) ?? [];
  world.begin(CHECKPOINT, there);
  world.begin(world.trash, undefined);
  assert.equal(restoreTrash(store, world.trash), CHECKPOINT);
  world.acknowledge(CHECKPOINT, there);
  world.allowed.delete(world.trash);
}

/** What a hook does that cannot have the lock; then the next process. */
async function deferAndFold(store: Store, world: World): Promise<void> {
  const { note, text: base } = await loadNote(store, KNOWLEDGE);
  const next = text("worktrees", "four");
  const { id: noteId, updated } = note;
  deferToInbox(store, { path: KNOWLEDGE, noteId, updated, base, next });
  world.deferred = next;
  // From here on it may be folded in by anybody.
  world.begin(KNOWLEDGE, next);
  const report = foldInbox(store);
  if (report.problems.length > 0) throw new SageError("io", report.problems[0]?.reason ?? "");
  assert.equal(report.folded, 1);
  world.acknowledge(KNOWLEDGE, next);
}
