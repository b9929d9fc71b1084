/** The one note that a parameter of the path means. */
import { findNote } from "../memory/find.ts";
import type { StoredNote } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import type { NoteKind } from "../note/note.ts";
import { notFound } from "./outcome.ts";
import type { Reply } from "./route.ts";

/** Answers with the note, or says why there is none. */
export async function withNote(
  memory: Memory,
  kind: NoteKind,
  ref: string,
  answer: (stored: StoredNote) => Reply | Promise<Reply>,
): Promise<Reply> {
  const found = await findNote(memory, ref, [kind]);
  return found.kind === "one" ? await answer(found.item) : notFound(ref, found);
}
