/** `sage impact`: what memory showed, what was used of it, and what it cost. */
import { dayOf } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { count, many } from "../../base/text/text.ts";
import type { Figures, Share, Times } from "../../memory/impact/figures.ts";
import { type Impact, measureImpact } from "../../memory/impact/impact.ts";
import { SPENT } from "../../memory/impact/spent.ts";
import { type Answer, bold, dim, failed, type Line, type Span } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import type { Io } from "../io.ts";
import { silenceOf } from "../../memory/status/activity.ts";
import { when, whenHeading } from "../terminal/print.ts";
import { moment } from "../since.ts";
import { proseLines, table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const ROWS_MAX = 10;

export const command = defineCommand({
  options: {
    since: {
      type: "string",
      value: "when",
      summary: "7d, yesterday, or a date; two weeks are kept",
    },
    session: {
      type: "string",
      value: "id",
      summary: "one session, by its id or the beginning of it",
    },
    verbose: { type: "boolean", short: "v", summary: "every event with the line it comes from" },
  },
  details:
    "Counted from the receipts in ~/.sage/state: log/<day>.jsonl, a line for each hook, tool call and save, and recalls/uses.jsonl, a line for each note that was opened. --verbose and --json name the line behind each number. Tokens are estimates; a session's share is relative to what went through its context window, according to its transcript.",
  examples: ["sage impact", "sage impact --since 7d", "sage impact --session 1a2b3c4d --verbose"],
  run(input, io) {
    const { since, session, verbose } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const sinceMs = moment(since, "--since", memory.now());
      const impact = await measureImpact(memory, defined({ sinceMs, session }));
      const json = { ...impact };
      if (impact.sessions.length === 0) {
        const message = session === undefined
          ? `No session was recorded here since ${dayOf(impact.since)}`
          : `No session "${session}" was recorded here since ${dayOf(impact.since)}`;
        const hint = impact.lost === undefined
          ? "sage doctor says whether hooks run"
          : `not known: ${impact.unknown[0]}`;
        return failed({ code: "not_found", message, hint }, { json });
      }
      const now = memory.now();
      return {
        json,
        text: [
          ...summary(io, impact),
          "",
          bold("Figures"),
          ...figures(io, impact.figures),
          ...notes(io, impact),
          ...sessions(io, impact, now),
          ...(verbose ? events(io, impact) : []),
          "",
          bold("Not known"),
          ...table(io, impact.unknown.map((one) => [dim(one)]), { indent: "  ", wraps: true }),
        ],
      };
    });
  },
});

function summary(io: Io, { since, sessions, tokens, prompts }: Impact): Line[] {
  const share = tokens.share === undefined ? "" : `, ${percent(tokens.share)} of what they held`;
  const parts = Object.entries(tokens.by).filter(([, spent]) => spent > 0)
    .map(([what, spent]) => `${many(spent)} ${SPENT[what] ?? what}`);
  const gates = Object.entries(prompts.gates).sort((a, b) => b[1] - a[1])
    .map(([gate, times]) => `${silenceOf(gate)} (${times})`);
  const below = (all: readonly string[]): Line[] =>
    all.length === 0 ? [] : proseLines(io, all.join(", "), "  ").map(dim);
  return [
    ...proseLines(
      io,
      `${count(sessions.length, "session")} since ${dayOf(since)}: ${
        many(tokens.told)
      } tokens of memory${share}; ${many(tokens.per_session_median)} in the median session`,
    ),
    ...below(parts),
    ...(prompts.total === 0 ? [] : [
      `${count(prompts.total, "prompt")}, ${prompts.silent} of them in silence (${
        percent(prompts.silent / prompts.total)
      })`,
    ]),
    ...below(gates),
  ];
}

function figures(io: Io, all: Figures): Line[] {
  const { notes_per_hour: written, time_to_recall: recall } = all;
  const rate = written.rate === undefined ? "too little to say" : `${written.rate} an hour`;
  const rows: Span[][] = [
    ["sessions that started with context", share(all.started_with_context)],
    ["  of these, that went on from it", share(all.went_on_from_it)],
    ["notes written", `${rate} (${count(written.notes, "note")} in ${written.hours} h)`],
    ["updates in conflict", share(all.updates_in_conflict)],
    ["time to recall, at the start", times(recall.start)],
    ["time to recall, when asked", times(recall.asked)],
  ];
  const goals = [
    all.started_with_context.goal,
    "",
    `${written.goal} an hour`,
    all.updates_in_conflict.goal,
    recall.goal,
    recall.goal,
  ];
  return table(
    io,
    rows.map((row, i): Span[] => [...row, goals[i] === "" ? "" : dim(`goal: ${goals[i]}`)]),
    { indent: "  " },
  );
}

function share({ count, of }: Share): string {
  return of === 0 ? "none yet" : `${count} of ${of} (${percent(count / of)})`;
}

function times(all: Times | undefined): string {
  return all === undefined
    ? "none yet"
    : `${all.median} ms, at most ${all.longest} ms (${count(all.count, "time")})`;
}

function notes(io: Io, { notes }: Impact): Line[] {
  if (notes.length === 0) return [];
  const rows = notes.slice(0, ROWS_MAX).map((note): Span[] => [
    note.shown.length === 0 ? "-" : String(note.shown.length),
    note.used.length === 0 ? "-" : String(note.used.length),
    note.overridden.length === 0 ? "-" : String(note.overridden.length),
    dim(note.short_id),
    note.title ?? "(gone)",
  ]);
  return [
    "",
    bold("Notes"),
    ...table(io, [["shown", "used", "overridden", "id", "title"].map(dim), ...rows], {
      right: [0, 1, 2],
      indent: "  ",
    }),
    ...more(notes.length),
  ];
}

function sessions(io: Io, { sessions }: Impact, nowMs: number): Line[] {
  const rows = sessions.slice(0, ROWS_MAX).map((one): Span[] => [
    when(io, one.started, nowMs),
    dim(one.session.slice(0, 8)),
    String(one.prompts),
    String(one.silent),
    many(one.told),
    one.held === undefined ? "-" : many(one.held),
    one.share === undefined ? "-" : percent(one.share),
  ]);
  const heading = [whenHeading(io), "session", "prompts", "silent", "tokens told", "of", "share"];
  return [
    "",
    bold("Sessions"),
    ...table(io, [heading.map(dim), ...rows], { right: [2, 3, 4, 5, 6], indent: "  " }),
    ...more(sessions.length),
  ];
}

/** Each with the line of `~/.sage/state` that it was read from. */
function events(io: Io, { sessions, notes }: Impact): Line[] {
  const costs = sessions.flatMap(({ session, costs }) =>
    costs.map(({ at, what, tool, tokens, from }): Span[] => [
      at,
      session.slice(0, 8),
      tool ?? what,
      `${tokens} tokens`,
      dim(from),
    ])
  );
  const told = notes.flatMap((note) =>
    [...note.shown, ...note.used, ...note.overridden].map(({ at, session, how, from }): Span[] => [
      at,
      session.slice(0, 8) || "you",
      how,
      note.short_id,
      dim(from),
    ])
  );
  const lines = (rows: readonly Span[][]): Line[] => table(io, rows, { indent: "  " });
  return [
    "",
    bold("Tokens, line by line"),
    ...lines(costs),
    "",
    bold("Notes, line by line"),
    ...lines(told),
  ];
}

function more(total: number): Line[] {
  return total > ROWS_MAX ? [dim(`  and ${total - ROWS_MAX} more: --json has them all`)] : [];
}

function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.1) return "under 0.1 %";
  return `${value > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}
