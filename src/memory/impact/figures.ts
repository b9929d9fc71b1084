/**
 * The measures of success that the first design set itself, counted from receipts: sessions that started
 * with context, notes written per hour, updates in conflict, time to recall.
 */
import { defined } from "../../base/defined.ts";
import { firstOfEach } from "../../base/first_of_each.ts";
import { OPENED } from "../use.ts";
import { type Receipt, type Receipts, toldIn } from "./receipts.ts";

/** A count, of how many, and the goal that was set for the share. */
export interface Share {
  readonly count: number;
  readonly of: number;
  readonly goal: string;
}

export interface Figures {
  /** Sessions whose first start named at least one note. The next figure hints at whether it was relevant. */
  readonly started_with_context: Share;
  /** Of those, sessions that opened a note which their start had named. */
  readonly went_on_from_it: Share;
  readonly notes_per_hour: {
    readonly notes: number;
    /** Active time: the gaps between receipts of at most half an hour. */
    readonly hours: number;
    readonly rate?: number;
    readonly goal: string;
  };
  readonly updates_in_conflict: Share;
  /** In milliseconds. */
  readonly time_to_recall: {
    readonly start?: Times;
    readonly asked?: Times;
    readonly goal: string;
  };
}

export interface Times {
  readonly median: number;
  readonly longest: number;
  readonly count: number;
}

const PAUSE_MS = 30 * 60 * 1000;
const HOUR_MS = 3_600_000;
/** Kinds that somebody chose to write. Session notes are written by themselves. */
const WRITTEN: readonly string[] = ["checkpoint", "knowledge", "todo", "topic"];
const RECALLS: readonly string[] = [
  "sage_recall_knowledge",
  "search_notes",
  "sage_load_checkpoint",
];
/** Outcomes of a save that changed, or could have changed, a note. */
const DECIDED: readonly string[] = ["saved", "updated", "duplicate", "conflict", "edited"];

export function figuresOf({ hooks, tools, saves, uses }: Receipts): Figures {
  const starts = firstStarts(hooks);
  const told = starts.filter(({ line }) => toldIn(line).length > 0);
  const wentOn = told.filter(({ session, line }) => {
    const notes = toldIn(line);
    return uses.some((use) =>
      use.session === session && OPENED.includes(use.use) && notes.includes(use.id)
    );
  });
  const written = saves.filter(({ line }) => WRITTEN.includes(String(line.kind))).length;
  const hours = activeHours([...hooks, ...tools]);
  const updates = tools.filter(({ line }) =>
    line.tool === "sage_save_knowledge" && DECIDED.includes(String(line.outcome))
  );
  const conflicts = updates.filter(({ line }) =>
    ["conflict", "edited"].includes(`${line.outcome}`)
  );
  return {
    started_with_context: { count: told.length, of: starts.length, goal: "more than 80 %" },
    went_on_from_it: { count: wentOn.length, of: told.length, goal: "none was set" },
    notes_per_hour: {
      notes: written,
      hours: Math.round(hours * 100) / 100,
      ...(hours < 0.1 ? {} : { rate: Math.round(written / hours * 10) / 10 }),
      goal: "3 to 5",
    },
    updates_in_conflict: { count: conflicts.length, of: updates.length, goal: "less than 5 %" },
    time_to_recall: {
      ...defined({
        start: timesOf(hooks.filter(({ line }) => line.hook === "session-start")),
        asked: timesOf(tools.filter(({ line }) => RECALLS.includes(String(line.tool)))),
      }),
      goal: "less than 2,000 ms",
    },
  };
}

/** The first start of each session; a compaction is none. */
function firstStarts(hooks: readonly Receipt[]): Receipt[] {
  const starts = hooks.filter(({ line }) =>
    line.hook === "session-start" && line.outcome === "done" && line.source !== "compact"
  );
  return firstOfEach(starts.toSorted((a, b) => a.atMs - b.atMs), ({ session }) => session);
}

function activeHours(receipts: readonly Receipt[]): number {
  let milliseconds = 0;
  for (const own of Map.groupBy(receipts, ({ session }) => session).values()) {
    const times = own.map(({ atMs }) => atMs).sort((a, b) => a - b);
    times.forEach((time, i) => {
      const gap = time - (times[i - 1] ?? time);
      if (gap <= PAUSE_MS) milliseconds += gap;
    });
  }
  return milliseconds / HOUR_MS;
}

/** Undefined where no receipt has a time. */
function timesOf(receipts: readonly Receipt[]): Times | undefined {
  const times = receipts.flatMap(({ line }) => typeof line.ms === "number" ? [line.ms] : [])
    .sort((a, b) => a - b);
  const [median, longest] = [times[Math.floor((times.length - 1) / 2)], times.at(-1)];
  if (median === undefined || longest === undefined) return undefined;
  return { median, longest, count: times.length };
}
