/** `sage session`: what happened in each, what its compaction lost, and what becomes of its note. */
import { count } from "../../base/text/text.ts";
import { settle } from "../../memory/index/settle.ts";
import { dueSessions } from "../../memory/session/compact.ts";
import { runningNotes } from "../../memory/session/instances.ts";
import {
  type AboutSession,
  listSessions,
  type SessionItem,
  showSession,
} from "../../memory/session/list.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, bold, dim, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { flaggedTitle } from "../terminal/flagged.ts";
import type { Io } from "../io.ts";
import {
  ago,
  keptText,
  limitOption,
  moreNotice,
  PAGE_ROWS,
  when,
  whenHeading,
} from "../terminal/print.ts";
import { changedAnswer } from "../outcome.ts";
import { recalledPage } from "../recalled.ts";
import { removeVerb } from "../remove.ts";
import { restoreRemovedVerb } from "../restore_removed.ts";
import { compact } from "../session/compact.ts";
import { withSession } from "../session/operand.ts";
import { handoff } from "../session/handoff.ts";
import { listing, table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const list = defineVerb({
  summary: "the sessions, latest first",
  usage: "sage session list [--limit <n>] [--all]",
  options: {
    limit: limitOption({ everywhere: true }),
    all: { type: "boolean", summary: "of every project in your own store" },
  },
  run(input, io) {
    const { limit, all } = input.options;
    return withMemory(input, io, async (opened): Promise<Answer> => {
      const memory = await settle(opened);
      const { items, total } = await listSessions(memory, { limit: limit ?? PAGE_ROWS, all });
      const running = runningNotes(memory);
      const rows = items.map((item): Span[] => [
        dim(item.short_id),
        when(io, item.updated || item.created, memory.now()),
        item.status === "archived" ? "archived" : stateText(item, running),
        flaggedTitle(item),
      ]);
      const nothing = "No session has a note yet: the first is written when a turn ends.";
      const due = (await dueSessions(memory)).length;
      return {
        json: { items, total, due },
        text: listing(io, ["id", whenHeading(io), "state", "title"], rows, nothing),
        notices: [
          ...moreNotice(items, total, "session"),
          ...(due === 0
            ? []
            : [`${count(due, "session")} old enough to become knowledge: sage session compact`]),
        ],
      };
    });
  },
});

const show = defineVerb({
  summary: "what happened in one, and what its compaction lost",
  usage: "sage session show [<id>]",
  operands: [0, Infinity],
  details:
    "The latest by default. An id is that of the note, or the editor's id of the session; the beginning is enough.",
  run(input, io) {
    return withMemory(input, io, async (opened) => {
      const memory = await settle(opened);
      return await withSession(memory, io, input, (one) => sessionAnswer(memory, io, one));
    });
  },
});

/** How a session stands; `when` it ended, where that is to be said. */
function stateText(
  { id, ended, end_reason }: SessionItem,
  running: ReturnType<typeof runningNotes>,
  when = "",
): string {
  if (ended === undefined) return running.has(id) ? "running" : "not ended";
  return end_reason === "recovered" ? `cut off${when} and recovered` : `ended${when}`;
}

async function sessionAnswer(memory: Memory, io: Io, stored: StoredNote): Promise<Answer> {
  const shown = await showSession(memory, stored);
  if (shown === undefined) return changedAnswer();
  const { item, text, hash, about } = shown;
  const when = item.ended === undefined ? "" : ` ${ago(io, item.ended, memory.now())}`;
  const lines: Line[] = [
    bold(item.title),
    dim(`${item.short_id} · ${stateText(item, runningNotes(memory), when)}`),
    "",
    ...text.split("\n"),
    ...checkpointLines(io, about),
    ...takenLines(memory, io, about),
    ...compactionLines(memory, io, about),
  ];
  return {
    json: { note: { ...item, hash, text }, ...about },
    text: recalledPage(memory, io, item, lines),
  };
}

function checkpointLines(io: Io, { checkpoints }: AboutSession): Line[] {
  if (checkpoints.length === 0) return [];
  const rows = checkpoints.map(({ short_id, title = "(no longer here)" }): Span[] => [
    dim(short_id),
    title,
  ]);
  return ["", bold("Checkpoints"), ...table(io, rows, { indent: "  " })];
}

const ACTS = {
  loaded: "loaded it",
  edited: "changed a file of it",
  asked: "was asked for what it left open",
} as const;

/** Until then it is offered to each session that starts. */
function takenLines(memory: Memory, io: Io, { taken }: AboutSession): Line[] {
  if (taken === undefined) return [];
  const when = ago(io, taken.at, memory.now());
  return ["", bold("Taken up"), `  Session ${taken.by.slice(0, 8)} ${ACTS[taken.act]}, ${when}.`];
}

/** The meter, and what it counts as lost. */
function compactionLines(memory: Memory, io: Io, { compaction }: AboutSession): Line[] {
  if (compaction === undefined) return [];
  const { at, kept, lost } = compaction;
  return [
    "",
    bold("Compaction"),
    `  The summary of ${ago(io, at, memory.now())} ${keptText(kept, kept + lost.length)}.`,
    ...lost.map(({ kind, text }): Line => [dim(`  lost ${kind.padEnd(9)}`), text]),
  ];
}

export const command: CommandGroup = {
  verbs: {
    list,
    show,
    handoff,
    compact,
    rm: removeVerb("session"),
    restore: restoreRemovedVerb("session"),
  },
  fallback: "list",
};
