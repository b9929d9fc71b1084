/** Rewrites a note without the words of a forgotten one. */
import { editFrontMatter } from "../../note/front_matter.ts";
import type { FrontChanges } from "../../note/note.ts";
import { replaceNote } from "../../store/store.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { rewroteNote } from "../session/own_bytes.ts";

/**
 * Writes `text` with these changes of its front matter; returns whether anything was written. Keeps no
 * version, which would hold what is to be forgotten.
 */
export async function rewriteWithout(
  memory: Memory,
  { store, loaded }: Pick<StoredNote, "store" | "loaded">,
  text: string,
  changes: FrontChanges,
): Promise<boolean> {
  const next = changes.size > 0 ? await editFrontMatter(text, changes) : text;
  if (next === loaded.text) return false;
  const outcome = await replaceNote(store, loaded, next, { keepVersion: false });
  if (outcome.kind !== "written") return false;
  rewroteNote(memory, loaded, next);
  return true;
}
