/**
 * How many tokens went through a session's window, from what the model itself reported: what the window
 * held at the end, and what each compaction took out of it before.
 */
import { ifReadable } from "../../base/attempt.ts";
import type { Transcript } from "../../editor/editor.ts";
import { readTranscript } from "../../editor/claude_code/transcript.ts";
import type { Memory } from "../memory.ts";
import { readSession } from "../session/state/state.ts";

/** Of a larger file only the end is read: what was compacted before is missing, so the share errs upwards. */
const READ_BYTES_MAX = 64 * 1024 * 1024;

/** Results by file, because the page asks again and again, and most sessions are over. */
const counted = new Map<string, { readonly stamp: string; readonly held: number | undefined }>();
/** Enough for two projects whose impact is shown twice. */
const COUNTED_MAX = 200;

/** Undefined where the transcript is gone, or where no reply said what it used. */
export function tokensHeld(memory: Memory, session: string): number | undefined {
  const { fs } = memory;
  const path = readSession(memory, session)?.transcriptPath;
  const info = path === undefined ? undefined : ifReadable(undefined, () => fs.lstat(path));
  if (path === undefined || info?.kind !== "file") return undefined;
  const stamp = `${info.size} ${info.mtimeMs} ${info.inode}`;
  const known = counted.get(path);
  if (known?.stamp === stamp) return known.held;
  try {
    const held = heldBy(readTranscript(path, { fs, tailBytes: READ_BYTES_MAX }));
    counted.delete(path);
    counted.set(path, { stamp, held });
    for (const oldest of counted.keys()) {
      if (counted.size <= COUNTED_MAX) break;
      counted.delete(oldest);
    }
    return held;
  } catch {
    // A transcript that cannot be read: unknown.
    return undefined;
  }
}

function heldBy({ contextTokens, compactions }: Transcript): number | undefined {
  const dropped = compactions.reduce(
    (sum, { preTokens = 0, postTokens = 0 }) => sum + Math.max(0, preTokens - postTokens),
    0,
  );
  const held = dropped + (contextTokens ?? 0);
  return held === 0 ? undefined : held;
}
