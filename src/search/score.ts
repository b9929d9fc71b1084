/**
 * From evidence to one number. Every kind of evidence has a worth in log-odds, fitted on the
 * development questions (`deno run -A bench/retrieval/fit.ts`); the worths are added, and the sum is
 * brought to 0..1. Pure, and small enough to do by hand: what `--why` prints is this.
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
  /** Share of the query that other words say in the place of its own, 0..1. */
  readonly other: number;
  /** Share of the query's words that are a trigger of the note, 0..1; more for a pattern. */
  readonly trigger: number;
  /** Share of the title's telling words that the query says, 0..1, by the root of `kw`. */
  readonly title: number;
  /** Share of what the query's words are worth that stands in the passage in a row, 0..1. */
  readonly run: number;
  /** Share of the query that is identifiers and numbers which the passage has; 0 unasked. */
  readonly named: number;
  /** The same of those that it lacks. */
  readonly missing: number;
  /** One word of the query is all that was found. */
  readonly isSingle: boolean;
  /** Pieces of the note: of many, one is near anything. */
  readonly chunks: number;
  /** A later checkpoint or session of the same subject is there. */
  readonly isOlder: boolean;
  /** Log-odds that it has from an earlier version, and those that count for certainty alone. */
  readonly inherited: number;
  readonly inheritedCertainty: number;
  /** Unasked, how far the store is beyond a small one, as a logarithm; 0 where somebody asked. */
  readonly chance: number;
}

/** What is known where nothing was found. */
export const NO_EVIDENCE: Evidence = {
  emb: undefined,
  kw: 0,
  mass: 0,
  other: 0,
  trigger: 0,
  title: 0,
  run: 0,
  named: 0,
  missing: 0,
  isSingle: false,
  chunks: 1,
  isOlder: false,
  inherited: 0,
  inheritedCertainty: 0,
  chance: 0,
};

/** Log-odds of each kind. `bench/retrieval/fit.ts` prints them; docs/decisions/0042 and 0056 say why these. */
export const WORTH = {
  /** Where nothing is known: most notes do not answer most questions. */
  start: -3.45,
  meaning: 2.18,
  words: 1.79,
  other: 0.8,
  trigger: 1.04,
  title: 1.04,
  run: 0.6,
  single: -0.15,
  length: -0.17,
  older: -1.6,
  /** A version that was replaced says so much less for its successor than for itself. */
  handedOn: -0.5,
  /** The query's words all found: says nothing of which note, and much of whether there is one. */
  coverage: 1,
  /** Identifiers and numbers tell as much of that, and as little of which note. */
  named: 2.41,
  missing: -4.17,
  /** The more there is, the more of it a prompt meets that was typed with no thought of memory. */
  chance: -0.35,
  /** A unit of distance to the next note, in front of it and behind the first. */
  lead: 1.9,
  lag: 0.9,
} as const;

/** What meaning counts where a model sees nothing: as much as it does between most that belong. */
const MEANING_UNKNOWN = 0.45;
/** Further in front is no more certain. */
const DISTANCE_MAX = 1.27;

/** What the evidence adds to the start, part by part. */
export interface Parts {
  readonly meaning: number;
  readonly words: number;
  readonly other: number;
  readonly trigger: number;
  readonly title: number;
  readonly run: number;
  readonly single: number;
  readonly length: number;
  readonly older: number;
  readonly inherited: number;
}

export function partsOf(evidence: Evidence, weights: SignalWeights = DEFAULT_WEIGHTS): Parts {
  const { emb, kw, mass, other, trigger, title, run, isSingle, chunks, isOlder } = evidence;
  const ofMeaning = lever(weights.embedding, DEFAULT_WEIGHTS.embedding);
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  // A signal that is turned down counts ever more as if it were unknown.
  const known = Math.min(1, ofMeaning);
  const near = known * (emb ?? MEANING_UNKNOWN) + (1 - known) * MEANING_UNKNOWN;
  return {
    meaning: WORTH.meaning * Math.max(1, ofMeaning) * near,
    words: WORTH.words * ofWords * kw * Math.log(1 + kw * mass),
    other: WORTH.other * ofWords * Math.log(1 + other * mass),
    trigger: WORTH.trigger * ofWords * trigger,
    title: WORTH.title * ofWords * title,
    run: WORTH.run * ofWords * run,
    single: isSingle ? WORTH.single : 0,
    length: WORTH.length * Math.log(Math.max(1, chunks)),
    older: isOlder ? WORTH.older : 0,
    inherited: evidence.inherited,
  };
}

