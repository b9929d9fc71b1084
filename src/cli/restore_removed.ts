/** The way back out of the trash: without an id, what lies there; with one, the note is where it was. */
import { listRemoved, restoreRemoved } from "../memory/removed.ts";
import type { NoteKind } from "../note/note.ts";
import { type Answer, dim, failed, type Line, type Span } from "./answer.ts";
import { chosen } from "./choice.ts";
import { defineVerb, type Verb } from "./command.ts";
import { noneAnswer } from "./outcome.ts";
import { table } from "./table.ts";
import { withMemory } from "./with_memory.ts";

/** What the way back is called: `restore` of a checkpoint is going on from it. */
export const WAY_BACK: Readonly<Partial<Record<NoteKind, string>>> = {
  knowledge: "restore",
  checkpoint: "undelete",
};

export function restoreRemovedVerb(kind: NoteKind): Verb {
  return defineVerb({
    summary: "bring one back from the trash, or list what is there",
    usage: `sage ${kind} ${WAY_BACK[kind]} [<id>]`,
    operands: [0, Infinity],
    options: {},
    details:
      "The trash keeps what was removed for 30 days. An id, a short id or the title names it; without one, what can be brought back is listed. Of a note that was removed twice, the last text comes back.",
    run(input, io) {
      const { rest, json } = input;
      return withMemory(input, io, async (memory) => {
        const restore = async (ref: string): Promise<Answer> => {
          const outcome = await restoreRemoved(memory, kind, ref);
          switch (outcome.kind) {
            case "none":
              return noneAnswer(`removed ${kind}`, ref, outcome.nearest);
            case "many":
              return await chosen(io, outcome.items, { ref, nowMs: memory.now(), json }, restore);
            case "taken":
              return failed({
                code: "conflict",
                message: `Not restored, another note has its id: "${outcome.title}"`,
                hint: `sage ${kind} rm ${outcome.id}, then repeat: the two change places`,
              }, { json: { outcome: "taken", id: outcome.id } });
            case "restored": {
              const { short_id, title } = outcome.item;
              return {
                json: { restored: outcome.item },
                text: [`Restored ${kind} ${short_id}: ${title}`],
              };
            }
          }
        };
        if (rest.length > 0) return await restore(rest.join(" "));

        const items = await listRemoved(memory, kind);
        const rows = items.map((item): Span[] => [
          dim(item.short_id),
          item.removed.slice(0, 10),
          item.restore_until.slice(0, 10),
          item.title,
        ]);
        const heading = ["id", "removed", "until", "title"].map(dim);
        const text: Line[] = items.length === 0
          ? [`No ${kind} is in the trash.`]
          : table(io, [heading, ...rows]);
        return { json: { items }, text };
      });
    },
  });
}
