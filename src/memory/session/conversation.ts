/** Reads the conversation in a session's file, or its end, as the editor has it: nothing is taken out. */
import { join } from "../../base/path.ts";
import type { Transcript } from "../../editor/editor.ts";
import { readSessionFile } from "../../editor/session_file.ts";
import type { Memory } from "../memory.ts";

export async function readConversation(
  { fs, places }: Memory,
  path: string,
  tailBytes: number,
): Promise<Transcript> {
  return await readSessionFile(path, { fs, tailBytes, scratch: join(places.stateDir, "migrate") });
}
