/** `sage checkpoint list`: the timeline, and for each checkpoint the one it goes on from. */
import { SageError } from "../base/errors.ts";
import { parseSpan, parseTime } from "../base/clock.ts";
import { listCheckpoints } from "../memory/checkpoint/list.ts";
import { TRIGGERS } from "../note/checkpoint.ts";
import { type Answer, dim, type Line, type Span } from "./answer.ts";
import { defineVerb } from "./command.ts";
import { when, whenHeading } from "./print.ts";
import { table } from "./table.ts";
import { withMemory } from "./with_memory.ts";

const LIMIT = 20;

export const list = defineVerb({
  summary: "the timeline, newest first",
  usage: "sage checkpoint list [--limit <n>] [--trigger <name>] [--since <when>] [--all]",
  operands: [0, 0],
  options: {
    limit: { type: "number", min: 1, max: 10000, summary: "at most this many, 20 by default" },
    trigger: { type: "string", choices: TRIGGERS, summary: "only what this was the cause of" },
    session: { type: "string", value: "id", summary: "only of this session, or its beginning" },
    skill: { type: "string", value: "name", summary: "only what belongs to this skill" },
    since: { type: "string", value: "when", summary: "only from then on: 12h, 30d, 2026-01-13" },
    until: { type: "string", value: "when", summary: "only before then" },
    all: { type: "boolean", summary: "of every project in your own store" },
  },
  details:
    "The column `from` names the checkpoint that one goes on from, where there is one: follow it with sage load, which prints the whole chain.",
  examples: ["sage checkpoint list --since 7d", "sage checkpoint list --trigger synthesis"],
  run(input, io) {
    const { options } = input;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const items = await listCheckpoints(memory, {
        limit: options.limit ?? LIMIT,
        all: options.all,
        ...(options.trigger === undefined ? {} : { trigger: options.trigger }),
        ...(options.session === undefined ? {} : { session: options.session }),
        ...(options.skill === undefined ? {} : { skill: options.skill }),
        ...moment("sinceMs", "--since", options.since, memory.now()),
        ...moment("untilMs", "--until", options.until, memory.now()),
      });
      const hasParents = items.some(({ parent }) => parent !== undefined);
      const rows = items.map((item): Span[] => [
        dim(item.short_id),
        when(io, item.created, memory.now()),
        item.trigger,
        String(item.messages ?? "-"),
        String(item.tokens ?? "-"),
        ...(hasParents ? [dim(item.parent_short_id ?? "-")] : []),
        item.title,
      ]);
      const from = hasParents ? ["from"] : [];
      const heading = ["id", whenHeading(io), "trigger", "messages", "tokens", ...from, "title"];
      const text: Line[] = items.length === 0
        ? [nothingText(input.options)]
        : table(io, [heading.map(dim), ...rows], { right: [3, 4] });
      return { json: { items }, text };
    });
  },
});

function nothingText(options: Readonly<Record<string, unknown>>): string {
  const isFiltered = ["trigger", "session", "skill", "since", "until"].some((name) =>
    options[name] !== undefined
  );
  return isFiltered
    ? "No checkpoint fits. Without a filter: sage checkpoint list"
    : 'No checkpoints yet. sage checkpoint -m "…" saves one.';
}

/** A span before now, or a date. */
function moment<K extends string>(
  key: K,
  option: string,
  typed: string | undefined,
  nowMs: number,
): { readonly [P in K]?: number } {
  if (typed === undefined) return {};
  const span = parseSpan(typed);
  const at = span === undefined ? parseTime(typed) : nowMs - span;
  if (at === undefined) {
    throw new SageError("usage", `Cannot read "${typed}" as a time`, {
      hint: `${option} takes a span back from now (12h, 30d, 8w) or a date (2026-01-13)`,
    });
  }
  return { [key]: at } as { readonly [P in K]: number };
}
