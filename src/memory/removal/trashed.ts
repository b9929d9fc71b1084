/** The notes in the trash, by name. They are not indexed, so the files are read. */
import { firstOfEach } from "../../base/first_of_each.ts";
import { isShortage } from "../../base/errors.ts";
import { dirname, join } from "../../base/path.ts";
import { dayOf, rfc3339 } from "../../base/clock.ts";
import { shortId } from "../../base/id.ts";
import { compareText } from "../../base/text/text.ts";
import type { NoteKind } from "../../note/note.ts";
import { loadNote } from "../../store/load.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { listTrash } from "../../store/trash.ts";
import { type NoteRef, publicItem, refOf, type StoredNote, toStored } from "../item.ts";
import type { Memory } from "../memory.ts";

interface Removed {
  readonly stored: StoredNote;
  readonly removedMs: number;
  /** When its folder in the trash was made: the trash itself counts whole seconds. */
  readonly madeMs: number;
}

/** A restorable note with the name that was looked for. */
export interface RemovedRef extends NoteRef {
  readonly type: NoteKind;
  readonly removed: string;
}

/** When it was removed, and what restores it: a command, or the page for kinds that have none. */
export function removedHint({ short_id, type, removed }: RemovedRef): string {
  const by = type === "note"
    ? "the trash on the page of sage serve"
    : `sage ${type} restore ${short_id}`;
  return `it was removed on ${dayOf(removed)}; ${by} brings it back`;
}

/** Returns a function that finds a note in the trash by id, short id or title. */
export async function trashedNames(
  memory: Memory,
  kinds?: readonly NoteKind[],
): Promise<(wanted: string) => RemovedRef | undefined> {
  const removed = (await removedNotes(memory))
    .filter(({ stored: { note } }) => kinds?.includes(note.kind) !== false);
  const latest = latestOfEach(removed);
  return (wanted) => {
    const [found] = named(latest, wanted);
    if (found === undefined) return undefined;
    const { removedMs = 0 } = removed.find(({ stored }) => stored === found) ?? {};
    return { ...refOf(publicItem(found)), type: found.note.kind, removed: rfc3339(removedMs) };
  };
}

/** `unread` collects why files could not be read. */
export async function removedNotes(
  memory: Memory,
  kind?: NoteKind,
  unread: unknown[] = [],
): Promise<Removed[]> {
  const found: Removed[] = [];
  for (const store of memory.stores) {
    // It came with the clone: nobody here removed anything.
    if (store.trust === "unknown") continue;
    for (const { trash, trashedMs } of listTrash(store)) {
      const loaded = await loadNote(store, trash).catch((error) => {
        if (isShortage(error)) throw error;
        unread.push(error);
        return undefined;
      });
      if (loaded === undefined || (kind !== undefined && loaded.note.kind !== kind)) continue;
      const { id } = loaded.note;
      if (isForgotten(memory.fs, memory.places.stateDir, { id, store })) continue;
      const folder = memory.fs.lstat(join(store.root, dirname(dirname(trash))));
      const madeMs = folder?.mtimeMs ?? 0;
      found.push({ stored: toStored(store, loaded), removedMs: trashedMs, madeMs });
    }
  }
  return found.sort((a, b) => b.removedMs - a.removedMs || b.madeMs - a.madeMs);
}

/** A note that was removed twice is restored as it was last. */
export function latestOfEach(removed: readonly Removed[]): StoredNote[] {
  return firstOfEach(removed.map(({ stored }) => stored), ({ note }) => note.id)
    .sort((a, b) => compareText(a.note.id, b.note.id));
}

export function named(all: readonly StoredNote[], wanted: string): StoredNote[] {
  const exact = all.filter(({ note }) => note.id === wanted || shortId(note.id) === wanted);
  if (exact.length > 0) return exact;
  return all.filter(({ note }) => note.title.toLowerCase() === wanted.toLowerCase());
}
