/** The one note that a parameter of the path means. */
import { findNote } from "../memory/find.ts";
import type { StoredNote } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import type { NoteKind } from "../note/note.ts";
import { ambiguous, unknown } from "./outcome.ts";
import type { Reply } from "./route.ts";

/** Answers with the note, or says why there is none. */
export async function withNote(
  memory: Memory,
  kind: NoteKind,
  ref: string,
  answer: (stored: StoredNote) => Reply | Promise<Reply>,
): Promise<Reply> {
  const found = await findNote(memory, ref, [kind]);
  if (found.kind === "one") return await answer(found.item);
  return found.kind === "many" ? ambiguous(ref, found.items) : unknown(ref, found.nearest);
}
