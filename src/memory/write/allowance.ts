/**
 * How much one session may write without asking. Limits agents only: a person is trusted with their own
 * store, and Sage's own saves have rules of their own.
 */
import { SESSION_BYTES_MAX, SESSION_NOTES_MAX } from "../../base/limits.ts";
import type { Memory } from "../memory.ts";
import type { Author, NotSaved } from "./outcome.ts";
import { readSession, recordInSession } from "../session/state/state.ts";

/** What one act writes: a new note, or other bytes in the place of an old one. */
interface Written {
  readonly notes: 0 | 1;
  readonly bytes: number;
}

/** The written note and the SHA-256 of its file: `sage undo` removes only these very bytes. */
interface WrittenFile {
  readonly id: string;
  readonly hash: string;
}

/** The counts of clients that name no session: this process counts as one. */
const unnamed = { notesWritten: 0, bytesWritten: 0 };

/** Why this may not be written any more; undefined where it may. */
export function overCap(memory: Memory, author: Author, next: Written): NotSaved | undefined {
  if (author.by !== "agent" || author.accepted === true) return undefined;
  const { notesWritten = 0, bytesWritten = 0 } = author.session === undefined
    ? unnamed
    : readSession(memory, author.session) ?? {};
  const hint =
    "tell the person; they save further notes with `sage checkpoint` or `sage knowledge add`";
  if (next.notes > 0 && notesWritten + next.notes > SESSION_NOTES_MAX) {
    const reason = `this session has written ${notesWritten} notes already`;
    return { kind: "over_cap", reason, hint };
  }
  if (bytesWritten + next.bytes > SESSION_BYTES_MAX) {
    const reason =
      `it has ${next.bytes} bytes, and this session has written ${bytesWritten} of the ` +
      `${SESSION_BYTES_MAX} that it may`;
    return { kind: "over_cap", reason, hint };
  }
  return undefined;
}

/** Counts what was written, and records the note's hash. */
export function countWrite(
  memory: Memory,
  author: Author,
  { notes, bytes }: Written,
  file?: WrittenFile,
): void {
  const counts = author.by === "agent" && author.accepted !== true;
  if (author.by === "person" || (!counts && file === undefined)) return;
  if (author.session === undefined) {
    unnamed.notesWritten += counts ? notes : 0;
    unnamed.bytesWritten += counts ? bytes : 0;
    return;
  }
  recordInSession(memory, author.session, ({ notesWritten = 0, bytesWritten = 0, ...state }) => ({
    ...state,
    notesWritten: notesWritten + (counts ? notes : 0),
    bytesWritten: bytesWritten + (counts ? bytes : 0),
    ...(file === undefined ? {} : { wrote: { ...state.wrote, [file.id]: file.hash } }),
  }));
}
