/** Every note in reach, as the refreshed index knows it: a walk of file stamps instead of reading files. */
import type { NoteKind } from "../note/note.ts";
import type { Store } from "../store/handle.ts";
import type { Entry } from "./entries.ts";
import type { Memory } from "./memory.ts";
import { refreshStore } from "./reindex.ts";

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

function known(memory: Memory, store: Store, kinds: readonly NoteKind[] | undefined): Entry[] {
  const notes = memory.index(store).notes(kinds === undefined ? undefined : { kinds });
  return notes.map((note) => ({ store, note }));
}
