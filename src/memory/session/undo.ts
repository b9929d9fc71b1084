/**
 * Undoes what one session wrote, by its agent or by Sage: new notes go to the trash, changed ones get their
 * former text. The plan is shown first. A note that anybody else changed since stays, and nothing is lost:
 * the trash keeps notes for 30 days, the history every replaced text.
 */
import { DAY_MS, parseTime, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { editFrontMatter } from "../../note/front_matter.ts";
import { frontText } from "../../note/front_values.ts";
import { readKnowledge } from "../../note/knowledge.ts";
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
  readEntry,
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
  entries.sort(lastUpdatedFirst);
  const session = ref === "" ? await lastSession(memory, entries) : await named(entries, ref);
  if (session === undefined) return undefined;
  const begin = beginOf(entries, session);
  const known = readSession(memory, session)?.wrote ?? {};
  const notes = await readEntries(
    entries.filter(({ note }) => note.stamp.mtimeMs >= begin || Object.hasOwn(known, note.id)),
  );
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
      const versions = hasVersions(stored) ? await keptVersions(stored) : [];
      const before = beforeSession(versions, session);
      if (before !== undefined || isNew(versions[0] ?? stored)) steps.push({ stored, before });
      else left.push({ stored, reason: "what it said before is not kept here" });
    }
  }
  return { session, steps, left };
}

/**
 * The session that wrote last, in this project: knowledge for every project may have been written elsewhere.
 * What a teammate's session wrote last came with git, and is theirs to undo.
 */
async function lastSession(memory: Memory, entries: readonly Entry[]): Promise<string | undefined> {
  const isHad = hadHere(memory);
  let first: string | undefined;
  for (const entry of entries) {
    if (!isOfProject(memory, entry)) continue;
    const session = await sessionIn(entry);
    if (session === undefined) continue;
    if (isHad(session)) return session;
    first ??= session;
  }
  return first;
}

/** The session of this id, or of the only one that begins so; one that has a note is known from the index. */
async function named(entries: readonly Entry[], ref: string): Promise<string | undefined> {
  if (entries.some(({ note }) => note.kind === "session" && note.session === ref)) return ref;
  const sessions = new Set<string>();
  for (const entry of entries) {
    const session = await sessionIn(entry);
    if (session?.startsWith(ref) === true) sessions.add(session);
  }
  if (sessions.has(ref) || sessions.size === 0) return sessions.has(ref) ? ref : undefined;
  const [session] = sessions;
  if (sessions.size === 1) return session;
  throw new SageError("ambiguous", `"${ref}" is ${sessions.size} sessions`, {
    hint: "give more of the id",
  });
}

async function sessionIn(entry: Entry): Promise<string | undefined> {
  const stored = await readEntry(entry);
  return stored && writerOf(stored.note)?.session;
}

/** For clocks that were set meanwhile. */
const BEFORE_MS = DAY_MS;

/**
 * No file that was last written before its session began can have been written by it, so of thousands few
 * are read, besides those that the session knows as its own: a file's time may have been set. -Infinity where
 * no note says when that was.
 */
function beginOf(entries: readonly Entry[], session: string): number {
  const begun = entries.flatMap(({ note }) =>
    note.kind === "session" && note.session === session ? parseTime(note.created) ?? -Infinity : []
  );
  return begun.length === 0 ? -Infinity : Math.min(...begun) - BEFORE_MS;
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

function beforeSession(versions: readonly StoredNote[], session: string): Before | undefined {
  const number = versions.findLastIndex(({ note }) => writerOf(note)?.session !== session) + 1;
  const before = versions[number - 1];
  return before === undefined ? undefined : { number, stored: before };
}

/**
 * Whether its session made the note. Versions stay on one machine, so where they lack it may only have
 * changed it. A note that it made from a file may have that file's dates, but no history of its own.
 */
function isNew({ note }: StoredNote): boolean {
  const { at } = writerOf(note) ?? {};
  if (note.kind === "session" || at === note.created) return true;
  return note.kind === "knowledge" && at !== note.updated &&
    !readKnowledge(note).history.some(({ date }) => date === at?.slice(0, 10));
}

async function wroteBefore(stored: StoredNote, session: string): Promise<boolean> {
  return (await keptVersions(stored)).some(({ note }) => writerOf(note)?.session === session);
}
