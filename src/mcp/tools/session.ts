/** The tool that reads and writes the note of this session. */
import { defined } from "../../base/defined.ts";
import { z } from "zod";
import type { Memory } from "../../memory/memory.ts";
import { readNote } from "../../memory/read.ts";
import { amendSessionNote } from "../../memory/session/amend.ts";
import { findSession } from "../../memory/session/list.ts";
import { readSession } from "../../memory/session/state/state.ts";
import { type Answer, failed, notFound, saved, say } from "../answer.ts";
import { ADDS, defineTool } from "../tool.ts";
import { agent, label, listing, prose } from "./shapes.ts";

/** A handoff is read once, by somebody who has other things to do. */
const ITEMS_MAX = 20;
const LINE_CHARACTERS_MAX = 500;
const items = z.array(prose.max(LINE_CHARACTERS_MAX)).max(ITEMS_MAX);

const input = z.strictObject({
  action: z.enum(["read", "write"]),
  id: label.optional(),
  summary: prose.max(2 * LINE_CHARACTERS_MAX).optional(),
  done: items.optional(),
  decisions: items.optional(),
  open_questions: items.optional(),
  next: items.optional(),
});

export const sessionNoteTool = defineTool({
  name: "sage_session_note",
  title: "Session note",
  description:
    "The note that this session leaves to the next one. write {summary?, done?, decisions?, " +
    "open_questions?, next?}: a given part replaces what you wrote of it before. read {id?}: this " +
    "session's note, or an earlier one's.",
  input,
  output: z.looseObject({ message: z.string() }),
  annotations: ADDS,
  async run(memory, { action, id, ...parts }) {
    return action === "read" ? await read(memory, id) : await write(memory, defined(parts));
  },
});

async function read(memory: Memory, id: string | undefined): Promise<Answer> {
  const own = memory.session === undefined ? undefined : readSession(memory, memory.session)?.note;
  if (id === undefined && own === undefined) {
    return say("none", "This session has no note yet; the first is written when a turn ends.");
  }
  let ref = own?.id ?? "";
  if (id !== undefined) {
    const found = await findSession(memory, id);
    if (found.kind !== "one") return notFound("session", id, found);
    ref = found.item.note.id;
  }
  const outcome = await readNote(memory, ref);
  if (outcome.kind !== "one") {
    return failed(`sage_session_note: the note ${ref} no longer exists.`);
  }
  const { item, text } = outcome;
  return listing(
    memory,
    [{ ...item, text, facts: { short_id: item.short_id } }],
    () => "One session note.",
  );
}

interface Parts {
  readonly summary?: string;
  readonly done?: string[];
  readonly decisions?: string[];
  readonly open_questions?: string[];
  readonly next?: string[];
}

async function write(memory: Memory, { open_questions, ...parts }: Parts): Promise<Answer> {
  const amendment = { ...parts, ...defined({ openQuestions: open_questions }) };
  if (Object.keys(amendment).length === 0) {
    return failed(
      "sage_session_note: to write, give summary, done, decisions, open_questions or next.",
    );
  }
  const { session } = memory;
  if (session === undefined) {
    return failed(
      "sage_session_note: this client names no session; sage_save_checkpoint keeps it instead.",
    );
  }
  const outcome = await amendSessionNote(memory, session, amendment, agent(memory));
  switch (outcome.kind) {
    case "written":
      return say(
        "written",
        "Written. It stays through the session, and the next one starts from it.",
        { id: outcome.id },
      );
    case "unchanged":
      return say("unchanged", "The note says so already.");
    case "deferred":
      return say("deferred", "The note is in use; it is written as soon as it is free.");
    case "kept":
      return failed(
        `Not written: ${outcome.reason}, so the note is theirs. Tell them what should be in it, or ` +
          "save a checkpoint.",
      );
    case "nothing":
      return failed(`Not written: ${outcome.reason}.`);
    case "refused":
      return saved("note", outcome);
  }
}
