/**
 * From evidence to one number. Every kind of evidence has a worth in log-odds, fitted on the
 * development questions (`deno run -A bench/retrieval/fit.ts`); the worths are added, and the sum is
 * brought to 0..1. Pure, and small enough to do by hand: what `--why` prints is this. The rule without
 * embeddings is here too, because it answers the same question in other units.
 */

/** Weights of the two signals, as the settings give them. */
export interface SignalWeights {
  readonly embedding: number;
  readonly keyword: number;
}

export const DEFAULT_WEIGHTS: SignalWeights = { embedding: 0.7, keyword: 0.3 };

/** What is known of one passage and one query. */
export interface Evidence {
  /** Nearness of meaning apart from shared words, 0..1; undefined where a model has nothing to say. */
  readonly emb: number | undefined;
  /** Share of what the query's words could reach, 0..1. */
  readonly kw: number;
  /** What the query's words could reach: how many rare words of this store they are worth. */
  readonly mass: number;
  /** Share of the query's words that are a trigger of the note, 0..1; more for a pattern. */
  readonly trigger: number;
  /** Share of the query's words in title and headings, 0..1. */
  readonly title: number;
  /** One word of the query is all that was found. */
  readonly isSingle: boolean;
  /** Pieces of the note: of many, one is near anything. */
  readonly chunks: number;
}

/** Log-odds of each kind. `bench/retrieval/fit.ts` prints them; docs/decisions/0014 says why these. */
export const WORTH = {
  /** Where nothing is known: most notes do not answer most questions. */
  start: -3.19,
  meaning: 3.09,
  words: 1.99,
  trigger: 1.68,
  title: 0.66,
  single: -0.22,
  length: -0.09,
  /** A unit of distance to the next note, in front of it and behind the first. */
  lead: 1.48,
  lag: 1.16,
} as const;

/** What meaning counts where a model sees nothing: as much as it does between most that belong. */
const MEANING_UNKNOWN = 0.45;
/** Further in front is no more certain. */
const DISTANCE_MAX = 1.55;

/** What the evidence adds to the start, part by part. */
export interface Parts {
  readonly meaning: number;
  readonly words: number;
  readonly trigger: number;
  readonly title: number;
  readonly single: number;
  readonly length: number;
}

export function partsOf(evidence: Evidence, weights: SignalWeights = DEFAULT_WEIGHTS): Parts {
  const { emb, kw, mass, trigger, title, isSingle, chunks } = evidence;
  const ofMeaning = lever(weights.embedding, DEFAULT_WEIGHTS.embedding);
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  const found = kw * mass;
  // A signal that is turned down counts ever more as if it were unknown.
  const known = Math.min(1, ofMeaning);
  const near = known * (emb ?? MEANING_UNKNOWN) + (1 - known) * MEANING_UNKNOWN;
  return {
    meaning: WORTH.meaning * Math.max(1, ofMeaning) * near,
    words: WORTH.words * ofWords * kw * Math.log(1 + found),
    trigger: WORTH.trigger * ofWords * trigger,
    title: WORTH.title * ofWords * title * Math.min(1, found),
    single: isSingle ? WORTH.single : 0,
    length: WORTH.length * Math.log(Math.max(1, chunks)),
  };
}

/** The worth of all evidence for a note by itself: what notes are ordered by. */
export function sumOf(parts: Parts): number {
  const { meaning, words, trigger, title, single, length } = parts;
  return meaning + words + trigger + title + single + length;
}

/**
 * What the others say of a note that is so far in front of the best of them, or behind it: standing
 * out makes it likelier right than its own evidence says.
 */
export function competition(distance: number): number {
  const within = Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, distance));
  return within < 0 ? WORTH.lag * within : WORTH.lead * within;
}

/** The most that competition can add. */
export const COMPETITION_MAX = WORTH.lead * DISTANCE_MAX;

/** 0..1. From 0.70 on a note is likelier right than wrong. */
export function combined(sum: number, competing = 0): number {
  return 1 / (1 + Math.exp(-(WORTH.start + sum + competing)));
}

/** Which signal brought a note: the one that is worth three times the other, or both. */
export function carrier(evidence: Evidence): "mix" | "emb" | "kw" {
  const { meaning, words, trigger, title } = partsOf(evidence);
  const said = words + trigger + title;
  if (evidence.emb === undefined || said > 3 * meaning) return "kw";
  return meaning > 3 * said ? "emb" : "mix";
}

/** 1 at the default, 0 at 0, at most 1.5. */
function lever(weight: number, usual: number): number {
  return weight <= usual ? weight / usual : 1 + (weight - usual) / (1 - usual) / 2;
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
