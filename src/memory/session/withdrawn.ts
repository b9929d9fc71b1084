/**
 * A prompt that its person took back before it was answered (Esc): the client forgets it, and with it what
 * a hook had put beside it. Apart because it reads the transcript, which a prompt otherwise never does.
 */
import { readSessionFile } from "../../editor/session_file.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "./session_state.ts";

/** The prompt is the last that was said, and what the client notes beside it is longer than it. */
const END_BYTES = 256 * 1024;

/** Whether the last prompt was answered by nothing, as far as the transcript tells. */
export async function wasWithdrawn(
  { fs }: Memory,
  { transcriptPath }: SessionState,
): Promise<boolean> {
  if (transcriptPath === undefined) return false;
  const { turns } = await readSessionFile(transcriptPath, { fs, tailBytes: END_BYTES });
  return turns.at(-1)?.role === "user";
}
