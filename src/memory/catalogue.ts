/** Every note in reach, from the refreshed index: a walk over file stamps instead of reading files. */
import { frontText } from "../note/front_values.ts";
import type { NoteKind } from "../note/note.ts";
import type { Relations } from "../search/document.ts";
import type { Entry } from "./index/entries.ts";
import { type Memory, storesThere } from "./memory.ts";
import { withoutPromoted } from "./knowledge/promoted.ts";
import { readFresh } from "./index/reindex.ts";

/** Entries of the kinds, or of all kinds; the project's store before the user's. */
export async function catalogue(memory: Memory, kinds?: readonly NoteKind[]): Promise<Entry[]> {
  return await readFresh(memory, () => catalogued(memory, kinds));
}

/** The same from the index as it stands, for callers that have just refreshed it. */
export function catalogued(memory: Memory, kinds?: readonly NoteKind[]): Entry[] {
  return withoutPromoted(memory, everyEntry(memory, kinds));
}

/**
 * The same with notes that were promoted and still lie here, for callers that look for a file or a free
 * name.
 */
export function everyEntry(memory: Memory, kinds?: readonly NoteKind[]): Entry[] {
  const filter = kinds === undefined ? undefined : { kinds };
  return storesThere(memory).flatMap((store) =>
    memory.index(store).notes(filter).map((note) => ({ store, note }))
  );
}

export interface RelatedEntry extends Entry {
  readonly relations: Relations;
}

/** The same with each note's relations, which the index keeps apart and reads as a whole. */
export async function relatedCatalogue(
  memory: Memory,
  kinds: readonly NoteKind[],
): Promise<RelatedEntry[]> {
  return await readFresh(memory, () => relatedCatalogued(memory, kinds));
}

export function relatedCatalogued(memory: Memory, kinds?: readonly NoteKind[]): RelatedEntry[] {
  const filter = kinds === undefined ? undefined : { kinds };
  const all = storesThere(memory).flatMap((store) =>
    memory.index(store).relations(filter).map((related) => ({ store, ...related }))
  );
  return withoutPromoted(memory, all);
}

/** The value of a front matter key that the index keeps as text only (`relations.fields`). */
export function extraField({ relations }: RelatedEntry, key: string): string | undefined {
  return frontText(new Map(relations.fields), key);
}
