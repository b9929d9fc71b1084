/** Reads the conversation in a session's file, or its end, as the editor has it: nothing is taken out. */
import type { Transcript } from "../../editor/editor.ts";
import { readSessionFile } from "../../editor/session_file.ts";
import { type Memory, scratchFolder } from "../memory.ts";

export async function readConversation(
  memory: Memory,
  path: string,
  tailBytes: number,
): Promise<Transcript> {
  return await readSessionFile(path, { fs: memory.fs, tailBytes, scratch: scratchFolder(memory) });
}
