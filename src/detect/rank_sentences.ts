/**
 * Which sentences matter: near the middle of what the text is about, early in their turn, late in the
 * session, with something definite in them. With an embedder the middle is a centroid, without one it
 * is shared terms. Numbers in, order out; nothing is rewritten.
 */
import type { Embedder } from "../embed/embedder.ts";
import { overlap, type Sentence, termsOf } from "./sentences.ts";

export interface Ranked {
  readonly sentence: Sentence;
  readonly score: number;
  readonly terms: ReadonlySet<string>;
  readonly vector: Float32Array | undefined;
}

const WEIGHTS = { centrality: 0.4, definite: 0.3, lead: 0.15, recency: 0.15 };
/** More than this is not embedded in a hook. */
const SENTENCES_MAX = 300;
/** Two sentences closer than this say the same. */
const SAME_COSINE = 0.86;
const SAME_OVERLAP = 0.6;

/** What was ranked last of these sentences, and by what: a checkpoint and a session's note ask alike. */
const known = new WeakMap<
  readonly Sentence[],
  { readonly embedder: Embedder | undefined; readonly ranked: readonly Ranked[] }
>();

/** Each sentence with its score, in the given order. */
export function rankSentences(
  sentences: readonly Sentence[],
  embedder?: Embedder,
): readonly Ranked[] {
  const last = known.get(sentences);
  if (last !== undefined && last.embedder === embedder) return last.ranked;
  const ranked = rank(sentences, embedder);
  known.set(sentences, { embedder, ranked });
  return ranked;
}

function rank(sentences: readonly Sentence[], embedder: Embedder | undefined): Ranked[] {
  const recent = sentences.slice(-SENTENCES_MAX);
  const vectors = embedder?.embedDocuments(recent.map((sentence) => sentence.text)) ?? [];
  const terms = recent.map((sentence) => termsOf(sentence.text));
  const centrality = normalise(
    embedder === undefined ? termCentrality(terms) : vectorCentrality(vectors),
  );
  const first = recent[0]?.turnIndex ?? 0;
  const span = Math.max(1, (recent.at(-1)?.turnIndex ?? 0) - first);
  return recent.map((sentence, i) => ({
    sentence,
    terms: terms[i] ?? new Set(),
    vector: vectors[i],
    score: WEIGHTS.centrality * (centrality[i] ?? 0) +
      WEIGHTS.definite * definite(sentence.text) +
      WEIGHTS.lead / (1 + sentence.position) +
      WEIGHTS.recency * (sentence.turnIndex - first) / span,
  }));
}

/** The best of them that say different things, at most `count`, best first. */
export function pickDistinct<T extends Ranked>(
  ranked: readonly T[],
  count: number,
  taken: readonly Ranked[] = [],
): T[] {
  const picked: T[] = [];
  for (const candidate of [...ranked].sort((a, b) => b.score - a.score)) {
    if (picked.length >= count) break;
    if (![...taken, ...picked].some((other) => saysTheSame(candidate, other))) {
      picked.push(candidate);
    }
  }
  return picked;
}

export function saysTheSame(a: Ranked, b: Ranked): boolean {
  if (a.sentence.text === b.sentence.text || overlap(a.terms, b.terms) > SAME_OVERLAP) return true;
  return a.vector !== undefined && b.vector !== undefined && isNear(a.vector, b.vector);
}

/** So many numbers of two unit vectors tell most pairs apart: what is behind them adds their lengths at most. */
const LEAD = 96;
const restLengths = new WeakMap<Float32Array, number>();

function isNear(a: Float32Array, b: Float32Array): boolean {
  const lead = dot(a, b, 0, LEAD);
  return lead + restLength(a) * restLength(b) > SAME_COSINE - ROUNDING &&
    lead + dot(a, b, LEAD) > SAME_COSINE;
}

const ROUNDING = 1e-6;

function restLength(vector: Float32Array): number {
  let length = restLengths.get(vector);
  if (length === undefined) {
    restLengths.set(vector, length = Math.sqrt(dot(vector, vector, LEAD)));
  }
  return length;
}

/** Numbers, names in code, and plain length make a sentence definite. 0..1. */
function definite(text: string): number {
  let score = 0;
  if (/\d/.test(text)) score += 0.35;
  if (/`[^`]+`|\b\w+\.\w{1,4}\b|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}\b/.test(text)) score += 0.35;
  if (text.length > 50 && text.length < 260) score += 0.3;
  return score;
}

function vectorCentrality(vectors: readonly (Float32Array | undefined)[]): number[] {
  const present = vectors.filter((vector) => vector !== undefined);
  const centroid = new Float32Array(present[0]?.length ?? 0);
  for (const vector of present) {
    for (let i = 0; i < centroid.length; i++) centroid[i] = (centroid[i] ?? 0) + (vector[i] ?? 0);
  }
  return vectors.map((vector) => vector === undefined ? 0 : dot(vector, centroid));
}

function termCentrality(terms: readonly ReadonlySet<string>[]): number[] {
  const counts = new Map<string, number>();
  for (const set of terms) for (const term of set) counts.set(term, (counts.get(term) ?? 0) + 1);
  return terms.map((set) => {
    let sum = 0;
    for (const term of set) sum += Math.log(counts.get(term) ?? 1);
    return set.size === 0 ? 0 : sum / Math.sqrt(set.size);
  });
}

function normalise(values: readonly number[]): number[] {
  const most = Math.max(0, ...values);
  return values.map((value) => most === 0 ? 0 : Math.max(0, value) / most);
}

function dot(a: Float32Array, b: Float32Array, from = 0, end = a.length): number {
  let sum = 0;
  for (let i = from; i < end; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
