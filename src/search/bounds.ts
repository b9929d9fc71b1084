/** Upper bounds of what a chunk can be worth, as tables by signal: the first pass goes in their order. */
import { type SignalWorths, WORTH_STEPS } from "./board.ts";
import type { Query } from "./query.ts";
import { type FirstPassSum, WORTH } from "./score.ts";
import type { PhrasingBoard } from "./first_pass.ts";

/** `step`: how far below its bound a sum may lie, because the tables go in steps. */
export function signalWorths(
  { board: { mass }, query }: PhrasingBoard,
  sumFirst: FirstPassSum,
): SignalWorths & { readonly step: number } {
  const nothing = sumFirst(0, 0, mass, 0, 0, 1);
  const meaning = inSteps((cosine) => sumFirst(calibrated(query, cosine), 0, mass, 0, 0, 1));
  const words = inSteps((kw) => sumFirst(0, kw, mass, 0, 0, 1) - nothing);
  const synonyms = inSteps((share) => sumFirst(0, 0, mass, share, 0, 1) - nothing);
  const unknown = sumFirst(undefined, 0, mass, 0, 0, 1);
  const step = stepOf(meaning) + stepOf(words) + stepOf(synonyms);
  return { meaning, words, synonyms, unknown, perSize: WORTH.length, step };
}

/** How telling a cosine is to the query's model, 0..1. */
export function calibrated(query: Query, cosine: number): number {
  const share = Number.isFinite(cosine) ? query.calibrate(Math.min(1, cosine)) : 0;
  // Damaged scales can give any number, and a calibration may not know all of them.
  return share > 0 ? Math.min(1, share) : 0;
}

function inSteps(worth: (share: number) => number): Float32Array {
  const table = new Float32Array(WORTH_STEPS);
  for (let i = 0; i < WORTH_STEPS; i++) table[i] = worth((i + 1) / WORTH_STEPS);
  return table;
}

/** The longest of a table's steps. */
function stepOf(table: Float32Array): number {
  let longest = table[0] ?? 0;
  for (let i = 1; i < table.length; i++) {
    longest = Math.max(longest, (table[i] ?? 0) - (table[i - 1] ?? 0));
  }
  return longest;
}
