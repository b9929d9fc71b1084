/** What the first pass of a search finds, and the bounds that it shares with the second (rerank.ts). */
import { assert } from "../../base/errors.ts";
import type { Board } from "./board.ts";
import type { IndexedNote, NoteFilter, StoredNote } from "../document.ts";
import type { Query } from "../query/query.ts";
import {
  certaintyOf,
  certaintySum,
  chanceIn,
  COMPETITION_MAX,
  type Evidence,
  neededFor,
  type SignalWeights,
} from "./score.ts";
import type { Segment } from "../segment/segment.ts";
import type { PlacedNote, TriggerMatch } from "../query/triggers.ts";

/** How many of the best are read and reranked; the others stay behind them. */
export const RERANKED_MAX = 10;
/** Notes with equal scores are ordered by path; at most this many are read for that. */
export const TIES_MAX = 500;

/** A question as it was asked, or in other words. */
export interface Phrasing {
  readonly query: Query;
  /** Per segment: notes whose trigger the query contains. */
  readonly triggered: readonly ReadonlyMap<number, TriggerMatch>[];
}

export interface FindOptions {
  readonly limit: number;
  /**
   * The least combined score. Notes too far below it in the first pass are left out as well: one that
   * only the second pass would lift so high is there by chance more often than not.
   */
  readonly atLeast?: number | undefined;
  /** The least evidence of its own, whatever the other notes have. */
  readonly sumMin?: number | undefined;
  /** Ids of notes that neither answer nor compete. */
  readonly except?: ReadonlySet<string> | undefined;
  /**
   * The text is a prompt, not a question. Then checkpoints and sessions do not compete with knowledge,
   * names of the prompt need not be in the note, and a large store needs more evidence.
   */
  readonly unasked?: boolean | undefined;
  readonly filter: NoteFilter;
  readonly weights: SignalWeights;
  /** A stored note with the ids that its links to replaced notes mean. */
  readonly indexed: (stored: StoredNote) => IndexedNote;
  /** The note that replaces the one with this id. Undefined: old versions lead to no newer one. */
  readonly successorOf?: ((id: string) => PlacedNote | undefined) | undefined;
}

/** A phrasing with the signals of every chunk for it. */
export interface PhrasingBoard extends Phrasing {
  readonly board: Board;
}

/** A note after the first pass. */
export interface Scored {
  readonly segment: Segment;
  readonly note: number;
  /** The number of its best chunk in the segment. */
  readonly chunk: number;
  readonly evidence: Evidence;
  readonly sum: number;
  readonly cosine: number;
  readonly trigger: string | undefined;
  /** With several phrasings, what each finds; `sum` is then their mean. */
  readonly each?: readonly (Scored | undefined)[];
}

/** The least sum of evidence and certainty that can reach `atLeast`, with all that competition can add. */
export function sumNeeded({ atLeast = 0 }: FindOptions): number {
  return neededFor(atLeast) - COMPETITION_MAX;
}

/** The most that certainty can add to the first pass's evidence: every name of a question may be there. */
export function certaintyMax(evidence: Evidence, options: FindOptions, chunks: number): number {
  const known = options.unasked === true
    ? { ...evidence, named: 0, chance: chanceIn(chunks) }
    : { ...evidence, named: 1 };
  return certaintySum(certaintyOf(known, options.weights));
}

interface PhrasingScore {
  readonly evidence: Evidence;
  readonly sum: number;
  readonly certainty?: number;
}

interface CombinedScore {
  readonly sum: number;
  readonly certainty: number;
  /** Which phrasing has the highest sum. */
  readonly phrasing: number;
  /** The evidence of each; undefined for a single phrasing. */
  readonly phrasings: readonly (Evidence | undefined)[] | undefined;
}

/**
 * One note under all phrasings: sum and certainty are the means, where a phrasing that does not find it
 * counts as 0; all else is of the phrasing with the highest sum. At least one must find it.
 */
export function combinePhrasings<T extends PhrasingScore>(
  each: readonly (T | undefined)[],
): T & CombinedScore {
  let best: T | undefined;
  let [phrasing, sum, certainty] = [0, 0, 0];
  each.forEach((one, p) => {
    if (one === undefined) return;
    if (best === undefined || one.sum > best.sum) [best, phrasing] = [one, p];
    sum += one.sum / each.length;
    certainty += (one.certainty ?? 0) / each.length;
  });
  assert(best !== undefined, "a note is found by a phrasing");
  const phrasings = each.length > 1 ? each.map((one) => one?.evidence) : undefined;
  return { ...best, sum, certainty, phrasing, phrasings };
}
