/**
 * Sentence ranking for extractive summaries: near the centre of the text, early in their turn, late in the
 * session, with something definite in them. With an embedder the centre is a centroid of vectors, without one
 * it is shared terms. Nothing is rewritten.
 */
import { createCore, floatsAt } from "../../base/core.ts";
import type { Embedder } from "../../embed/embedder.ts";
import { jaccard, type Sentence, termsOf } from "../text/sentences.ts";

export interface Ranked {
  readonly sentence: Sentence;
  readonly score: number;
  readonly terms: ReadonlySet<string>;
  /** The vectors of its ranking, and its index in them. */
  readonly vectors: Vectors | undefined;
  readonly place: number;
}

const WEIGHTS = { centrality: 0.4, definite: 0.3, lead: 0.15, recency: 0.15 };
/** Embedding more takes too long in a hook. */
const SENTENCES_MAX = 300;
/** Two sentences with a higher cosine say the same. */
const SAME_COSINE = 0.86;
const SAME_OVERLAP = 0.6;

/** The last ranking of the same sentences, because a checkpoint and the session note ask for it. */
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
  const vectors = embedder &&
    new Vectors(embedder.embedDocuments(recent.map((sentence) => sentence.text)), embedder);
  const terms = recent.map((sentence) => termsOf(sentence.text));
  const centrality = normalise(
    vectors === undefined ? termCentrality(terms) : vectors.centrality(),
  );
  const first = recent[0]?.turnIndex ?? 0;
  const span = Math.max(1, (recent.at(-1)?.turnIndex ?? 0) - first);
  return recent.map((sentence, i) => ({
    sentence,
    terms: terms[i] ?? new Set(),
    vectors,
    place: i,
    score: WEIGHTS.centrality * (centrality[i] ?? 0) +
      WEIGHTS.definite * definite(sentence.text) +
      WEIGHTS.lead / (1 + sentence.position) +
      WEIGHTS.recency * (sentence.turnIndex - first) / span,
  }));
}

/** The best that say different things, at most `count`, best first. */
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
  if (a.sentence.text === b.sentence.text || jaccard(a.terms, b.terms) > SAME_OVERLAP) return true;
  return a.vectors !== undefined && a.vectors === b.vectors &&
    a.vectors.dot(a.place, b.place) > SAME_COSINE;
}

/**
 * Unit vectors in a core instance of their own. Thousands of pairs are compared, and unoptimised JavaScript
 * would allocate an object for every number.
 */
class Vectors {
  readonly #core = createCore();
  readonly #dims: number;
  readonly #count: number;
  readonly #at: number;

  /** A sentence without a vector has zeros: near to nothing. */
  constructor(vectors: readonly (Float32Array | undefined)[], { dimensions }: Embedder) {
    this.#dims = dimensions;
    this.#count = vectors.length;
    this.#at = this.#core.alloc((vectors.length + 1) * dimensions * FLOAT_BYTES);
    const table = floatsAt(this.#core, this.#at, (vectors.length + 1) * dimensions);
    table.fill(0);
    for (const [i, vector] of vectors.entries()) if (vector) table.set(vector, i * dimensions);
  }

  dot(a: number, b: number): number {
    return this.#core.dot(this.#place(a), this.#place(b), this.#dims);
  }

  /** Each vector's dot product with the sum of all. */
  centrality(): number[] {
    const sum = this.#place(this.#count);
    const places = Array.from({ length: this.#count }, (_, i) => this.#place(i));
    for (const place of places) this.#core.add(sum, place, this.#dims);
    return places.map((place) => this.#core.dot(place, sum, this.#dims));
  }

  #place(i: number): number {
    return this.#at + i * this.#dims * FLOAT_BYTES;
  }
}

const FLOAT_BYTES = 4;

/** Numbers, code names and a medium length make a sentence definite: 0..1. */
function definite(text: string): number {
  let score = 0;
  if (/\d/.test(text)) score += 0.35;
  if (/`[^`]+`|\b\w+\.\w{1,4}\b|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}\b/.test(text)) score += 0.35;
  if (text.length > 50 && text.length < 260) score += 0.3;
  return score;
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
