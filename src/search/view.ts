/** One question in its phrasings, and what a note is worth to each of them after the first look. */
import { assert } from "../base/errors.ts";
import type { Board } from "./board.ts";
import type { NoteFilter } from "./document.ts";
import type { Query } from "./query.ts";
import {
  certaintyOf,
  certaintySum,
  chanceIn,
  COMPETITION_MAX,
  type Evidence,
  neededFor,
  type SignalWeights,
} from "./score.ts";
import type { Segment } from "./segment.ts";
import type { PlacedNote, TriggerMatch } from "./triggers.ts";

/** So many of the best are read and looked at again; the others stay behind them. */
export const LOOKS = 10;
/** Equal scores go by path, but no more than this is read for their sake. */
export const TIES_MAX = 500;

/** A question, or the same question in other words. */
export interface Phrasing {
  readonly query: Query;
  /** Per segment: notes whose trigger the query contains. */
  readonly triggered: readonly ReadonlyMap<number, TriggerMatch>[];
}

export interface FindOptions {
  readonly limit: number;
  /**
   * Nothing below this combined score is asked for, nor what is too far from it at the first look: what a
   * closer one alone would lift so high is there by chance more often than not.
   */
  readonly atLeast?: number | undefined;
  /** Nothing with less evidence of its own is asked for, however the others are. */
  readonly sumMin?: number | undefined;
  /** Ids of notes that neither answer nor compete. */
  readonly except?: ReadonlySet<string> | undefined;
  /** Unasked: what happened is no rival of what is known of it, no name has to be there, more is needed. */
  readonly knownFirst?: boolean | undefined;
  readonly filter: NoteFilter;
  readonly weights: SignalWeights;
  /** The note that replaced one, by the id of that. */
  readonly successorOf?: ((id: string) => PlacedNote | undefined) | undefined;
}

/** A phrasing, and what every passage is worth to it. */
export interface View extends Phrasing {
  readonly board: Board;
}

/** A note after the first look. */
export interface Scored {
  readonly segment: Segment;
  readonly note: number;
  /** The number of the chunk that carries it, in its segment. */
  readonly chunk: number;
  readonly evidence: Evidence;
  readonly sum: number;
  readonly cosine: number;
  readonly trigger: string | undefined;
  /** Of several phrasings, what each finds; `sum` is their mean then. */
  readonly each?: readonly (Scored | undefined)[];
}

/** What evidence and certainty must reach, however far a note stands in front. */
export function leastOf({ atLeast = 0 }: FindOptions): number {
  return neededFor(atLeast) - COMPETITION_MAX;
}

/** The most that certainty adds to what the first look knows: every name of a question may be there. */
export function certaintyMax(evidence: Evidence, options: FindOptions, chunks: number): number {
  const known = options.knownFirst === true
    ? { ...evidence, named: 0, chance: chanceIn(chunks) }
    : { ...evidence, named: 1 };
  return certaintySum(certaintyOf(known, options.weights));
}

interface Said {
  readonly evidence: Evidence;
  readonly sum: number;
  readonly covered?: number;
}

/** What all phrasings say; the sums are means, the rest is of the one that says most. */
interface SaidByAll {
  readonly sum: number;
  readonly covered: number;
  readonly phrasing: number;
  readonly phrasings: readonly (Evidence | undefined)[] | undefined;
}

/**
 * What a note is worth to all phrasings, told by the one that says most. Where one finds nothing there
 * is no evidence. At least one finds something.
 */
export function whatAllSay<T extends Said>(each: readonly (T | undefined)[]): T & SaidByAll {
  let best: T | undefined;
  let [phrasing, sum, covered] = [0, 0, 0];
  each.forEach((one, v) => {
    if (one === undefined) return;
    if (best === undefined || one.sum > best.sum) [best, phrasing] = [one, v];
    sum += one.sum / each.length;
    covered += (one.covered ?? 0) / each.length;
  });
  assert(best !== undefined, "a note is found by a phrasing");
  const phrasings = each.length > 1 ? each.map((one) => one?.evidence) : undefined;
  return { ...best, sum, covered, phrasing, phrasings };
}
