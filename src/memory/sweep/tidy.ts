/**
 * What goes by itself, where nobody waits: when a session ends, and in a server that has nothing else to do,
 * for some editors say of no session that it ended. A start only looks at what is there.
 */
import { DAY_MS } from "../../base/clock.ts";
import { basename, join, listIfDir } from "../../base/fs.ts";
import { listProjects } from "../../store/projects.ts";
import { freshnessName } from "../freshness/state.ts";
import type { Memory } from "../memory.ts";
import { isLedgerOfFolder } from "../session/handoff.ts";
import { sweepSessions } from "../session/instances.ts";
import { dropForsaken, dropOldFormats, listIndexes, UNUSED_DAYS } from "./index_folders.ts";

/** Folders of the state with one file a folder or a text, each made again when it is missed. */
const DERIVED = ["prepared", "statusline", "sources", "handed"];
/** With one file a project's folder that says what was decided there. */
const LEDGERS = ["freshness", "handoffs"];
/** In which the words of notes stand; whoever forgets one empties them. */
const QUOTING = ["prepared", "handed"];

export async function tidy(memory: Memory): Promise<void> {
  sweepSessions(memory);
  dropOldDerived(memory);
  dropForgottenWords(memory);
  const indexes = listIndexes(memory);
  // Whoever works through hooks alone has an index of the version before for good.
  for (const { id } of memory.stores) dropOldFormats(memory, id, indexes);
  await dropForsaken(memory, indexes);
  await dropLedgers(memory);
}

/** One is made for every worktree and scratch folder that a session begins in. */
export function dropOldDerived(memory: Memory): void {
  for (const path of DERIVED.flatMap((part) => unused(memory, part))) memory.fs.unlink(path);
}

/** What was there when a note was forgotten and is there still: a version did so that does not know of it. */
function dropForgottenWords(memory: Memory): void {
  const { fs, places } = memory;
  const lastMs = fs.lstat(join(places.stateDir, "tombstones"))?.mtimeMs;
  if (lastMs === undefined) return;
  for (const path of QUOTING.flatMap((part) => writtenBefore(memory, part, lastMs))) {
    fs.unlink(path);
  }
}

/** What was decided in a project that Sage knows stays however long it rests, and so in a folder that is there. */
async function dropLedgers(memory: Memory): Promise<void> {
  const { fs, places } = memory;
  const old = LEDGERS.flatMap((part) => unused(memory, part));
  if (old.length === 0) return;
  const roots = (await listProjects(fs, places.userRoot)).map(({ root }) => root);
  const known = new Set([places.projectDir, ...roots].map((root) => basename(freshnessName(root))));
  for (const path of old) {
    const name = basename(path);
    if (!known.has(name) && !isLedgerOfFolder(memory, `handoffs/${name}`)) fs.unlink(path);
  }
}

/** Files of ours right in a folder of the state that were not written for long. */
function unused(memory: Memory, part: string): string[] {
  return writtenBefore(memory, part, memory.now() - UNUSED_DAYS * DAY_MS);
}

function writtenBefore({ fs, places }: Memory, part: string, ms: number): string[] {
  const folder = join(places.stateDir, part);
  return listIfDir(fs, folder)
    .filter(({ name, kind }) => kind === "file" && name.endsWith(".json"))
    .map(({ name }) => join(folder, name))
    .filter((path) => (fs.lstat(path)?.mtimeMs ?? Infinity) < ms);
}
