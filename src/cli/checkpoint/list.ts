/** `sage checkpoint list`: the timeline, with each checkpoint's parent. */
import { defined } from "../../base/defined.ts";
import { checkpointPage } from "../../memory/checkpoint/list.ts";
import { TRIGGERS } from "../../note/checkpoint.ts";
import { type Answer, dim, type Span } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { flaggedTitle } from "../terminal/flagged.ts";
import { limitOption, moreNotice, PAGE_ROWS, when, whenHeading } from "../terminal/print.ts";
import { moment } from "../since.ts";
import { listing } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

export const list = defineVerb({
  summary: "the timeline, newest first",
  usage: "sage checkpoint list [--limit <n>] [--trigger <name>] [--since <when>] [--all]",
  options: {
    limit: limitOption({ everywhere: true }),
    trigger: { type: "string", choices: TRIGGERS, summary: "only checkpoints with this trigger" },
    session: {
      type: "string",
      value: "id",
      summary: "only of this session: its id or the beginning of it",
    },
    skill: { type: "string", value: "name", summary: "only what belongs to this skill" },
    since: {
      type: "string",
      value: "when",
      summary: "only from then on: 30d, yesterday, 2026-01-13",
    },
    until: { type: "string", value: "when", summary: "only before then" },
    all: { type: "boolean", summary: "of every project in your own store" },
  },
  details:
    "The column `from` names the checkpoint that one continues, if any: sage load prints the whole chain.",
  examples: ["sage checkpoint list --since 7d", "sage checkpoint list --trigger synthesis"],
  run(input, io) {
    const { options } = input;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const limit = options.limit ?? PAGE_ROWS;
      const { all, trigger, session, skill } = options;
      const sinceMs = moment(options.since, "--since", memory.now());
      const untilMs = moment(options.until, "--until", memory.now());
      const filter = { limit, all, ...defined({ trigger, session, skill, sinceMs, untilMs }) };
      const { items, total: fit } = await checkpointPage(memory, filter);
      const total = items.length < limit ? items.length : fit;
      const hasParents = items.some(({ parent }) => parent !== undefined);
      const rows = items.map((item): Span[] => [
        dim(item.short_id),
        when(io, item.created, memory.now()),
        item.trigger,
        String(item.messages ?? "-"),
        String(item.tokens ?? "-"),
        ...(hasParents ? [dim(item.parent_short_id ?? "-")] : []),
        flaggedTitle(item),
      ]);
      const from = hasParents ? ["from"] : [];
      const heading = ["id", whenHeading(io), "trigger", "messages", "tokens", ...from, "title"];
      const text = listing(io, heading, rows, nothingText(options), { right: [3, 4] });
      return { json: { items, total }, text, notices: moreNotice(items, total, "checkpoint") };
    });
  },
});

function nothingText(options: Readonly<Record<string, unknown>>): string {
  const isFiltered = ["trigger", "session", "skill", "since", "until"].some((name) =>
    options[name] !== undefined
  );
  return isFiltered
    ? "No checkpoint matches. Without a filter: sage checkpoint list"
    : 'No checkpoints yet. sage checkpoint -m "…" saves one.';
}
