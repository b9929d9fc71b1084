/**
 * What a passage means apart from the words it shares with the query. A vector that is a sum of words
 * is near another for the words they share, and those are counted as keywords already. Without them,
 * a passage that answers is still near (its other words are of the same matter), and one that only
 * says the same words about something else is not.
 */
import type { Query } from "./query.ts";

/** Words are the same when so many first letters are: `retries`, `retry`; `encrypted`, `encryption`. */
const STEM_CHARACTERS = 5;

/** The words of a passage that are the query's too, as often as they stand there. */
export function sharedWords({ terms }: Query, passage: string): string {
  const stems = new Set<string>();
  for (const { term } of terms) {
    for (const word of term.match(/[a-z0-9]+/g) ?? []) stems.add(stem(word));
  }
  const words = passage.match(/[A-Za-z0-9]+/g) ?? [];
  return words.filter((word) => stems.has(stem(word.toLowerCase()))).join(" ");
}

function stem(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
