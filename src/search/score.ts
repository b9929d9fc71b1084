/**
 * From two signals to one number. Pure, and small enough to do by hand: what `--why` prints is this.
 * The rule without embeddings is here too, because it answers the same question in other units.
 */

/** Weights of the two signals, as the settings give them. */
export interface SignalWeights {
  readonly embedding: number;
  readonly keyword: number;
}

export const DEFAULT_WEIGHTS: SignalWeights = { embedding: 0.7, keyword: 0.3 };

export interface Signals {
  readonly emb: number;
  readonly kw: number;
  /** What other chunks of the note add. */
  readonly rest?: number;
}

export interface Combined {
  readonly combined: number;
  readonly carriedBy: "mix" | "emb" | "kw";
}

/** Keywords alone are weaker evidence than meaning alone: the same words are used of other things. */
const KEYWORD_ALONE = 0.9;

/**
 * The mix of both signals, unless one of them alone says more: a paraphrase shares no word with its
 * note, and a rare identifier has no meaning to a model. Turning a signal's weight down also turns
 * down what it can carry; a weight of 0 silences it.
 */
export function combine(signals: Signals, weights: SignalWeights = DEFAULT_WEIGHTS): Combined {
  const { emb, kw, rest = 0 } = signals;
  const sum = weights.embedding + weights.keyword;
  const mix = sum > 1
    ? (weights.embedding * emb + weights.keyword * kw) / sum
    : weights.embedding * emb + weights.keyword * kw;
  const embAlone = emb * Math.min(1, weights.embedding / DEFAULT_WEIGHTS.embedding);
  const kwAlone = kw * Math.min(1, weights.keyword / DEFAULT_WEIGHTS.keyword) * KEYWORD_ALONE;
  const best = Math.max(mix, embAlone, kwAlone);
  return {
    combined: Math.min(1, best + rest),
    carriedBy: best === mix ? "mix" : best === embAlone ? "emb" : "kw",
  };
}

/** A note's other chunks count, but never much: a long note must not win by length. */
export const REST_SHARE = 0.05;

/** What the second-best chunk adds to the best one's combined score. Grows with both. */
export function restOf(best: number, second: number): number {
  return REST_SHARE * (1 - best) * Math.max(0, Math.min(second, best));
}

/** What a query has in common with a note's triggers. */
export interface TriggerHits {
  readonly keywords: number;
  readonly patterns: number;
  /** Keywords that occur inside a longer word only. */
  readonly substrings: number;
}

/** Without embeddings a note is recalled from this many points up. */
export const FALLBACK_THRESHOLD = 2;

/** Points without any embedding: 3 a keyword, 2 a pattern, 1 a substring. */
export function fallbackPoints(hits: TriggerHits): number {
  return 3 * hits.keywords + 2 * hits.patterns + hits.substrings;
}
