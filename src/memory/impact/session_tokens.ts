/**
 * How many tokens went through a session's window, from what the model itself reported: what the window
 * held at the end, and what each compaction took out of it before.
 */
import type { Transcript } from "../../editor/editor.ts";
import { readTranscript } from "../../editor/claude_code/transcript.ts";
import type { Memory } from "../memory.ts";
import { readSession } from "../session/state.ts";

/** Undefined where the transcript is gone, or where no reply said what it used. */
export function tokensHeld(memory: Memory, session: string): number | undefined {
  const path = readSession(memory, session)?.transcriptPath;
  if (path === undefined || memory.fs.lstat(path)?.kind !== "file") return undefined;
  try {
    return heldBy(readTranscript(path, { fs: memory.fs, tailBytes: Infinity }));
  } catch {
    // The editor's file, to be read by nobody else: then it is not known.
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
