/** Where open conversations with the model API lie, and forgetting in them. chat/log.ts writes them. */
import { fieldsOf } from "../base/fields.ts";
import { listIfDir, readBytes } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { readJsonLines } from "../base/jsonl.ts";
import type { Memory } from "./memory.ts";

export const CHATS_FOLDER = "chats";
export const CHAT_BYTES_MAX = 16 * 1024 * 1024;

/** Deletes those with a forgotten sentence; returns the deleted files. */
export function dropChats(
  { fs, places }: Memory,
  saysForgotten: (text: string) => boolean,
): string[] {
  const folder = join(places.stateDir, CHATS_FOLDER);
  const dropped: string[] = [];
  for (const { name } of listIfDir(fs, folder).filter(({ kind }) => kind === "file")) {
    const path = join(folder, name);
    const says = readJsonLines(readBytes(fs, path, CHAT_BYTES_MAX)).some((line) => {
      const { content } = fieldsOf(line);
      return typeof content === "string" && saysForgotten(content);
    });
    if (!says) continue;
    fs.unlink(path);
    dropped.push(path);
  }
  return dropped;
}
