/**
 * What a passage means apart from the words it shares with the query. A vector that is a sum of words
 * is near another for the words they share, and those are counted as keywords already. Without them,
 * a passage that answers is still near (its other words are of the same matter), and one that only
 * says the same words about something else is not.
 */
import type { Query } from "./query.ts";

/** Words are the same when so many first letters are: `retries`, `retry`; `encrypted`, `encryption`. */
const STEM_CHARACTERS = 5;
/** So little of a passage may be left that its direction is noise. */
const REST_MIN = 0.05;

/** The words of a passage that are the query's too, as often as they stand there. */
export function sharedWords({ terms }: Query, passage: string): string {
  const stems = new Set<string>();
  for (const { term } of terms) {
    for (const word of term.match(/[a-z0-9]+/g) ?? []) stems.add(stem(word));
  }
  const words = passage.match(/[A-Za-z0-9]+/g) ?? [];
  return words.filter((word) => stems.has(stem(word.toLowerCase()))).join(" ");
}

/** The cosine of a unit vector with a sum, after `without` was taken out of it. */
export function cosineWith(
  unit: Float32Array,
  sum: Float32Array,
  without?: Float32Array,
): number | undefined {
  let [dot, square, whole] = [0, 0, 0];
  for (let i = 0; i < unit.length; i++) {
    const value = sum[i] ?? 0;
    const rest = value - (without?.[i] ?? 0);
    dot += rest * (unit[i] ?? 0);
    square += rest * rest;
    whole += value * value;
  }
  return square <= REST_MIN ** 2 * whole ? undefined : dot / Math.sqrt(square);
}

function stem(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
