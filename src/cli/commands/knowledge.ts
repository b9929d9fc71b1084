/** `sage knowledge`: the verbs. Adding and recalling are told in files of their own. */
import { listKnowledge } from "../../memory/knowledge/list.ts";
import { type Answer, dim, type Line, type Span } from "../answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { add } from "../knowledge_add.ts";
import { extract } from "../knowledge_extract.ts";
import { debug, match } from "../knowledge_recall.ts";
import { when, whenHeading } from "../print.ts";
import { removeVerb } from "../remove.ts";
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

export const command: CommandGroup = {
  verbs: {
    add,
    list,
    show: showVerb("knowledge"),
    match,
    debug,
    extract,
    rm: removeVerb("knowledge"),
  },
};
