/**
 * The agent's own words for its session's note. They are kept in the session's state, because the note is
 * made anew from the transcript, which would undo them.
 */
import { TurnList } from "../../editor/turn_list.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import type { Memory } from "../memory.ts";
import type { Author, NotSaved } from "../write/outcome.ts";
import { type SessionNoteOutcome, writeSessionNote } from "./note.ts";
import type { Amendment } from "./state/session_state.ts";
import { readSession, updateSession } from "./state/state.ts";
import { readTurns } from "./turns.ts";

type AmendOutcome = SessionNoteOutcome | Extract<NotSaved, { readonly kind: "refused" }>;

/** A part that is given replaces the agent's former one; the others stay. */
export async function amendSessionNote(
  memory: Memory,
  session: string,
  amendment: Amendment,
  author: Author,
): Promise<AmendOutcome> {
  const cleaned = await cleanDraft(memory, amendment, author);
  if (cleaned.kind === "refused") return cleaned;
  const state = updateSession(memory, session, (state) => ({
    ...state,
    amended: { ...state.amended, ...cleaned.draft, at: memory.now() },
  }));
  const path = readSession(memory, session)?.transcriptPath;
  const transcript = await readTurns(memory, path, { whole: true }) ??
    new TurnList().finish({ sessionId: session, cwd: "" });
  const end = state.ended === undefined
    ? undefined
    : { at: state.ended, reason: state.endReason ?? "other" };
  return await writeSessionNote(memory, session, transcript, end);
}
