/** Search by a note instead of by words. */
import { findNote, type NotFound } from "../find.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { type HitItem, searchMemory } from "../search.ts";

/** The default limit. */
const LIMIT = 10;

type SimilarOutcome =
  | { readonly kind: "hits"; readonly items: readonly HitItem[] }
  | NotFound;

/** Notes like the note of this id, or like the text when no note is named. */
export async function findSimilar(
  memory: Memory,
  ref: string,
  options: { readonly limit?: number } = {},
): Promise<SimilarOutcome> {
  const limit = options.limit ?? LIMIT;
  const found = await findNote(memory, ref);
  if (found.kind === "many") return found;
  if (found.kind === "none" && !/\s/.test(ref.trim())) return found;
  const note = found.kind === "one" ? withoutPrivate(found.item.note) : undefined;
  const text = note === undefined ? ref : `${note.title}. ${note.body}`;
  const { items } = await searchMemory(memory, text, { limit: limit + 1, literal: true });
  return { kind: "hits", items: items.filter(({ id }) => id !== note?.id).slice(0, limit) };
}
