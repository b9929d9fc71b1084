/**
 * Undoes what one session wrote, by its agent or by Sage: new notes go to the trash, changed ones get their
 * former text. The plan is shown first. A note that anybody else changed since stays, and nothing is lost:
 * the trash keeps notes for 30 days, the history every replaced text.
 */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { editFrontMatter } from "../../note/front_matter.ts";
import { frontText } from "../../note/front_values.ts";
import type { Note } from "../../note/note.ts";
import { readGenerated } from "../../note/provenance.ts";
import { replaceNote } from "../../store/store.ts";
import { trashNote } from "../../store/trash.ts";
import { versionedNotes } from "../../store/versions.ts";
import { catalogue } from "../catalogue.ts";
import {
  type Entry,
  isHere,
  isOfProject,
  lastUpdatedFirst,
  readEntries,
} from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import { keptVersions, restoreVersion } from "../knowledge/history.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { isOwnStill, isWrittenSince } from "./own_bytes.ts";
import { readSession } from "./state/state.ts";
import { hadHere } from "./local_sessions.ts";

interface UndoStep {
  readonly stored: StoredNote;
  /** Its text before the session; none where the session made it. */
  readonly before: Before | undefined;
}

interface Before {
  /** From 1, as in the note's history. */
  readonly number: number;
  readonly stored: StoredNote;
}

export interface LeftNote {
  readonly stored: StoredNote;
  readonly reason: string;
}

export interface UndoPlan {
  /** The editor's id. */
  readonly session: string;
  readonly steps: readonly UndoStep[];
  readonly left: readonly LeftNote[];
}

interface UndoReport {
  readonly removed: readonly StoredNote[];
  readonly restored: readonly StoredNote[];
  readonly left: readonly LeftNote[];
  /** Why the first failure failed; the others were undone. */
  readonly failure: SageError | undefined;
}

/**
 * The plan. `ref`: the editor's id of the session or its beginning; without one, the session that wrote
 * last in this project, preferably one of this machine. Undefined where no note is of such a session;
 * throws a SageError where several begin so.
 */
export async function planUndo(memory: Memory, ref = ""): Promise<UndoPlan | undefined> {
  const hasVersions = versionedIn(memory);
  const entries = (await catalogue(memory)).filter((entry) =>
    isHere(memory, entry) && mayBeOurs(entry, hasVersions)
  );
  const notes = await readEntries(entries.sort(lastUpdatedFirst));
  // The last one of this project: knowledge for every project may have been written elsewhere.
  const written = ref === "" ? notes.filter((stored) => isOfProject(memory, stored)) : notes;
  const writers = new Set(written.flatMap(({ note }) => writerOf(note)?.session ?? []));
  // What a teammate's session wrote last came with git, and is theirs to undo.
  const sessions = ref === "" ? ownOf(memory, writers) : writers;
  const meant = sessions.has(ref) ? [ref] : [...sessions].filter((own) => own.startsWith(ref));
  const [session] = meant;
  if (session === undefined) return undefined;
  if (ref !== "" && meant.length > 1) {
    throw new SageError("ambiguous", `"${ref}" is ${meant.length} sessions`, {
      hint: "give more of the id",
    });
  }
  const steps: UndoStep[] = [];
  const left: LeftNote[] = [];
  for (const stored of notes) {
    if (writerOf(stored.note)?.session !== session) {
      if (hasVersions(stored) && await wroteBefore(stored, session)) {
        left.push({ stored, reason: "somebody else wrote it since" });
      }
    } else if (isTouched(memory, stored)) {
      left.push({ stored, reason: "the file was changed since" });
    } else {
      const before = hasVersions(stored) ? await beforeSession(stored, session) : undefined;
      steps.push({ stored, before });
    }
  }
  return { session, steps, left };
}

function ownOf(memory: Memory, sessions: ReadonlySet<string>): ReadonlySet<string> {
  const own = [...sessions].filter(hadHere(memory));
  return own.length === 0 ? sessions : new Set(own);
}

type HasVersions = (
  of: Pick<Entry, "store"> & { readonly note: Pick<Entry["note"], "id"> },
) => boolean;

/** A note that only people wrote is not read. */
function mayBeOurs(entry: Entry, hasVersions: HasVersions): boolean {
  const { note } = entry;
  return !note.problem &&
    (note.kind === "session" || note.author !== "person" || hasVersions(entry));
}

/** From one listing for each store: few of thousands of notes have any. */
function versionedIn({ stores }: Memory): HasVersions {
  const versioned = new Map(stores.map((store) => [store, versionedNotes(store)]));
  return ({ store, note }) => versioned.get(store)?.(note.id) === true;
}

/** Each note by itself: one that cannot be undone is left, and reported. */
export async function undo(memory: Memory, plan: UndoPlan, author: Author): Promise<UndoReport> {
  const removed: StoredNote[] = [];
  const restored: StoredNote[] = [];
  const left: LeftNote[] = [...plan.left];
  let failure: SageError | undefined;
  for (const { stored, before } of plan.steps) {
    try {
      const isDone = before === undefined
        ? (await trashNote(stored.store, stored.loaded)).kind === "trashed"
        : await restore(memory, stored, before, author);
      if (!isDone) left.push({ stored, reason: "the file was changed meanwhile" });
      else (before === undefined ? removed : restored).push(stored);
    } catch (error) {
      if (!(error instanceof SageError)) throw error;
      failure ??= error;
      left.push({ stored, reason: error.message });
    }
  }
  for (const store of memory.stores) await indexSaved(memory, store);
  return { removed, restored, left, failure };
}

async function restore(
  memory: Memory,
  stored: StoredNote,
  { number, stored: { loaded } }: Before,
  author: Author,
): Promise<boolean> {
  if (stored.note.kind === "knowledge") {
    return (await restoreVersion(memory, stored, number, author)).kind === "restored";
  }
  const updated = rfc3339(memory.now());
  const text = await editFrontMatter(loaded.text, new Map([["updated", updated]]));
  return (await replaceNote(stored.store, stored.loaded, text)).kind === "written";
}

/** The session in a note's front matter; none where a person wrote it. */
function writerOf(note: Note): { readonly session: string; readonly at: string } | undefined {
  const generated = readGenerated(note.front);
  // Session notes are Sage's by their kind.
  const session = generated?.session ??
    (note.kind === "session" ? frontText(note.front, "session") : undefined);
  if (session === undefined || session === "" || generated?.by === "person") return undefined;
  return { session, at: generated?.at ?? note.updated };
}

/**
 * Whether the file was written after the session wrote it: by hand, by command or by git. The session
 * knows its bytes; where its state is gone, or older than that, the time has to tell.
 */
function isTouched(memory: Memory, { store, note, loaded, hash }: StoredNote): boolean {
  const { session = "", at = "" } = writerOf(note) ?? {};
  const { note: own, wrote } = readSession(memory, session) ?? {};
  if (own?.id === note.id) return !isOwnStill(store, own, loaded);
  const written = wrote?.[note.id];
  return written === undefined ? isWrittenSince(loaded, at) : written !== hash;
}

async function beforeSession(stored: StoredNote, session: string): Promise<Before | undefined> {
  const versions = await keptVersions(stored);
  const number = versions.findLastIndex(({ note }) => writerOf(note)?.session !== session) + 1;
  const before = versions[number - 1];
  return before === undefined ? undefined : { number, stored: before };
}

async function wroteBefore(stored: StoredNote, session: string): Promise<boolean> {
  return (await keptVersions(stored)).some(({ note }) => writerOf(note)?.session === session);
}
