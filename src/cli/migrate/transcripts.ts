/** `sage migrate --from transcripts`: past sessions of every agent become checkpoints and session notes. */
import { rfc3339 } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import {
  type MigratedSession,
  type MigratePlan,
  migrateTranscripts,
  planTranscripts,
} from "../../memory/migrate/transcripts.ts";
import { type Answer, dim, type Line, type Span } from "../terminal/answer.ts";
import type { Input } from "../command.ts";
import type { Io } from "../io.ts";
import { when, whenHeading } from "../terminal/print.ts";
import { progress } from "../terminal/progress.ts";
import { moment } from "../since.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

/** The default number of sessions in one run, which takes some seconds. */
const LIMIT = 100;

export interface BackFill {
  readonly limit: number | undefined;
  readonly since: string | undefined;
  readonly all: boolean;
  readonly isDry: boolean;
}

export function backFill(input: Input, io: Io, options: BackFill): Promise<Answer> {
  const { limit, since, all, isDry } = options;
  return withMemory(input, io, async (memory) => {
    const sinceMs = moment(since, "--since", memory.now());
    const plan = await planTranscripts(memory, {
      limit: limit ?? LIMIT,
      all,
      ...defined({ sinceMs }),
    });
    if (isDry) return planned(io, plan, memory.now());
    const done = await migrateTranscripts(memory, plan, ({ topic }, at) => {
      progress(io).say(`${at} of ${plan.sessions.length}: ${topic}`);
    });
    return migrated(plan, done);
  });
}

function planned(io: Io, plan: MigratePlan, nowMs: number): Answer {
  const items = plan.sessions.map(({ endedMs, ...past }) => ({ ...past, ended: rfc3339(endedMs) }));
  const heading = ["session", whenHeading(io), "KB", "agent", "folder", "topic"].map(dim);
  const rows = items.map(({ agent, session, ended, bytes, cwd, topic }): Span[] => [
    dim(session.slice(0, 8)),
    when(io, ended, nowMs),
    // opencode keeps its sessions as rows of one file.
    bytes === 0 ? "" : String(Math.round(bytes / 1024)),
    agent,
    cwd,
    topic,
  ]);
  const text: Line[] = items.length === 0 ? [nothingText(plan)] : [
    `Would read ${count(items.length, "past session")}; what said too little becomes nothing.`,
    ...table(io, [heading, ...rows], { right: [2] }),
  ];
  return { json: { dry_run: true, items, ...restOf(plan) }, text, notices: notices(plan) };
}

function migrated(plan: MigratePlan, done: readonly MigratedSession[]): Answer {
  const made = done.flatMap(({ outcome }) => outcome.kind === "made" ? [outcome] : []);
  const checkpoints = made.filter(({ checkpoint }) => checkpoint !== undefined).length;
  const notes = made.filter(({ note }) => note !== undefined).length;
  const reasons = new Map<string, number>();
  for (const { outcome } of done) {
    if (outcome.kind === "made") continue;
    reasons.set(outcome.reason, (reasons.get(outcome.reason) ?? 0) + 1);
  }
  const items = done.map(({ endedMs, ...past }) => ({ ...past, ended: rfc3339(endedMs) }));
  const text: Line[] = done.length === 0 ? [nothingText(plan)] : [
    `Made ${count(checkpoints, "checkpoint")} and ${count(notes, "session note")} of ${
      count(done.length, "past session")
    }`,
    ...[...reasons].map(([reason, number]) => dim(`  ${number} left out: ${reason}`)),
  ];
  return {
    json: { items, made: { checkpoints, notes }, ...restOf(plan) },
    text,
    notices: notices(plan),
  };
}

function nothingText({ known, atWork }: MigratePlan): string {
  if (known === 0 && atWork > 0) return "Nothing can be read yet.";
  return known === 0
    ? "No editor has a past session here. For every project: --all"
    : `Nothing is left to do: all ${count(known, "session")} are known.`;
}

function restOf({ left, known, atWork, unreadable }: MigratePlan) {
  return {
    left,
    known,
    ...(atWork === 0 ? {} : { at_work: atWork }),
    ...(unreadable.length === 0 ? {} : { unreadable }),
  };
}

function notices({ left, atWork, unreadable }: MigratePlan): string[] {
  const [first, ...more] = unreadable;
  return [
    ...(atWork === 0 ? [] : [
      `${count(atWork, "session")} of the last half hour may be at work still: ` +
      "run it again when nothing was written to them for that long",
    ]),
    ...(left === 0 ? [] : [`${count(left, "older session")} left: run it again`]),
    ...(first === undefined ? [] : [
      `Cannot read ${first}${more.length === 0 ? "" : ` and ${more.length} more`}: ` +
      "look at owner and mode, then run it again",
    ]),
  ];
}
