/**
 * From evidence to one number, by logistic regression: every kind of evidence has a worth in log-odds,
 * fitted on the development questions (`deno run -A bench/retrieval/fit.ts`), and the logistic function
 * brings their sum to 0..1. Pure, and simple enough to check by hand: `--why` prints this sum.
 */

/** Weights of the two signals, as the settings give them. */
export interface SignalWeights {
  readonly embedding: number;
  readonly keyword: number;
}

export const DEFAULT_WEIGHTS: SignalWeights = { embedding: 0.7, keyword: 0.3 };

/** What is known of one passage for one query. */
export interface Evidence {
  /** Similarity in meaning, calibrated, 0..1; undefined if query or passage has no vector. */
  readonly emb: number | undefined;
  /** The keyword score as a share of the highest that the query can have in this store, 0..1. */
  readonly kw: number;
  /** That highest score, in units of a word that only one chunk has. */
  readonly mass: number;
  /** Share of the query that synonyms stand for, beyond its own words in the passage, 0..1. */
  readonly synonyms: number;
  /** Share of the query's words that are a trigger of the note, 0..1; more for a pattern. */
  readonly trigger: number;
  /** Share of the title's telling words that the query has, 0..1, times the root of `kw`. */
  readonly title: number;
  /** Share of the query that its longest verbatim run in the passage makes up, 0..1. */
  readonly run: number;
  /** Share of the query that is identifiers and numbers which the passage has; 0 for a prompt. */
  readonly named: number;
  /** The same for those that it lacks. */
  readonly missing: number;
  /** The passage has neither the word for what is asked, such as `port`, nor what looks like an answer. */
  readonly isBeside: boolean;
  /** Only one word of the query was found. */
  readonly isSingle: boolean;
  /** Chunks of the note: one among many is near anything by chance. */
  readonly chunks: number;
  /** A later checkpoint or session of the same subject is there. */
  readonly isOlder: boolean;
  /** Log-odds inherited from an earlier version, and those that count for certainty alone. */
  readonly inherited: number;
  readonly inheritedCertainty: number;
  /** For a prompt, `chanceIn` the store; else 0. */
  readonly chance: number;
}

/** The evidence of a note that was not found. */
export const NO_EVIDENCE: Evidence = {
  emb: undefined,
  kw: 0,
  mass: 0,
  synonyms: 0,
  trigger: 0,
  title: 0,
  run: 0,
  named: 0,
  missing: 0,
  isBeside: false,
  isSingle: false,
  chunks: 1,
  isOlder: false,
  inherited: 0,
  inheritedCertainty: 0,
  chance: 0,
};

/** Log-odds of each kind. `bench/retrieval/fit.ts` prints them; docs/decisions/0042 and 0056 say why these. */
export const WORTH = {
  /** The prior: most notes do not answer most questions. */
  start: -3.45,
  meaning: 2.18,
  words: 1.79,
  synonyms: 0.8,
  trigger: 1.04,
  title: 1.04,
  run: 0.6,
  single: -0.15,
  length: -0.17,
  older: -1.2,
  /** What a version's evidence loses on its way to the successor. */
  handedOn: -0.5,
  /** Of `kw`: tells whether there is an answer at all, not which note it is. */
  coverage: 1,
  /** The same of identifiers and numbers that the note has, or lacks. */
  named: 2.41,
  missing: -4.17,
  beside: -2,
  /** The larger the store, the more of it a prompt meets by chance. */
  chance: -0.35,
  /** Per unit of distance: to the next note, for the first; to the first, for the others. */
  lead: 1.9,
  lag: 0.9,
} as const;

/** Stands in for an unknown `emb`: what is usual between a query and its answer. */
const MEANING_UNKNOWN = 0.45;
/** A greater distance between notes makes none more certain. */
const DISTANCE_MAX = 1.27;

/** What the evidence adds to the start, part by part. */
export interface Parts {
  readonly meaning: number;
  readonly words: number;
  readonly synonyms: number;
  readonly trigger: number;
  readonly title: number;
  readonly run: number;
  readonly single: number;
  readonly length: number;
  readonly older: number;
  readonly inherited: number;
}

export function partsOf(evidence: Evidence, weights: SignalWeights = DEFAULT_WEIGHTS): Parts {
  const { emb, kw, mass, synonyms, trigger, title, run, isSingle, chunks, isOlder } = evidence;
  const ofMeaning = lever(weights.embedding, DEFAULT_WEIGHTS.embedding);
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  // As the signal is turned down, `emb` fades into the value for unknown.
  const known = Math.min(1, ofMeaning);
  const near = known * (emb ?? MEANING_UNKNOWN) + (1 - known) * MEANING_UNKNOWN;
  return {
    meaning: WORTH.meaning * Math.max(1, ofMeaning) * near,
    words: WORTH.words * ofWords * kw * Math.log(1 + kw * mass),
    synonyms: WORTH.synonyms * ofWords * Math.log(1 + synonyms * mass),
    trigger: WORTH.trigger * ofWords * trigger,
    title: WORTH.title * ofWords * title,
    run: WORTH.run * ofWords * run,
    single: isSingle ? WORTH.single : 0,
    length: WORTH.length * Math.log(Math.max(1, chunks)),
    older: isOlder ? WORTH.older : 0,
    inherited: evidence.inherited,
  };
}

