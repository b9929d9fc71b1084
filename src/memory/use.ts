/** That a note was shown, loaded or recalled: appended to a private journal, never written into the note. */
import { rfc3339 } from "../base/clock.ts";
import { dirname, type Fs, join } from "../base/fs.ts";
import { appendJsonLine, readJsonLines } from "../base/jsonl.ts";
import { writeAtomic } from "../store/atomic.ts";
import type { Memory } from "./memory.ts";

/** What is read back: the newest uses; older ones weigh nothing, and go when as much has come after. */
const USES_BYTES_MAX = 1024 * 1024;

export type Use = "loaded" | "branched" | "recalled" | "surfaced";

export function recordUse(memory: Memory, use: Use, id: string): void {
  try {
    const { fs } = memory;
    const path = usesPath(memory);
    fs.makeDir(dirname(path), 0o700);
    if ((fs.lstat(path)?.size ?? 0) > 2 * USES_BYTES_MAX) {
      writeAtomic(fs, path, newestUses(fs, path), { mode: 0o600, durable: false });
    }
    const record = {
      at: rfc3339(memory.now()),
      use,
      id,
      project: memory.places.projectId,
      session: memory.session,
    };
    appendJsonLine(fs, path, record);
  } catch {
    // Statistics only: what was asked for must not fail for them.
  }
}

/** How often each note was used. */
export function useCounts(memory: Memory): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const path = usesPath(memory);
  if (memory.fs.lstat(path)?.kind !== "file") return counts;
  for (const record of readJsonLines(newestUses(memory.fs, path))) {
    const id = (record as { id?: unknown } | null)?.id;
    if (typeof id === "string") counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

function usesPath({ places }: Memory): string {
  return join(places.stateDir, "recalls", "uses.jsonl");
}

/** The end of the journal, from the first whole line on. */
function newestUses(fs: Fs, path: string): Uint8Array {
  const size = fs.lstat(path)?.size ?? 0;
  const file = fs.open(path, { read: true });
  try {
    const bytes = new Uint8Array(Math.min(size, USES_BYTES_MAX));
    file.seek(size - bytes.length);
    const count = file.read(bytes);
    const start = bytes.length < size ? bytes.indexOf(0x0a) + 1 : 0;
    return bytes.subarray(start, count);
  } finally {
    file.close();
  }
}
