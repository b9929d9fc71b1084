/** `sage knowledge`: the verbs. Adding and recalling are told in files of their own. */
import { defined } from "../../base/defined.ts";
import { knowledgePage } from "../../memory/knowledge/list.ts";
import { type Answer, dim, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { flaggedTitle } from "../terminal/flagged.ts";
import { add } from "../knowledge/add.ts";
import { edit, update } from "../knowledge/edit.ts";
import { extract } from "../knowledge/extract.ts";
import { archive, history, merge, restore } from "../knowledge/history.ts";
import { promote } from "../knowledge/promote.ts";
import { debug, match } from "../knowledge/recall.ts";
import { limitOption, moreNotice, rowsMax, when, whenHeading } from "../terminal/print.ts";
import { verify } from "../knowledge/verify.ts";
import { removeVerb } from "../remove.ts";
import { showVerb } from "../show.ts";
import { listing } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const list = defineVerb({
  summary: "what is known, newest first",
  usage: "sage knowledge list [--skill <name>] [--scope project|user] [--archived] [--limit <n>]",
  options: {
    skill: { type: "string", value: "name", summary: "only what belongs to this skill" },
    scope: { type: "string", choices: ["project", "user"], summary: "only this store" },
    archived: { type: "boolean", summary: "archived notes instead" },
    limit: limitOption({ everywhere: false }),
  },
  run(input, io) {
    const { skill, scope, archived, limit } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const most = rowsMax(io, input.json, limit);
      const filter = { archived, limit: most, ...defined({ skill, scope }) };
      const { items, total } = await knowledgePage(memory, filter);
      const heading = ["id", whenHeading(io), "scope", "subject", "tokens", "title"];
      const rows = items.map((item): Span[] => [
        dim(item.short_id),
        when(io, item.updated || item.created, memory.now()),
        item.scope,
        item.subject,
        String(item.tokens),
        flaggedTitle(item),
      ]);
      const text = listing(io, heading, rows, nothingText(input.options), { right: [4] });
      return { json: { items, total }, text, notices: moreNotice(items, total, "note") };
    });
  },
});

/** That nothing fits a filter is no word on what there is. */
function nothingText(options: Readonly<Record<string, unknown>>): string {
  const isFiltered = ["skill", "scope", "archived"].some((name) =>
    options[name] !== undefined && options[name] !== false
  );
  return isFiltered
    ? "No knowledge matches. Without a filter: sage knowledge list"
    : "No knowledge here yet. sage knowledge add saves some.";
}

export const command: CommandGroup = {
  verbs: {
    add,
    list,
    show: showVerb("knowledge"),
    edit,
    update,
    history,
    match,
    debug,
    extract,
    verify,
    promote,
    rm: removeVerb("knowledge"),
    archive,
    restore,
    merge,
  },
};
