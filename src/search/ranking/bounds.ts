/** Upper bounds of a chunk's worth, as tables by signal: the first pass scores in their order. */
import { type SignalWorths, WORTH_STEPS } from "./board.ts";
import type { Query } from "../query/query.ts";
import { type FirstPassSum, WORTH } from "./score.ts";
import type { PhrasingBoard } from "./first_pass.ts";

/** `step`: how far a sum may be below its bound, because the tables go in steps. */
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

/** A cosine as the query's model calibrates it, 0..1. */
export function calibrated(query: Query, cosine: number): number {
  const share = Number.isFinite(cosine) ? query.calibrate(Math.min(1, cosine)) : 0;
  // A damaged scale can give any number, for which a calibration need not be defined.
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
