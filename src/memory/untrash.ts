/** Out of the trash again: a note by its id, short id or title, to where it lay or beside what lies there. */
import { shortId } from "../base/id.ts";
import type { NoteKind } from "../note/note.ts";
import { isForgotten } from "../store/tombstones.ts";
import { loadNote, type Store } from "../store/store.ts";
import { listTrash, restoreTrash } from "../store/trash.ts";
import type { Memory } from "./memory.ts";
import { indexSaved } from "./reindex.ts";

interface Trashed {
  readonly store: Store;
  readonly trash: string;
  readonly id: string;
}

/** The id of the note that was brought back, or undefined where nothing, or more than one, is meant. */
export async function bringBack(
  memory: Memory,
  ref: string,
  kind: NoteKind,
): Promise<string | undefined> {
  const wanted = ref.trim().normalize("NFC").replace(/\.md$/, "");
  const found = new Map<string, Trashed>();
  for (const store of memory.stores) {
    if (memory.fs.lstat(store.root) === undefined) continue;
    // Oldest first: of two removals of one note the later one is kept.
    for (const { trash } of listTrash(store).filter(({ path }) => path.endsWith(".md"))) {
      const loaded = await loadNote(store, trash).catch(() => undefined);
      if (loaded === undefined || loaded.note.kind !== kind) continue;
      const { id, title } = loaded.note;
      const isIt = id === wanted || shortId(id) === wanted ||
        title.toLowerCase() === wanted.toLowerCase();
      if (isIt && !isForgotten(memory.fs, memory.places.stateDir, { id })) {
        found.set(id, { store, trash, id });
      }
    }
  }
  const [only, ...more] = found.values();
  if (only === undefined || more.length > 0) return undefined;
  restoreTrash(only.store, only.trash);
  await indexSaved(memory, only.store);
  return only.id;
}
