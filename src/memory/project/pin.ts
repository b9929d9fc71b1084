/**
 * Pins a note, so that every session here starts with it. The pin is a key of the note itself: it goes
 * wherever the note goes, and two people who pin different notes never change the same file.
 */
import { editFrontMatter } from "../../note/front_matter.ts";
import { type ReplaceOptions, updateNote } from "../../store/store.ts";
import { refuseUnreadable, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";

const PIN = new Map([["pinned", "true"]]);
const UNPIN = new Map([["pinned", undefined], ["always", undefined]]);

type PinOutcome = "changed" | "unchanged" | "edited";

/** Changes only the key, not the note's date. */
export async function pinNote(
  memory: Memory,
  stored: StoredNote,
  pinned: boolean,
  options: ReplaceOptions = {},
): Promise<PinOutcome> {
  refuseUnreadable(stored);
  const { store, path } = stored;
  const outcome = await updateNote(
    store,
    path,
    async ({ note, text }) =>
      note.pinned === pinned ? undefined : await editFrontMatter(text, pinned ? PIN : UNPIN),
    options,
  );
  if (outcome.kind === "unchanged") return "unchanged";
  if (outcome.kind !== "written") return "edited";
  await indexSaved(memory, store, path);
  return "changed";
}
