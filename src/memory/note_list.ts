/** Lists every note in reach, newest first, from the index: no file is read. */
import type { NoteKind } from "../note/note.ts";
import { catalogue } from "./catalogue.ts";
import { afterCursor, isHere, newestFirst, type Page } from "./index/entries.ts";
import { indexedItem, type NoteItem } from "./item.ts";
import type { Memory } from "./memory.ts";

interface NoteListFilter extends Page {
  readonly type?: NoteKind;
  readonly tag?: string;
  /** Of all projects in reach. */
  readonly all?: boolean;
}

export async function listNotes(
  memory: Memory,
  filter: NoteListFilter = {},
): Promise<{ readonly items: readonly NoteItem[]; readonly total: number }> {
  const { type, tag, all = false, cursor, limit = Infinity } = filter;
  const wanted = tag?.toLowerCase();
  const entries = (await catalogue(memory, type === undefined ? undefined : [type]))
    .filter((entry) =>
      (all || isHere(memory, entry)) &&
      (wanted === undefined || entry.note.tags.some((one) => one.toLowerCase() === wanted))
    )
    .sort(newestFirst);
  const page = afterCursor(entries, cursor).slice(0, limit);
  return { items: page.map(({ store, note }) => indexedItem(store, note)), total: entries.length };
}
