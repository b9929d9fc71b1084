/** That a note was shown, loaded or recalled: appended to a private journal, never written into the note. */
import { rfc3339 } from "../base/clock.ts";
import { join, readBytes } from "../base/fs.ts";
import { appendJsonLine, readJsonLines } from "../base/jsonl.ts";
import type { Memory } from "./memory.ts";

/** What is read back: the newest uses; older ones weigh nothing. */
const USES_BYTES_MAX = 1024 * 1024;

export type Use = "loaded" | "recalled" | "surfaced";

export function recordUse(memory: Memory, use: Use, id: string): void {
  try {
    const folder = join(memory.places.stateDir, "recalls");
    memory.fs.makeDir(folder, 0o700);
    const record = {
      at: rfc3339(memory.now()),
      use,
      id,
      project: memory.places.projectId,
      session: memory.session,
    };
    appendJsonLine(memory.fs, join(folder, "uses.jsonl"), record);
  } catch {
    // Statistics only: what was asked for must not fail for them.
  }
}

/** How often each note was used. */
export function useCounts(memory: Memory): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const path = join(memory.places.stateDir, "recalls", "uses.jsonl");
  if (memory.fs.lstat(path)?.kind !== "file") return counts;
  for (const record of readJsonLines(readBytes(memory.fs, path, USES_BYTES_MAX))) {
    const id = (record as { id?: unknown } | null)?.id;
    if (typeof id === "string") counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}
