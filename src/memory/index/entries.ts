/**
 * Entries of the index, without a look at the disk, for hooks; and the note of an entry, read from its
 * file. Callers that may wait use catalogue.ts, which refreshes the index first.
 */
import { DAY_MS, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { join } from "../../base/path.ts";
import { compareText, cut } from "../../base/text/text.ts";
import type { IndexedNote, NoteFilter } from "../../search/document.ts";
import type { Store } from "../../store/handle.ts";
import { loadNote } from "../../store/load.ts";
import { type StoredNote, toStored } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPromoted } from "../knowledge/promoted.ts";

export interface Entry {
  readonly store: Store;
  readonly note: IndexedNote;
}

/**
 * Entries of this project that pass the filter, from the index as it stands: for hooks, which refreshed
 * at the session's start. Of more than `newest` a store, those updated last.
 */
export function knownEntries(memory: Memory, filter: NoteFilter, newest?: number): Entry[] {
  const found = memory.stores.flatMap((store) => {
    // Filtered before the newest are taken, because a private store holds the notes of all projects.
    const own = store.scope === "project"
      ? filter
      : { ...filter, projects: ["", ...memory.places.projectIds] };
    return memory.index(store).notes(own, newest).map((note) => ({ store, note }));
  });
  return withoutPromoted(memory, found);
}

/** The note of an entry, or undefined when its file is gone or cannot be read. */
export async function readEntry(entry: Entry | undefined): Promise<StoredNote | undefined> {
  if (entry === undefined) return undefined;
  const { store, note } = entry;
  try {
    return toStored(store, await loadNote(store, note.path), note);
  } catch {
    return undefined;
  }
}

/** The notes that still exist, in order. */
export async function readEntries(entries: Iterable<Entry>): Promise<StoredNote[]> {
  const notes: StoredNote[] = [];
  for (const entry of entries) {
    const stored = await readEntry(entry);
    if (stored !== undefined) notes.push(stored);
  }
  return notes;
}

type Dated = Pick<Entry, "note">;

/** Newest first; notes of one second by when their files were written, then by id. */
export function newestFirst(a: Dated, b: Dated): number {
  return compareText(b.note.created, a.note.created) ||
    b.note.stamp.mtimeMs - a.note.stamp.mtimeMs || compareText(b.note.id, a.note.id);
}

/** By the last update: a session that was resumed is later than one that began after it. */
export function lastUpdatedFirst(a: Dated, b: Dated): number {
  return compareText(b.note.updated, a.note.updated) || newestFirst(a, b);
}

/**
 * Without entries dated in the future by a wrong clock, which would be the last for years; with them
 * only where there are no others, as after a clock was set back.
 */
export function exceptAhead<D extends Dated>({ now }: Memory, entries: readonly D[]): readonly D[] {
  const tomorrow = rfc3339(now() + DAY_MS);
  const past = entries.filter(({ note }) => note.created < tomorrow && note.updated < tomorrow);
  return past.length === 0 ? entries : past;
}

/** Whether a note belongs here. A project's own store does, whatever project an old clone wrote into it. */
export function isHere(memory: Memory, { store, note }: Entry): boolean {
  const project = note.project ?? "";
  return store.scope === "project" || project === "" ||
    memory.places.projectIds.includes(project);
}

/**
 * Whether a list shows, and so counts, a note by default: not done todos, archived knowledge, or
 * unreadable checkpoints and sessions.
 */
export function isListed({ note: { kind, status, problem } }: Dated): boolean {
  if (kind === "checkpoint" || kind === "session") return !problem;
  return kind === "topic" || (status !== "archived" && (kind !== "todo" || status !== "done"));
}

/**
 * Narrower: only notes of this project alone, which may rest on its files or be changed from here.
 * Notes without a project in the person's store hold in every one.
 */
export function isOfProject(
  memory: Memory,
  { store, note }: {
    readonly store: Pick<Store, "scope">;
    readonly note: { readonly project?: string | undefined };
  },
): boolean {
  return store.scope === "project" || memory.places.projectIds.includes(note.project ?? "");
}

/** A page of a list. `cursor`: path of the last note of the page before. */
export interface Page {
  readonly cursor?: string;
  readonly limit?: number;
}

/** The part of an ordered list after the cursor; fails where no entry has that path. */
export function afterCursor<T extends Entry | { readonly path: string }>(
  entries: readonly T[],
  cursor: string | undefined,
): readonly T[] {
  if (cursor === undefined) return entries;
  const at = entries.findIndex((one) =>
    ("note" in one ? join(one.store.root, one.note.path) : one.path) === cursor
  );
  if (at >= 0) return entries.slice(at + 1);
  throw new SageError("usage", `Cannot continue after "${cut(cursor, 80)}": no such note here`, {
    hint: "start again without a cursor",
  });
}
