/** The one note that an operand means: asked for where several fit, refused where its file is no note. */
import { SageError } from "../base/errors.ts";
import { findNote } from "../memory/find.ts";
import type { StoredNote } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import type { NoteKind } from "../note/note.ts";
import type { Answer } from "./answer.ts";
import { chosen, toItems } from "./choice.ts";
import type { Io } from "./io.ts";
import { noneAnswer } from "./outcome.ts";

export interface Operand {
  readonly kind: NoteKind;
  readonly ref: string;
  readonly json: boolean;
}

/** Runs `then` with the note, or answers why there is none. */
export async function withNote(
  memory: Memory,
  io: Io,
  { kind, ref, json }: Operand,
  then: (stored: StoredNote) => Promise<Answer>,
): Promise<Answer> {
  const found = await findNote(memory, ref, [kind]);
  if (found.kind === "none") return noneAnswer(kind, ref, found.nearest);
  if (found.kind === "many") {
    const options = { ref, nowMs: memory.now(), json };
    return await chosen(
      io,
      toItems(found.items),
      options,
      (id) => withNote(memory, io, { kind, ref: id, json }, then),
    );
  }
  const { problem } = found.item.note;
  if (problem !== undefined) {
    const { line, column, reason } = problem;
    throw new SageError(
      "invalid_note",
      `Cannot read ${found.item.absolutePath}:${line}:${column}: ${reason}`,
      { hint: "mend the file by hand, then repeat" },
    );
  }
  return await then(found.item);
}
