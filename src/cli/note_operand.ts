/** The one note that an operand means: asked for where several fit, refused where its file is no note. */
import { shortId } from "../base/id.ts";
import { findNamed, findNote, type Found, type Missed, type NotFound } from "../memory/find.ts";
import { refuseUnreadable, type StoredNote } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, failed } from "./terminal/answer.ts";
import { chosen, toItems } from "./terminal/choice.ts";
import type { Input } from "./command.ts";
import type { Io } from "./io.ts";
import { noneAnswer } from "./outcome.ts";
import { withMemory } from "./with_memory.ts";

/** For the help of what goes from where it is. */
export const NAMED_WHOLE =
  "For only the beginning of an id you are asked first; without a terminal it is refused.";

export interface Operand {
  readonly kind: NoteKind;
  readonly ref: string;
  readonly json: boolean;
  /** It goes from where it is: the beginning of an id names none. */
  readonly isGoing?: true;
}

/** Runs `then` with memory and the one note that the operands name. */
export function withNamed(
  input: Input,
  io: Io,
  operand: Pick<Operand, "kind" | "isGoing">,
  then: (memory: Memory, stored: StoredNote) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { rest, json } = input;
  return withMemory(input, io, (memory) =>
    withNote(
      memory,
      io,
      { ...operand, ref: rest.join(" "), json },
      (stored) => then(memory, stored),
    ));
}

/** Runs `then` with the note, or answers why there is none. A file that is no note is refused. */
export function withNote(
  memory: Memory,
  io: Io,
  operand: Operand,
  then: (stored: StoredNote) => Answer | Promise<Answer>,
): Promise<Answer> {
  const find = (ref: string): Promise<Found> =>
    (operand.isGoing ? findNamed : findNote)(memory, ref, [operand.kind]);
  return withFound(memory, io, operand, find, (stored) => {
    refuseUnreadable(stored);
    return then(stored);
  });
}

/** The same for notes that are found in another way, in any state. */
export async function withFound(
  memory: Memory,
  io: Io,
  operand: Operand,
  find: (ref: string) => Promise<Found>,
  then: (stored: StoredNote) => Answer | Promise<Answer>,
): Promise<Answer> {
  const found = await find(operand.ref);
  if (found.kind === "one") return await then(found.item);
  const again = (ref: string): Promise<Answer> =>
    withFound(memory, io, { ...operand, ref }, find, then);
  return await notOne(memory, io, operand, found, again);
}

/** No note matches, or several do, of which `again` is run with the chosen one. */
export async function notOne(
  memory: Memory,
  io: Io,
  { kind, ref, json }: Operand,
  found: NotFound,
  again: (ref: string) => Promise<Answer>,
): Promise<Answer> {
  return found.kind === "none"
    ? await otherKind(memory, kind, ref, found)
    : await chosen(io, toItems(found.items), { ref, nowMs: memory.now(), json }, again);
}

/** What was typed may be the name of another kind of note: then that is what to say. */
export async function otherKind(
  memory: Memory,
  wanted: NoteKind,
  ref: string,
  missed: Missed,
): Promise<Answer> {
  const found = await findNote(memory, ref);
  if (found.kind !== "one" || found.item.note.kind === wanted) {
    return noneAnswer(wanted, ref, missed);
  }
  const { id, kind } = found.item.note;
  const hasShow = ["checkpoint", "knowledge", "todo", "topic"].includes(kind);
  return failed({
    code: "not_found",
    message: `"${ref}" is a ${kind === "note" ? "plain" : kind} note, not a ${wanted} note`,
    hint: hasShow
      ? `sage ${kind} show ${shortId(id)}`
      : `it is the file ${found.item.absolutePath}`,
  });
}
