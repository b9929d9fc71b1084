/** What of this project may be captured: a person's `.sageignore` decides before anything is read. */
import { isCaptureExcluded, openIgnores } from "../../store/ignore.ts";
import type { Memory } from "../memory.ts";

export async function isExcluded(memory: Memory): Promise<boolean> {
  return await isCaptureExcluded(memory.fs, memory.places);
}

/** The text without the sentences that name an excluded path. */
export async function withoutIgnoredText(memory: Memory, text: string): Promise<string> {
  const ignores = await openIgnores(memory.fs, memory.places);
  if (ignores.files.length === 0) return text;
  const { withoutIgnored } = await import("./ignored_paths.ts");
  return withoutIgnored(memory, ignores).text(text);
}