/** The log-odds of a note's own evidence: what notes compete by. */
export function sumOf(parts: Parts): number {
  const { meaning, words, synonyms, trigger, title, run, single, length, older, inherited } = parts;
  return meaning + words + synonyms + trigger + title + run + single + length + older + inherited;
}

export type FirstPassSum = (
  emb: number | undefined,
  kw: number,
  mass: number,
  synonyms: number,
  trigger: number,
  chunks: number,
) => number;

/**
 * `sumOf` for the first pass, where all other parts are 0. Gives the same to the last bit, without
 * making an object for each of hundreds of notes.
 */
export function firstPassSum(weights: SignalWeights): FirstPassSum {
  const ofMeaning = lever(weights.embedding, DEFAULT_WEIGHTS.embedding);
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  const known = Math.min(1, ofMeaning);
  const unknown = (1 - known) * MEANING_UNKNOWN;
  const worthOfMeaning = WORTH.meaning * Math.max(1, ofMeaning);
  return (emb, kw, mass, synonyms, trigger, chunks) =>
    worthOfMeaning * (known * (emb ?? MEANING_UNKNOWN) + unknown) +
    (kw === 0 ? 0 : WORTH.words * ofWords * kw * Math.log(1 + kw * mass)) +
    (synonyms === 0 ? 0 : WORTH.synonyms * ofWords * Math.log(1 + synonyms * mass)) +
    WORTH.trigger * ofWords * trigger +
    (chunks <= 1 ? 0 : WORTH.length * Math.log(chunks));
}

/** Log-odds that tell whether there is an answer at all: they count in the score, not in competition. */
export interface Certainty {
  readonly coverage: number;
  readonly named: number;
  readonly missing: number;
  readonly beside: number;
  readonly chance: number;
  readonly inherited: number;
}

export function certaintyOf(
  { kw, trigger, named, missing, isBeside, chance, inheritedCertainty }: Evidence,
  weights: SignalWeights = DEFAULT_WEIGHTS,
): Certainty {
  const ofWords = lever(weights.keyword, DEFAULT_WEIGHTS.keyword);
  return {
    coverage: WORTH.coverage * ofWords * Math.max(kw, Math.min(1, trigger)),
    named: WORTH.named * ofWords * named,
    missing: WORTH.missing * ofWords * missing,
    beside: isBeside ? WORTH.beside * ofWords : 0,
    chance: WORTH.chance * chance,
    inherited: inheritedCertainty,
  };
}

export function certaintySum(
  { coverage, named, missing, beside, chance, inherited }: Certainty,
): number {
  return coverage + named + missing + beside + chance + inherited;
}

/** Up to this many chunks, hardly a prompt meets anything by chance. */
const FEW = 70;
/** The largest store that was measured; a larger one must not silence search altogether. */
const CHANCE_MAX = Math.log(15);

/** The logarithm of how many times larger a store is than a small one, 0 for a small one. */
export function chanceIn(chunks: number): number {
  return Math.min(CHANCE_MAX, Math.max(0, Math.log(chunks / FEW)));
}

/** Log-odds for a note that is `distance` in front of its best rival, or behind it (negative). */
export function competition(distance: number): number {
  const within = Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, distance));
  return within < 0 ? WORTH.lag * within : WORTH.lead * within;
}

/** The most that competition can add. */
export const COMPETITION_MAX = WORTH.lead * DISTANCE_MAX;

/** The combined score, 0..1. At 0.70 a note is as likely right as wrong (decision 0014). */
export function combined(sum: number, competing = 0, certainty = 0): number {
  return 1 / (1 + Math.exp(-(WORTH.start + sum + competing + certainty)));
}

/** The inverse of `combined`: what sum, competition and certainty must reach together. */
export function neededFor(score: number): number {
  return score <= 0 ? -Infinity : Math.log(score / (1 - Math.min(0.999, score))) - WORTH.start;
}

/** Which signal found a note: meaning (`emb`) or words (`kw`) if it is worth three times the other, else both. */
export function carrier(
  evidence: Evidence,
  weights: SignalWeights = DEFAULT_WEIGHTS,
): "mix" | "emb" | "kw" {
  const { meaning, words, synonyms, trigger, title, run } = partsOf(evidence, weights);
  const said = words + synonyms + trigger + title + run;
  const isBlind = evidence.emb === undefined || weights.embedding === 0;
  if (isBlind || said > 3 * meaning) return "kw";
  return meaning > 3 * said ? "emb" : "mix";
}

/** The factor on a signal for its weight in the settings: 0 at 0, 1 at the default, 1.5 at 1. */
function lever(weight: number, usual: number): number {
  return weight <= usual ? weight / usual : 1 + (weight - usual) / (1 - usual) / 2;
}
