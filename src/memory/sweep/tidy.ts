/**
 * Removes old files while nobody waits: when a session ends, and in an idle server, because some editors do
 * not report the end of a session.
 */
import { DAY_MS } from "../../base/clock.ts";
import { listIfDir } from "../../base/fs.ts";
import { basename, join } from "../../base/path.ts";
import { sweepCopies } from "../../editor/database_copy.ts";
import { listProjects } from "../../store/projects.ts";
import { renewTrust } from "../../store/trust.ts";
import { freshnessName } from "../freshness/state.ts";
import { type Memory, scratchFolder } from "../memory.ts";
import { isLedgerOfFolder } from "../session/handoff.ts";
import { sweepSessions } from "../session/instances.ts";
import { dropForsaken, dropOldFormats, listIndexes, UNUSED_DAYS } from "./index_folders.ts";

/** Folders of the state with one file a folder or a text, each made again when it is missing. */
const DERIVED = ["prepared", "statusline", "sources", "handed"];
/** With one file a project's folder that holds decisions. */
const LEDGERS = ["freshness", "handoffs"];
/** Folders with words of notes; forgetting empties them. */
const QUOTING = ["prepared", "handed"];

export async function tidy(memory: Memory): Promise<void> {
  sweepSessions(memory);
  if (memory.project !== undefined) {
    renewTrust(memory.fs, memory.places.stateDir, memory.project.home);
  }
  dropOldDerived(memory);
  dropForgottenWords(memory);
  // They hold the conversations of every project.
  sweepCopies(memory.fs, scratchFolder(memory));
  const indexes = listIndexes(memory);
  // People who use hooks alone would keep the index of the former version for good.
  for (const { id } of memory.stores) dropOldFormats(memory, id, indexes);
  await dropForsaken(memory, indexes);
  await dropLedgers(memory);
}

/** One is made for every worktree and scratch folder in which a session begins. */
export function dropOldDerived(memory: Memory): void {
  for (const path of DERIVED.flatMap((part) => unused(memory, part))) memory.fs.unlink(path);
}

/** Files that existed when a note was forgotten: a version that does not know them did not empty them. */
function dropForgottenWords(memory: Memory): void {
  const { fs, places } = memory;
  const lastMs = fs.lstat(join(places.stateDir, "tombstones"))?.mtimeMs;
  if (lastMs === undefined) return;
  for (const path of QUOTING.flatMap((part) => writtenBefore(memory, part, lastMs))) {
    fs.unlink(path);
  }
}

/** Decisions for a known project, or an existing folder, stay however old. */
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

/** Our files directly in a folder of the state that were not written for long. */
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
