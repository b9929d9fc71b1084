/**
 * Whether a person took a prompt back before it was answered (Esc): the client then drops it with the context
 * that a hook added to it. A file of its own, because it reads the transcript, which other prompts do not.
 */
import type { Memory } from "../memory.ts";
import { readConversation } from "./conversation.ts";
import type { SessionState } from "./state/session_state.ts";

/** The prompt is the last thing said; what the client notes beside it is longer. */
const END_BYTES = 256 * 1024;

/** Whether nothing answers the last prompt in the transcript. */
export async function wasWithdrawn(
  memory: Memory,
  { transcriptPath }: SessionState,
): Promise<boolean> {
  if (transcriptPath === undefined) return false;
  const { turns } = await readConversation(memory, transcriptPath, END_BYTES);
  return turns.at(-1)?.role === "user";
}
