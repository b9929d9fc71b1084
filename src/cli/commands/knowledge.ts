/** `sage knowledge`: the verbs. Adding and recalling are told in files of their own. */
import { listKnowledge } from "../../memory/knowledge/list.ts";
import { removeKnowledge } from "../../memory/knowledge/remove.ts";
import { readNote } from "../../memory/read.ts";
import { type Answer, dim, type Line, type Span } from "../answer.ts";
import { chosen, toItems } from "../choice.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { add } from "../knowledge_add.ts";
import { debug, match } from "../knowledge_recall.ts";
import { noneAnswer } from "../outcome.ts";
import { when, whenHeading } from "../print.ts";
import { canAsk, confirm } from "../prompt.ts";
import { showVerb } from "../show.ts";
import { table } from "../table.ts";
import { withMemory } from "../with_memory.ts";

const list = defineVerb({
  summary: "what is known, newest first",
  usage: "sage knowledge list [--skill <name>] [--scope project|user] [--archived]",
  operands: [0, 0],
  options: {
    skill: { type: "string", value: "name", summary: "only what belongs to this skill" },
    scope: { type: "string", choices: ["project", "user"], summary: "only this store" },
    archived: { type: "boolean", summary: "what was put away instead" },
  },
  run(input, io) {
    const { skill, scope, archived } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const items = await listKnowledge(memory, {
        archived,
        ...(skill === undefined ? {} : { skill }),
        ...(scope === undefined ? {} : { scope }),
      });
      const heading = ["id", whenHeading(io), "scope", "subject", "tokens", "title"].map(dim);
      const rows = items.map((item): Span[] => [
        dim(item.short_id),
        when(io, item.updated || item.created, memory.now()),
        item.scope,
        item.subject,
        String(item.tokens),
        item.title,
      ]);
      const text: Line[] = items.length === 0
        ? ["No knowledge here yet. sage knowledge add saves some."]
        : table(io, [heading, ...rows], { right: [4] });
      return { json: { items }, text };
    });
  },
});

const rm = defineVerb({
  summary: "move to the trash, where it stays for 30 days",
  usage: "sage knowledge rm <id> [--yes]",
  operands: [1, Infinity],
  options: { yes: { type: "boolean", short: "y", summary: "without asking" } },
  run(input, io) {
    const { options, rest, json } = input;
    return withMemory(input, io, async (memory) => {
      const remove = async (ref: string): Promise<Answer> => {
        if (!options.yes && !json && canAsk(io)) {
          const found = await readNote(memory, ref);
          if (found.kind === "one" && !await confirm(io, `Remove "${found.item.title}"?`)) {
            return { json: {}, text: [], notices: ["Nothing was removed."], code: 1 };
          }
        }
        const outcome = await removeKnowledge(memory, ref);
        switch (outcome.kind) {
          case "none":
            return noneAnswer("knowledge", ref, outcome.nearest);
          case "many": {
            const items = toItems(outcome.items);
            return await chosen(io, items, { ref, nowMs: memory.now(), json }, remove);
          }
          case "removed": {
            const { id, shortId, title, restoreUntil } = outcome;
            const until = restoreUntil.slice(0, 10);
            return {
              json: { removed: { id, short_id: shortId, title, restore_until: restoreUntil } },
              text: [`Removed ${shortId}: ${title} (in the trash until ${until})`],
            };
          }
        }
      };
      return await remove(rest.join(" "));
    });
  },
});

export const command: CommandGroup = {
  verbs: { add, list, show: showVerb("knowledge"), match, debug, rm },
};
