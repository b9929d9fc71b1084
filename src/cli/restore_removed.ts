/** The way back out of the trash: without an id lists it; with one the note is where it was. */
import { dayOf } from "../base/clock.ts";
import { findNote } from "../memory/find.ts";
import { listRemoved, type RestoreOutcome, restoreRemoved } from "../memory/removal/removed.ts";
import type { Memory } from "../memory/memory.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, dim, failed, type Span } from "./terminal/answer.ts";
import { chosen, toItems } from "./terminal/choice.ts";
import { defineVerb, type Verb } from "./command.ts";
import type { Io } from "./io.ts";
import type { Operand } from "./note_operand.ts";
import { noneAnswer } from "./outcome.ts";
import { firstRows } from "./terminal/print.ts";
import { listing } from "./terminal/table.ts";
import { withMemory } from "./with_memory.ts";

export function restoreRemovedVerb(kind: NoteKind): Verb {
  return defineVerb({
    summary: "bring one back from the trash, or list what is there",
    usage: `sage ${kind} restore [<id>]`,
    operands: [0, Infinity],
    details:
      "The trash keeps removed notes for 30 days. Name one by id, short id or title; without a name they are listed. A note that was removed twice comes back with its last text.",
    run(input, io) {
      const { rest, json } = input;
      return withMemory(input, io, async (memory) => {
        const restore = async (ref: string): Promise<Answer> => {
          const outcome = await restoreRemoved(memory, kind, ref);
          if (outcome.kind !== "restored") {
            return await notRestored(memory, io, { kind, ref, json }, outcome, restore);
          }
          const { short_id, title } = outcome.item;
          return {
            json: { restored: outcome.item },
            text: [`Restored ${kind} ${short_id}: ${title}`],
          };
        };
        if (rest.length > 0) return await restore(rest.join(" "));

        const items = await listRemoved(memory, kind);
        const { shown, more } = firstRows(io, items, kind);
        const rows = shown.map((item): Span[] => [
          dim(item.short_id),
          dayOf(item.removed),
          dayOf(item.restore_until),
          item.title,
        ]);
        const heading = ["id", "removed", "at least until", "title"];
        const text = listing(io, heading, rows, `No ${kind} is in the trash.`);
        return { json: { items }, text: [...text, ...more] };
      });
    },
  });
}

/** Why nothing was restored, or the choice between several matches. */
export async function notRestored(
  memory: Memory,
  io: Io,
  { kind, ref, json }: Operand,
  outcome: Exclude<RestoreOutcome, { kind: "restored" }>,
  again: (id: string) => Promise<Answer>,
): Promise<Answer> {
  switch (outcome.kind) {
    case "none": {
      const found = await findNote(memory, ref, [kind]);
      if (found.kind === "one") {
        const [{ id, title } = { id: ref, title: ref }] = toItems([found.item]);
        return failed({
          code: "not_found",
          message: `"${title}" is in its place, and nothing of that name is in the trash`,
          hint: kind === "knowledge"
            ? `sage knowledge history ${id} says which versions there are`
            : undefined,
        });
      }
      return noneAnswer(`removed ${kind}`, ref, outcome, `sage ${kind} restore`);
    }
    case "many":
      return await chosen(io, outcome.items, { ref, nowMs: memory.now(), json }, again);
    case "taken":
      return failed({
        code: "conflict",
        message: `Not restored, another note has its id: "${outcome.title}"`,
        hint: `remove that one, then repeat: sage ${kind} rm ${outcome.id}`,
      }, { json: { outcome: "taken", id: outcome.id } });
  }
}
