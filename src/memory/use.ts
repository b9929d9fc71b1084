/** Records that a note was shown, loaded or recalled: in a private journal, never in the note. */
import { ifReadable } from "../base/attempt.ts";
import { writeAtomic } from "../base/atomic.ts";
import { rfc3339 } from "../base/clock.ts";
import { type Fs, readFull } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { decode } from "../base/utf8.ts";
import { appendJsonLine, numberedJsonLines } from "../base/jsonl.ts";
import type { Memory } from "./memory.ts";

/**
 * The newest uses that are read back; older ones have no weight, and are dropped when the journal
 * doubles.
 */
const USES_BYTES_MAX = 1024 * 1024;

type Use =
  | "loaded"
  | "read"
  | "branched"
  | "removed"
  | "recalled"
  | "surfaced"
  /** Opened in another project than its own. */
  | "borrowed"
  /** Its text was replaced by a newer statement. */
  | "replaced";

/** Somebody opened it, to read it or to continue from it. */
export const OPENED: readonly string[] = ["loaded", "read", "branched", "borrowed"];

/** Uses that do not count in a note's favour: being shown unasked must not lead to being shown again. */
const AGAINST: readonly string[] = ["removed", "replaced", "surfaced"];

/** A line of the journal as it is read back. */
export interface UseRecord {
  readonly at: string;
  readonly use: string;
  readonly id: string;
  /** Of a checkpoint, whose note may not exist any more. */
  readonly trigger?: string;
  readonly project?: string;
  /** Missing for a person. */
  readonly session?: string;
  /** Line of the journal, from 1; only while nothing older was left out. */
  readonly line?: number;
}

export function recordUse(memory: Memory, use: Use, id: string, trigger?: string): void {
  recordUses(memory, use, [id], trigger);
}

export function recordUses(
  memory: Memory,
  use: Use,
  ids: readonly string[],
  trigger?: string,
): void {
  if (ids.length === 0) return;
  try {
    const { fs } = memory;
    const path = usesPath(memory);
    fs.makeDir(dirname(path), 0o700);
    if ((fs.lstat(path)?.size ?? 0) > 2 * USES_BYTES_MAX) {
      writeAtomic(fs, path, newestUses(fs, path), { mode: 0o600, durable: false });
    }
    const records = ids.map((id) => ({
      at: rfc3339(memory.now()),
      use,
      id,
      project: memory.places.projectId,
      session: memory.session,
      trigger,
    }));
    appendJsonLine(fs, path, ...records);
  } catch {
    // Statistics only: the call must not fail for them.
  }
}

/** How often each of these notes was used. Reads no other line of the journal. */
export function useCounts(memory: Memory, ids: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  if (ids.length === 0) return counts;
  const text = decode((readNewest(memory) ?? NONE).bytes);
  const asked = new Set(ids);
  for (let at = text.indexOf(ID), end = 0; at >= 0; at = text.indexOf(ID, end)) {
    const start = at + ID.length;
    end = text.indexOf('"', start);
    // The last line may be torn by a crash.
    if (end < 0) break;
    const id = text.slice(start, end);
    if (!asked.has(id)) continue;
    const use = text.slice(text.lastIndexOf(USE, at) + USE.length, at);
    if (!AGAINST.includes(use)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Matches a line that `recordUse` writes; inside another value the quotes would be escaped. */
const USE = '"use":"';
const ID = '","id":"';

/** The newest uses, oldest first. `onLost`: as for `readPlacedLog`. */
export function readUses(
  memory: Memory,
  onLost?: (from: string, lines?: number) => void,
): UseRecord[] {
  const newest = readNewest(memory);
  if (newest === undefined) onLost?.(USES);
  const { bytes, isWhole } = newest ?? NONE;
  let torn = 0;
  const uses = [...numberedJsonLines(bytes, () => torn++)].flatMap(({ record, line }) => {
    const { at, use, id, trigger, project, session } = (record ?? {}) as Record<string, unknown>;
    if (typeof id !== "string") {
      torn++;
      return [];
    }
    return [{
      id,
      at: typeof at === "string" ? at : "",
      use: typeof use === "string" ? use : "",
      ...(typeof trigger === "string" ? { trigger } : {}),
      ...(typeof project === "string" ? { project } : {}),
      ...(typeof session === "string" ? { session } : {}),
      ...(isWhole ? { line } : {}),
    }];
  });
  if (torn > 0) onLost?.(USES, torn);
  return uses;
}

/** Below `state/`. */
export const USES = "recalls/uses.jsonl";

function usesPath({ places }: Memory): string {
  return join(places.stateDir, USES);
}

interface Newest {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

const NONE: Newest = { bytes: new Uint8Array(), isWhole: true };

/** The same, and nothing where there is no journal; undefined where it cannot be read. */
function readNewest(memory: Memory): Newest | undefined {
  const { fs } = memory;
  const path = usesPath(memory);
  return ifReadable(undefined, () => {
    const { kind, size = 0 } = fs.lstat(path) ?? {};
    const bytes = kind === "file" ? newestUses(fs, path) : new Uint8Array();
    return { bytes, isWhole: size <= USES_BYTES_MAX };
  });
}

/** The end of the journal, from the first whole line on. */
function newestUses(fs: Fs, path: string): Uint8Array {
  const size = fs.lstat(path)?.size ?? 0;
  const file = fs.open(path, { read: true });
  try {
    const length = Math.min(size, USES_BYTES_MAX);
    file.seek(size - length);
    const bytes = readFull(file, new Uint8Array(length));
    return length < size ? bytes.subarray(bytes.indexOf(0x0a) + 1) : bytes;
  } finally {
    file.close();
  }
}
