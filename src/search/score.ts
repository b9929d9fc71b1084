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
 * Meaning alone is a little weaker than it says. Measured on bench/retrieval (105 notes): at 1.00
 * every sixth prompt that has nothing to do with any note met one at 0.70, at 0.97 every sixteenth.
 */
const EMBEDDING_ALONE = 0.97;
/** What two signals that agree add, of what is missing to 1: it orders, it seldom decides. */
const AGREEMENT = 0.1;

/**
 * The mix of both signals, unless one of them alone says more: a paraphrase shares no word with its
 * note, and a rare identifier has no meaning to a model. Turning a signal's weight down also turns
 * down what it can carry; a weight of 0 silences it.
 */
export function combine(signals: Signals, weights: SignalWeights = DEFAULT_WEIGHTS): Combined {
  const { mix, embAlone, kwAlone, agreement } = combineParts(signals, weights);
  const best = Math.max(mix, embAlone, kwAlone);
  return {
    combined: Math.min(1, best + agreement + (signals.rest ?? 0)),
    carriedBy: best === mix ? "mix" : best === embAlone ? "emb" : "kw",
  };
}

/** The numbers that `combine` compares and adds, for showing them. */
export function combineParts(
  { emb, kw }: Signals,
  weights: SignalWeights,
): { mix: number; embAlone: number; kwAlone: number; agreement: number } {
  const sum = Math.max(1, weights.embedding + weights.keyword);
  const mix = (weights.embedding * emb + weights.keyword * kw) / sum;
  const embAlone = emb * EMBEDDING_ALONE *
    Math.min(1, weights.embedding / DEFAULT_WEIGHTS.embedding);
  const kwAlone = kw * KEYWORD_ALONE * Math.min(1, weights.keyword / DEFAULT_WEIGHTS.keyword);
  const missing = 1 - Math.max(mix, embAlone, kwAlone);
  return { mix, embAlone, kwAlone, agreement: AGREEMENT * missing * Math.min(embAlone, kwAlone) };
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
