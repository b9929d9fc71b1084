/** Every note in reach, as the refreshed index knows it: a walk of file stamps instead of reading files. */
import { frontText } from "../note/front_values.ts";
import type { NoteKind } from "../note/note.ts";
import type { Relations } from "../search/document.ts";
import type { Entry } from "./index_entries.ts";
import { type Memory, storesThere } from "./memory.ts";
import { withoutPromoted } from "./promoted.ts";
import { refreshAll } from "./reindex.ts";

/** The entries of the kinds (all kinds when left out), the project's store before the user's. */
export async function catalogue(memory: Memory, kinds?: readonly NoteKind[]): Promise<Entry[]> {
  await refreshAll(memory);
  return catalogued(memory, kinds);
}

/** The same of an index as it stands: for who has just brought it up to date. */
export function catalogued(memory: Memory, kinds?: readonly NoteKind[]): Entry[] {
  return withoutPromoted(memory, everyEntry(memory, kinds));
}

/** With what stands here although it was promoted: for who asks for a file, or for a name that is free. */
export function everyEntry(memory: Memory, kinds?: readonly NoteKind[]): Entry[] {
  const filter = kinds === undefined ? undefined : { kinds };
  return storesThere(memory).flatMap((store) =>
    memory.index(store).notes(filter).map((note) => ({ store, note }))
  );
}

export interface RelatedEntry extends Entry {
  readonly relations: Relations;
}

/** The same with what each note says of others, which the index keeps apart and reads as a whole. */
export async function relatedCatalogue(
  memory: Memory,
  kinds: readonly NoteKind[],
): Promise<RelatedEntry[]> {
  await refreshAll(memory);
  return relatedCatalogued(memory, kinds);
}

export function relatedCatalogued(memory: Memory, kinds?: readonly NoteKind[]): RelatedEntry[] {
  const filter = kinds === undefined ? undefined : { kinds };
  const all = storesThere(memory).flatMap((store) =>
    memory.index(store).relations(filter).map((related) => ({ store, ...related }))
  );
  return withoutPromoted(memory, all);
}

/** What a note's front matter says under a key that has no field of its own in the index. */
export function saidBy({ relations }: RelatedEntry, key: string): string | undefined {
  return frontText(new Map(relations.fields), key);
}
