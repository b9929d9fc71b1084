/** `sage session compact`: old session notes become knowledge; the person is asked about matters of taste. */
import { shortId } from "../../base/id.ts";
import { count } from "../../base/text/text.ts";
import { type Entry, readEntry } from "../../memory/index/entries.ts";
import { indexedItem, type NoteItem, publicItem } from "../../memory/item.ts";
import { settle } from "../../memory/index/settle.ts";
import {
  type CompactedSession,
  compactSession,
  type Decision,
  dueSessions,
  type Unsettled,
} from "../../memory/session/compact.ts";
import { type Answer, dim, type Line } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import { firstRows, renderLines } from "../terminal/print.ts";
import { progress } from "../terminal/progress.ts";
import { canAsk, choose } from "../terminal/prompt.ts";
import { authorOf, withMemory } from "../with_memory.ts";

export const compact = defineVerb({
  summary: "make knowledge of old session notes, then archive them",
  usage: "sage session compact [--accept <a,b>] [--drop <a,b>] [--dry-run]",
  options: {
    accept: { type: "list", summary: "keep these statements, by id, without asking" },
    drop: { type: "list", summary: "leave these only in the archived note" },
    "dry-run": { type: "boolean", summary: "say which notes are due, write nothing" },
  },
  details:
    "A note is due if it is older than session.compact_days, and the oldest are due if all together have more lines than session.compact_lines; never the latest, or one whose session is running. Decisions, quantities, definitions and constraints become knowledge; on a terminal you are asked about preferences and about what would change an existing note. Otherwise they are listed, and the session stays as it is until --accept or --drop names them. The archived note keeps every word and links to its knowledge.",
  examples: ["sage session compact --dry-run", "sage session compact --drop 1f2e3d4c"],
  run(input, io) {
    const { accept, drop, "dry-run": dryRun } = input.options;
    return withMemory(input, io, async (opened): Promise<Answer> => {
      const memory = await settle(opened);
      const due = await dueSessions(memory);
      if (due.length === 0) return { json: { items: [] }, text: ["No session note is due."] };
      if (dryRun) return planned(io, due);
      const decide = async (question: Unsettled): Promise<Decision> => {
        const { id, subjective } = question.fact;
        if (drop.includes(id)) return "drop";
        // Only a person can say whether a taste still holds.
        if (accept.includes(id) && (!subjective || authorOf(io).by === "person")) return "keep";
        return canAsk(io) && !input.json ? await askFor(io, question) : "later";
      };
      const done: Done[] = [];
      for (const [i, entry] of due.entries()) {
        progress(io).say(`Session note ${i + 1} of ${due.length}`);
        const stored = await readEntry(entry);
        if (stored === undefined) continue;
        const compacted = await compactSession(memory, stored, authorOf(io), decide);
        done.push({ ...publicItem(stored), ...compacted });
      }
      return answerOf(done);
    });
  },
});

function planned(io: Io, due: readonly Entry[]): Answer {
  const { shown, more } = firstRows(io, due, "session note");
  return {
    json: { items: due.map(({ store, note }) => indexedItem(store, note)) },
    text: [...shown.map(({ note }): Line => [dim(`${shortId(note.id)}  `), note.title]), ...more],
    notices: [`${count(due.length, "session note")} due; nothing was written`],
  };
}

const CHOICES = ["keep it as knowledge", "leave it in the archived note", "decide another time"];

async function askFor(io: Io, question: Unsettled): Promise<Decision> {
  io.err(renderLines(["", ...questionLines(question)], io.color));
  const chosen = await choose(io, "What becomes of it?", CHOICES);
  return chosen === 0 ? "keep" : chosen === 1 ? "drop" : "later";
}

function questionLines({ fact, existing }: Unsettled): Line[] {
  return [
    [dim(`${fact.id}  `), fact.text],
    dim(
      existing === undefined
        ? `          ${fact.kind}, an opinion or a guess`
        : `          would replace "${existing.title}": ${existing.text.split("\n")[0] ?? ""}`,
    ),
  ];
}

/** The note as it was, and what became of it. */
type Done = NoteItem & CompactedSession;

function answerOf(done: readonly Done[]): Answer {
  const archived = done.filter((session) => session.archived);
  const written = done.reduce((sum, session) => sum + session.written, 0);
  const open = done.filter((session) => !session.archived);
  const questions = open.flatMap(({ unsettled }) => unsettled);
  const [first] = questions;
  return {
    json: {
      items: done.map(({ into, ...session }) => ({
        ...session,
        ...(session.archived ? { status: "archived" } : {}),
        compacted_into: into,
      })),
    },
    text: [
      `Archived ${count(archived.length, "session note")} of ${done.length}; ` +
      `${count(written, "statement")} became knowledge.`,
      ...open.flatMap(({ id, title, reason, unsettled }): Line[] => [
        [dim(`${shortId(id)}  `), `${title}: ${reason ?? `${unsettled.length} to settle`}`],
        ...unsettled.flatMap(questionLines),
      ]),
    ],
    notices: first === undefined
      ? []
      : [`to settle: sage session compact --accept ${first.fact.id} or --drop ${first.fact.id}`],
  };
}
