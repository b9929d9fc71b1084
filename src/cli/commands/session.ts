/** `sage session`: what happened in each, what its compaction lost, and what becomes of its note. */
import { rfc3339 } from "../../base/clock.ts";
import {
  type AboutSession,
  aboutSession,
  findSession,
  listSessions,
  toSessionItem,
} from "../../memory/session/list.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { readNote } from "../../memory/read.ts";
import { type Answer, bold, dim, failed, type Line, type Span, textOfLine } from "../answer.ts";
import { linkText } from "../chain.ts";
import { chosen, toItems } from "../choice.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import { noneAnswer } from "../outcome.ts";
import { ago, moreNotice, when, whenHeading } from "../print.ts";
import { recalledLines } from "../recalled.ts";
import { compact } from "../session_compact.ts";
import { handoff } from "../session_handoff.ts";
import { table } from "../table.ts";
import { withMemory } from "../with_memory.ts";

const LIMIT = 20;

const list = defineVerb({
  summary: "the sessions, latest first",
  usage: "sage session list [--limit <n>] [--all]",
  operands: [0, 0],
  options: {
    limit: { type: "number", min: 1, max: 10000, summary: "at most this many, 20 by default" },
    all: { type: "boolean", summary: "of every project in your own store" },
  },
  run(input, io) {
    const { limit, all } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const { items, total } = await listSessions(memory, { limit: limit ?? LIMIT, all });
      const heading = ["id", whenHeading(io), "end", "title"].map(dim);
      const rows = items.map((item): Span[] => [
        dim(item.short_id),
        when(io, item.updated || item.created, memory.now()),
        item.status === "archived"
          ? "archived"
          : item.ended === undefined
          ? "open"
          : item.end_reason ?? "ended",
        item.title,
      ]);
      const text: Line[] = items.length === 0
        ? ["No session has a note yet: the first is written when one ends."]
        : table(io, [heading, ...rows]);
      return { json: { items, total }, text, notices: moreNotice(items, total, "session") };
    });
  },
});

const show = defineVerb({
  summary: "what happened in one, and what its compaction lost",
  usage: "sage session show <id>",
  operands: [1, Infinity],
  options: {},
  details: "An id is that of the note, or the editor's id of the session; the beginning is enough.",
  run(input, io) {
    const { rest, json } = input;
    return withMemory(input, io, async (memory) => {
      const shown = async (ref: string): Promise<Answer> => {
        const found = await findSession(memory, ref);
        switch (found.kind) {
          case "none":
            return noneAnswer("session", ref, found.nearest);
          case "many":
            return await chosen(
              io,
              toItems(found.items),
              { ref, nowMs: memory.now(), json },
              shown,
            );
          case "one":
            return await sessionAnswer(memory, io, found.item);
        }
      };
      return await shown(rest.join(" "));
    });
  },
});

async function sessionAnswer(memory: Memory, io: Io, stored: StoredNote): Promise<Answer> {
  const item = toSessionItem(stored);
  const about = await aboutSession(memory, item.session);
  const read = await readNote(memory, item.id);
  if (read.kind !== "one") {
    return failed({ code: "conflict", message: "The note changed meanwhile", hint: "repeat" });
  }
  const ended = item.ended === undefined
    ? "not ended"
    : `ended ${ago(io, item.ended, memory.now())}`;
  const lines: Line[] = [
    bold(item.title),
    dim(
      `${item.short_id} · ${ended}${item.end_reason === undefined ? "" : ` (${item.end_reason})`}`,
    ),
    "",
    ...read.text.split("\n"),
    ...checkpointLines(about),
    ...compactionLines(memory, io, about),
  ];
  const text = lines.map(textOfLine).join("\n");
  const { compaction } = about;
  return {
    json: {
      note: { ...item, author: read.author, hash: read.hash, text: read.text },
      checkpoints: about.checkpoints,
      ...(compaction === undefined
        ? {}
        : { compaction: { ...compaction, at: rfc3339(compaction.at) } }),
    },
    text: recalledLines(memory, io, [{ ...item, author: read.author, text }], () => lines),
  };
}

function checkpointLines({ checkpoints }: AboutSession): Line[] {
  if (checkpoints.length === 0) return [];
  return ["", bold("Checkpoints"), ...checkpoints.map((link) => `  ${linkText(link)}`)];
}

/** The meter, and what it counts as lost. */
function compactionLines(memory: Memory, io: Io, { compaction }: AboutSession): Line[] {
  if (compaction === undefined) return [];
  const { at, kept, lost } = compaction;
  return [
    "",
    bold("Compaction"),
    `  The summary of ${ago(io, rfc3339(at), memory.now())} kept ${kept} of ${
      kept + lost.length
    } exact things.`,
    ...lost.map(({ kind, text }): Line => [dim(`  lost ${kind.padEnd(9)}`), text]),
  ];
}

export const command: CommandGroup = {
  verbs: { list, show, handoff, compact },
  fallback: "list",
};
