/** Every note in reach, as the refreshed index knows it: a walk of file stamps instead of reading files. */
import type { NoteKind } from "../note/note.ts";
import type { Store } from "../store/handle.ts";
import type { Entry } from "./entries.ts";
import type { Memory } from "./memory.ts";
import { refreshStore } from "./reindex.ts";

/** The entries of the kinds (all kinds when left out), the project's store before the user's. */
export async function catalogue(memory: Memory, kinds?: readonly NoteKind[]): Promise<Entry[]> {
  for (const store of there(memory)) await refreshStore(memory, store);
  return catalogued(memory, kinds);
}

/** The same of an index as it stands: for who has just brought it up to date. */
export function catalogued(memory: Memory, kinds?: readonly NoteKind[]): Entry[] {
  const filter = kinds === undefined ? undefined : { kinds };
  return there(memory).flatMap((store) =>
    memory.index(store).notes(filter).map((note) => ({ store, note }))
  );
}

function there({ fs, stores }: Memory): Store[] {
  return stores.filter(({ root }) => fs.lstat(root) !== undefined);
}
