/**
 * The order of what passed the threshold. Pure; the time is handed in. Recall frequency counts here
 * and nowhere else, so that being shown often never makes a note look fresh.
 */
import { DAY_MS, parseTime } from "../../base/clock.ts";

export interface RankWeights {
  readonly relevance: number;
  readonly recency: number;
  readonly recallFrequency: number;
}

export interface Rankable {
  readonly combined: number;
  /** RFC 3339; empty counts as old. */
  readonly updated: string;
  /** How often the note was recalled. */
  readonly recalls: number;
}

export interface RankParts {
  readonly rank: number;
  readonly relevance: number;
  readonly recency: number;
  readonly recallFrequency: number;
}

const RECENCY_HALF_LIFE_DAYS = 30;
/** Recalls beyond this say nothing new. */
const RECALLS_FULL = 16;

/** Halves every 30 days; 1 now and for dates ahead, 0 where there is no date. */
export function recency(updated: string, nowMs: number): number {
  const then = parseTime(updated);
  if (then === undefined) return 0;
  return 0.5 ** (Math.max(0, nowMs - then) / DAY_MS / RECENCY_HALF_LIFE_DAYS);
}

/** Grows with the logarithm: the step from one recall to two says more than from ten to eleven. */
export function recallFrequency(recalls: number): number {
  return Math.min(1, Math.log2(1 + Math.max(0, recalls)) / Math.log2(1 + RECALLS_FULL));
}

function rankParts(item: Rankable, weights: RankWeights, nowMs: number): RankParts {
  const parts = {
    relevance: item.combined,
    recency: recency(item.updated, nowMs),
    recallFrequency: recallFrequency(item.recalls),
  };
  const rank = weights.relevance * parts.relevance + weights.recency * parts.recency +
    weights.recallFrequency * parts.recallFrequency;
  return { rank, ...parts };
}

/** Best first; equal ranks keep the order they came in. */
export function rank<T extends Rankable>(
  items: readonly T[],
  weights: RankWeights,
  nowMs: number,
): (T & { readonly ranked: RankParts })[] {
  return items
    .map((item) => ({ ...item, ranked: rankParts(item, weights, nowMs) }))
    .sort((a, b) => b.ranked.rank - a.ranked.rank);
}
