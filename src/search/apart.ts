/**
 * What a passage means apart from the words it shares with the query. A vector that is a sum of words
 * is near another for the words they share, and those are counted as keywords already. Without them,
 * a passage that answers is still near (its other words are of the same matter), and one that only
 * says the same words about something else is not.
 */
import type { Query } from "./query.ts";

/** Words are the same when so many first letters are: `retries`, `retry`; `encrypted`, `encryption`. */
export const STEM_CHARACTERS = 5;

/** Finds the words of a passage that are the query's too; undefined where the query has none. */
export function sharedPattern({ terms }: Query): RegExp | undefined {
  const stems = new Set<string>();
  for (const { term } of terms) {
    for (const word of term.match(/[a-z0-9]+/g) ?? []) stems.add(word.slice(0, STEM_CHARACTERS));
  }
  if (stems.size === 0) return undefined;
  // A shorter word has no other endings that are not another word.
  const forms = [...stems].map((stem) =>
    stem.length < STEM_CHARACTERS ? `${stem}(?![a-z0-9])` : `${stem}[a-z0-9]*`
  );
  return new RegExp(`(?<![a-z0-9])(?:${forms.join("|")})`, "gi");
}

/** Those words, as often as they stand there. */
export function sharedWords(pattern: RegExp | undefined, passage: string): string {
  return pattern === undefined ? "" : passage.match(pattern)?.join(" ") ?? "";
}
