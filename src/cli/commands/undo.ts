/** `sage undo --session`: takes back what one session wrote. Says what it would do until it is told to. */
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import { publicItem, type StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { liveSessions } from "../../memory/session/instances.ts";
import { type LeftNote, planUndo, undo, type UndoPlan } from "../../memory/session/undo.ts";
import { type Answer, dim, failed, type Line, type Span, toFailure } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import type { Io } from "../io.ts";
import { firstRows, when } from "../terminal/print.ts";
import { editorSession } from "../session/operand.ts";
import { table } from "../terminal/table.ts";
import { authorOf, refuseAgents, withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, 1],
  options: {
    session: { type: "boolean", summary: "the session: the last one, or the one named" },
    yes: { type: "boolean", short: "y", summary: "do it" },
  },
  details:
    "Notes that the session made, by its agent or by Sage, go to the trash for 30 days; notes that it changed get their former text. What anybody else changed since stays, and is listed. Only a person can do it, not an agent. Name a session by the id of its note, or by the editor's id.",
  examples: ["sage undo --session", "sage undo --session 1f2e3d4c --yes"],
  run(input, io) {
    const { session, yes } = input.options;
    const [ref] = input.rest;
    if (!session) {
      throw new SageError("usage", "--session is missing", {
        hint: "sage undo --session lists what the last session wrote; --yes undoes it",
      });
    }
    if (yes) refuseAgents(io, "Only a person may undo a session");
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const plan = await planUndo(
        memory,
        ref === undefined ? "" : await editorSession(memory, ref),
      );
      if (plan === undefined) return nothing(ref);
      if (!yes) return planned(memory, io, plan, ref);
      const { removed, restored, left, failure } = await undo(memory, plan, authorOf(io));
      return {
        json: {
          session: plan.session,
          removed: removed.map(publicItem),
          restored: restored.map(publicItem),
          left: leftItems(left),
        },
        text: [
          `Taken back of session ${plan.session.slice(0, 8)}: ${
            count(removed.length, "note")
          } in the trash, ${count(restored.length, "note")} as before`,
        ],
        notices: [
          ...leftLines(left).map((line) => `sage: warning: left ${line}`),
          ...(removed.length === 0
            ? []
            : [`to bring one back: sage ${kindsOf(removed)} restore <id>`]),
        ],
        error: failure && toFailure(failure),
      };
    });
  },
});

/** Each has its own way back out of the trash. */
function kindsOf(removed: readonly StoredNote[]): string {
  return [...new Set(removed.map(({ note }) => note.kind))].join("|");
}

function nothing(ref: string | undefined): Answer {
  if (ref === undefined) {
    return {
      json: { removed: [], restored: [], left: [] },
      text: ["No session wrote anything here."],
    };
  }
  return failed({
    code: "not_found",
    message: `No note is of a session "${ref}"`,
    hint: "sage session list shows the sessions",
  });
}

function planned(
  memory: Memory,
  io: Io,
  { session, steps, left }: UndoPlan,
  ref: string | undefined,
): Answer {
  const items = (some: typeof steps) => some.map(({ stored }) => publicItem(stored));
  const made = items(steps.filter(({ before }) => before === undefined));
  const changed = items(steps.filter(({ before }) => before !== undefined));
  const lines = (what: string, list: typeof made): Line[] => {
    const { shown, more } = firstRows(io, list, "note");
    return list.length === 0 ? [] : [
      `${what} ${count(list.length, "note")}:`,
      ...table(
        io,
        shown.map((item): Span[] => [
          dim(item.short_id),
          item.type,
          when(io, item.updated, memory.now()),
          item.title,
        ]),
        { indent: "  " },
      ),
      ...more,
    ];
  };
  const again = `sage undo --session${ref === undefined ? "" : ` ${ref}`} --yes`;
  return {
    json: {
      dry_run: true,
      session,
      would_remove: made,
      would_restore: changed,
      left: leftItems(left),
    },
    text: [
      `Session ${session.slice(0, 8)}`,
      ...lines("Would move to the trash", made),
      ...lines("Would restore", changed),
      ...(steps.length === 0 ? ["Nothing of it can be undone."] : []),
    ],
    notices: [
      ...leftLines(left).map((line) => `stays: ${line}`),
      ...(liveSessions(memory).some((live) => live.session === session)
        ? ["the session still runs, and may write again"]
        : []),
      ...(steps.length === 0 ? [] : [`nothing was done yet; to do it: ${again}`]),
    ],
  };
}

function leftItems(left: readonly LeftNote[]) {
  return left.map(({ stored, reason }) => ({ ...publicItem(stored), reason }));
}

function leftLines(left: readonly LeftNote[]): string[] {
  return left.map(({ stored, reason }) => {
    const { short_id, title } = publicItem(stored);
    return `${short_id} "${title}": ${reason}`;
  });
}
