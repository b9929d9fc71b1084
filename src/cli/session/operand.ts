/** The session that is meant: the latest, or the one named by its note or the editor's id. */
import { SageError } from "../../base/errors.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { findSession, latestSession } from "../../memory/session/list.ts";
import { readSession } from "../../note/session.ts";
import { type Answer, failed } from "../terminal/answer.ts";
import type { Input } from "../command.ts";
import type { Io } from "../io.ts";
import { withFound } from "../note_operand.ts";

/** Runs `then` with its note, or answers why there is none. */
export async function withSession(
  memory: Memory,
  io: Io,
  { rest, json }: Input,
  then: (stored: StoredNote) => Answer | Promise<Answer>,
): Promise<Answer> {
  const ref = rest.length > 0 ? rest.join(" ") : await latestSession(memory);
  if (ref === undefined) {
    return failed({
      code: "not_found",
      message: "There is no session yet",
      hint:
        "a session's note is first written when a turn ends; sage doctor says whether hooks run",
    }, { json: { nearest: [] } });
  }
  const operand = { kind: "session", ref, json } as const;
  return await withFound(memory, io, operand, (ref) => findSession(memory, ref), then);
}

/** The editor's id of the session with this note; an unknown reference may itself be such an id. */
export async function editorSession(memory: Memory, ref: string): Promise<string> {
  const found = await findSession(memory, ref);
  if (found.kind === "many") {
    throw new SageError("ambiguous", `"${ref}" is ${found.items.length} sessions`, {
      hint: "sage session list names them; give more of the id",
    });
  }
  // A note without a session belongs to none: it must not mean 'the last one'.
  return found.kind === "one" ? readSession(found.item.note).session || ref : ref;
}