/** The worth of all evidence for a note by itself: what notes compete by. */
export function sumOf(parts: Parts): number {
  const { meaning, words, other, trigger, title, run, single, length, older, inherited } = parts;
  return meaning + words + other + trigger + title + run + single + length + older + inherited;
}

export type FirstSum = (
  emb: number | undefined,
  kw: number,
  mass: number,
  other: number,
  trigger: number,
  chunks: number,
) => number;

/**
 * `sumOf` of what a first look knows, without an object for each of hundreds of notes. Bit by bit the
 * same: the other parts are 0 there.
 */
export function firstSum(weights: SignalWeights): FirstSum {
  const ofMeaning = lever(weights.embedding, DEFAULT_WEIGHTS.embedding);
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  const known = Math.min(1, ofMeaning);
  const unknown = (1 - known) * MEANING_UNKNOWN;
  const worthOfMeaning = WORTH.meaning * Math.max(1, ofMeaning);
  return (emb, kw, mass, other, trigger, chunks) =>
    worthOfMeaning * (known * (emb ?? MEANING_UNKNOWN) + unknown) +
    WORTH.words * ofWords * kw * Math.log(1 + kw * mass) +
    WORTH.other * ofWords * Math.log(1 + other * mass) +
    WORTH.trigger * ofWords * trigger +
    WORTH.length * Math.log(Math.max(1, chunks));
}

/** What is counted for certainty and not in competition: it says whether there is an answer. */
export interface Certainty {
  readonly coverage: number;
  readonly named: number;
  readonly missing: number;
  readonly chance: number;
  readonly inherited: number;
}

export function certaintyOf(
  { kw, trigger, named, missing, chance, inheritedCertainty }: Evidence,
  weights: SignalWeights = DEFAULT_WEIGHTS,
): Certainty {
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  return {
    coverage: WORTH.coverage * ofWords * Math.max(kw, Math.min(1, trigger)),
    named: WORTH.named * ofWords * named,
    missing: WORTH.missing * ofWords * missing,
    chance: WORTH.chance * chance,
    inherited: inheritedCertainty,
  };
}

export function certaintySum({ coverage, named, missing, chance, inherited }: Certainty): number {
  return coverage + named + missing + chance + inherited;
}

/** In a store of so many chunks hardly a prompt meets anything by chance. */
const FEW = 70;
/** Nothing larger was measured; ten thousand notes are no reason to say nothing at all. */
const CHANCE_MAX = Math.log(15);

/** `Evidence.chance` of a store with so many chunks. */
export function chanceIn(chunks: number): number {
  return Math.min(CHANCE_MAX, Math.max(0, Math.log(chunks / FEW)));
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
export function combined(sum: number, competing = 0, covered = 0): number {
  return 1 / (1 + Math.exp(-(WORTH.start + sum + competing + covered)));
}

/** What evidence, coverage and competition must reach together for a combined score. */
export function neededFor(score: number): number {
  return score <= 0 ? -Infinity : Math.log(score / (1 - Math.min(0.999, score))) - WORTH.start;
}

/** Which signal brought a note: the one that is worth three times the other, or both. */
export function carrier(
  evidence: Evidence,
  weights: SignalWeights = DEFAULT_WEIGHTS,
): "mix" | "emb" | "kw" {
  const { meaning, words, other, trigger, title, run } = partsOf(evidence, weights);
  const said = words + other + trigger + title + run;
  const isBlind = evidence.emb === undefined || weights.embedding === 0;
  if (isBlind || said > 3 * meaning) return "kw";
  return meaning > 3 * said ? "emb" : "mix";
}

/** 1 at the default, 0 at 0, at most 1.5. */
function lever(weight: number, usual: number): number {
  return weight <= usual ? weight / usual : 1 + (weight - usual) / (1 - usual) / 2;
}
