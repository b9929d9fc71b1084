/** Notes held against each other: what stands out is likelier right than its own evidence says. */
import { combined, competition } from "./score.ts";

interface Competing {
  readonly sum: number;
  readonly stored: { readonly id: string; readonly supersedes: readonly string[] };
}

/** `unread`: the evidence of the best note that is not among them, where there is one. */
export function compete<T extends Competing>(
  notes: readonly T[],
  unread = -Infinity,
): (T & { readonly competing: number; readonly combined: number })[] {
  // An old version is no rival of the one that replaced it.
  const replaced = new Set(notes.flatMap(({ stored }) => stored.supersedes));
  const rivals = notes.filter(({ stored }) => !replaced.has(stored.id))
    .map(({ sum }) => sum)
    .sort((a, b) => b - a);
  const [best = 0, second = -Infinity] = rivals;
  const next = Math.max(second, Math.min(unread, best));
  return notes.map((note) => {
    const competing = competition(note.sum, best, next);
    return { ...note, competing, combined: combined(note.sum, competing) };
  });
}
