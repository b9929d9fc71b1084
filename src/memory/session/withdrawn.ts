/**
 * Whether a person took a prompt back before it was answered (Esc): the client then drops it with the context
 * that a hook added to it. A file of its own, because it reads the transcript, which other prompts do not.
 */
import { readSessionFile } from "../../editor/session_file.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "./state/session_state.ts";

/** The prompt is the last thing said; what the client notes beside it is longer. */
const END_BYTES = 256 * 1024;

/** Whether nothing answers the last prompt in the transcript. */
export async function wasWithdrawn(
  { fs }: Memory,
  { transcriptPath }: SessionState,
): Promise<boolean> {
  if (transcriptPath === undefined) return false;
  const { turns } = await readSessionFile(transcriptPath, { fs, tailBytes: END_BYTES });
  return turns.at(-1)?.role === "user";
}
