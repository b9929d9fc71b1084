/**
 * What a passage means apart from the words it shares with the query. A vector that is a sum of words
 * is near another for the words they share, and those are counted as keywords already. Without them,
 * a passage that answers is still near (its other words are of the same matter), and one that only
 * says the same words about something else is not.
 */
import type { Query } from "./query.ts";

/** Words are the same when so many first letters are: `retries`, `retry`; `encrypted`, `encryption`. */
const STEM_CHARACTERS = 5;

/** The cosine of the query with the rest of the passage; undefined where that says nothing new. */
export function cosineApart(query: Query, passage: string): number | undefined {
  if (query.near === undefined) return undefined;
  const stems = new Set<string>();
  for (const { term } of query.terms) for (const word of wordsOf(term)) stems.add(stem(word));
  const rest = passage.replace(
    /[A-Za-z0-9]+/g,
    (word) => stems.has(stem(word.toLowerCase())) ? " " : word,
  );
  return rest === passage ? undefined : query.near(rest);
}

function wordsOf(term: string): readonly string[] {
  return term.match(/[a-z0-9]+/g) ?? [];
}

function stem(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
