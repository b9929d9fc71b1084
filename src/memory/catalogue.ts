/**
 * Every note in reach, as the refreshed index knows it: a walk of file stamps instead of reading
 * every file. The note itself is then read from its file, which is the truth.
 */
import { compareText } from "../base/text.ts";
import type { NoteKind } from "../note/note.ts";
import type { IndexedNote, NoteFilter } from "../search/document.ts";
import { loadNote, type Store } from "../store/store.ts";
import { type StoredNote, toStored } from "./item.ts";
import type { Memory } from "./memory.ts";
import { refreshStore } from "./reindex.ts";

export interface Entry {
  readonly store: Store;
  readonly note: IndexedNote;
}

/** The entries of the kinds (all kinds when left out), the project's store before the user's. */
export async function catalogue(memory: Memory, kinds?: readonly NoteKind[]): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const store of memory.stores) {
    if (memory.fs.lstat(store.root) === undefined) continue;
    await refreshStore(memory, store);
    entries.push(...known(memory, store, kinds));
  }
  return entries;
}

/**
 * What passes the filter, from the index as it stands: for hooks, which refreshed at the session's
 * start. Of more than `newest` a store, those updated last.
 */
export function knownEntries(memory: Memory, filter: NoteFilter, newest?: number): Entry[] {
  return memory.stores.flatMap((store) =>
    memory.index(store).notes(filter, newest).map((note) => ({ store, note }))
  );
}

function known(memory: Memory, store: Store, kinds: readonly NoteKind[] | undefined): Entry[] {
  const notes = memory.index(store).notes(kinds === undefined ? undefined : { kinds });
  return notes.map((note) => ({ store, note }));
}

/** The note behind an entry, or undefined when it went away in between. */
export async function readEntry({ store, note }: Entry): Promise<StoredNote | undefined> {
  try {
    return toStored(store, await loadNote(store, note.path));
  } catch {
    return undefined;
  }
}

/** Newest first; notes of one second by when their files were written, then by id. */
export function newestFirst(a: Entry, b: Entry): number {
  return compareText(b.note.created, a.note.created) ||
    b.note.stamp.mtimeMs - a.note.stamp.mtimeMs || compareText(b.note.id, a.note.id);
}

/** What lies in a project's own store is of it, whatever an old clone called the project. */
export function isHere(memory: Memory, { store, note }: Entry): boolean {
  const project = note.project ?? "";
  return store.scope === "project" || project === "" || project === memory.places.projectId;
}
