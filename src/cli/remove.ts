/** The verb `rm`, the same for every kind of note: into the trash, after a question on a terminal. */
import { dayOf } from "../base/clock.ts";
import { removeNote } from "../memory/removal/remove.ts";
import { findNamed } from "../memory/find.ts";
import { settle } from "../memory/index/settle.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, undone } from "./terminal/answer.ts";
import { toItems } from "./terminal/choice.ts";
import { defineVerb, type Verb } from "./command.ts";
import { NAMED_WHOLE, notOne } from "./note_operand.ts";
import { areSeveral, oneByOne } from "./one_by_one.ts";
import { canAsk, confirm } from "./terminal/prompt.ts";
import { authorOf, withMemory } from "./with_memory.ts";

export function removeVerb(kind: NoteKind): Verb {
  return defineVerb({
    summary: "move to the trash, where it stays for 30 days",
    usage: `sage ${kind} rm <id>… [--yes]`,
    operands: [1, Infinity],
    options: { yes: { type: "boolean", short: "y", summary: "without asking" } },
    details: NAMED_WHOLE,
    run(input, io) {
      const { options, rest, json } = input;
      return withMemory(input, io, async (opened) => {
        const memory = await settle(opened);
        const several = await areSeveral(memory, kind, rest);
        const remove = async (ref: string): Promise<Answer> => {
          if (!options.yes && !json && canAsk(io)) {
            const found = await findNamed(memory, ref, [kind]);
            const title = found.kind === "one" ? toItems([found.item])[0]?.title : undefined;
            if (title !== undefined && !await confirm(io, `Remove "${title}"?`)) {
              return undone(["Nothing was removed."]);
            }
          }
          const outcome = await removeNote(memory, ref, [kind], { author: authorOf(io) });
          if (outcome.kind !== "removed") {
            return await notOne(memory, io, { kind, ref, json }, outcome, remove);
          }
          const { kind: _, ...item } = outcome;
          const { short_id, title, restore_until } = item;
          return {
            json: several ? { items: [item] } : { removed: item },
            text: [
              `Removed ${short_id}: ${title} (in the trash at least until ${dayOf(restore_until)})`,
            ],
            notices: [`to bring it back: sage ${kind} restore ${short_id}`],
          };
        };
        return several ? await oneByOne(rest, remove) : await remove(rest.join(" "));
      });
    },
  });
}
