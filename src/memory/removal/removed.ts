/** Lists what is in the trash, and restores it. */
import { DAY_MS, rfc3339 } from "../../base/clock.ts";
import { systemError } from "../../base/errors.ts";
import { join } from "../../base/path.ts";
import { TRASH_DAYS } from "../../base/limits.ts";
import type { NoteKind } from "../../note/note.ts";
import { loadNote } from "../../store/load.ts";
import { restoreTrash } from "../../store/trash.ts";
import { catalogue } from "../catalogue.ts";
import { readEntry } from "../index/entries.ts";
import { nameTyped, nearestNotes } from "../find.ts";
import { type NoteItem, type NoteRef, publicItem, toStored } from "../item.ts";
import type { Memory } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";
import { latestOfEach, named, removedNotes } from "./trashed.ts";

interface RemovedItem extends NoteItem {
  readonly removed: string;
  readonly restore_until: string;
}

export type RestoreOutcome =
  | { readonly kind: "restored"; readonly item: NoteItem }
  /** Another note, not in the trash, has the id. */
  | { readonly kind: "taken"; readonly id: string; readonly title: string }
  | { readonly kind: "none"; readonly nearest: readonly NoteRef[] }
  | { readonly kind: "many"; readonly items: readonly NoteItem[] };

/** Restorable notes, of the kind or of all, the last removed first. */
export async function listRemoved(memory: Memory, kind?: NoteKind): Promise<RemovedItem[]> {
  return (await removedNotes(memory, kind)).map(({ stored, removedMs }) => ({
    ...publicItem(stored),
    removed: rfc3339(removedMs),
    restore_until: rfc3339(removedMs + TRASH_DAYS * DAY_MS),
  }));
}

/** Restores the note of that id, short id or title, of the kind or of any, as it was when last removed. */
export async function restoreRemoved(
  memory: Memory,
  kind: NoteKind | undefined,
  ref: string,
): Promise<RestoreOutcome> {
  const unread: unknown[] = [];
  const all = latestOfEach(await removedNotes(memory, kind, unread));
  const wanted = nameTyped(ref);
  const [stored, ...others] = named(all, wanted);
  // The note may be one that cannot be read.
  if (stored === undefined && unread.length > 0) throw systemError(unread[0], "read the trash");
  if (stored === undefined) return { kind: "none", nearest: nearestNotes(wanted, all) };
  if (others.length > 0) return { kind: "many", items: [stored, ...others].map(publicItem) };

  const { id } = stored.note;
  const live = (await catalogue(memory)).find(({ note }) => note.id === id);
  if (live !== undefined) {
    // An interrupted restore left it in both places: it is restored.
    const back = live.note.contentHash === stored.hash ? await readEntry(live) : undefined;
    return back === undefined
      ? { kind: "taken", id, title: live.note.title }
      : { kind: "restored", item: publicItem(back) };
  }
  const path = restoreTrash(stored.store, stored.path);
  await indexSaved(memory, stored.store, path);
  // Restored, even if it cannot be read back.
  const item = publicItem(stored);
  const back = await loadNote(stored.store, path).then(
    (loaded) => publicItem(toStored(stored.store, loaded)),
    () => ({ ...item, path: join(stored.store.root, path) }),
  );
  return { kind: "restored", item: back };
}

/** The one note of any kind in the trash under that id, short id or title. */
export async function findRemoved(memory: Memory, ref: string): Promise<NoteItem | undefined> {
  const wanted = nameTyped(ref);
  const [stored, ...others] = named(latestOfEach(await removedNotes(memory)), wanted);
  return stored === undefined || others.length > 0 ? undefined : publicItem(stored);
}
