/**
 * The score board: every signal of one query for every chunk of some segments, as arrays in the core's
 * memory. Cosines, keyword scores and synonym scores; dead and filtered chunks are masked.
 */
import { type Core, floatsAt, wordsAt } from "../../base/core.ts";
import type { NoteFilter } from "../document.ts";
import { FACT_BYTES } from "../segment/format.ts";
import { type ScoredExpansion, scoreSynonyms, type TermWeights } from "../query/synonyms.ts";
import type { Query } from "../query/query.ts";
import type { Segment } from "../segment/segment.ts";
import { factFilter } from "../segment/segment_notes.ts";
import {
  documentFrequency,
  FORM_WEIGHT,
  idf,
  lengthsOf,
  type Lexicon,
  liveLengths,
  openLexicon,
  postingsOf,
  postingsOfForms,
  postingsOfWords,
  scoreTerm,
  type TermPostings,
  type WeightedForm,
} from "../segment/postings.ts";
import { rowBytes } from "../segment/vectors.ts";
import { endingsInAny, isInflected, typos } from "../query/word_forms.ts";
import { isEnglish } from "../query/words.ts";

/** The weight of a term that no note has, relative to one that a single chunk has. */
export const UNKNOWN_WEIGHT = 0.7;
/** How many words of a query are looked up in other forms: the later words of a pasted log have none. */
const INFLECTED_MAX = 24;

/** The cosine of a masked chunk. */
export const MASKED = -2;

/** A term of the query in the forms that the store has, at least one; the form of the query comes first. */
export type BoardTerm = readonly WeightedForm[];

/** Valid until the scratch memory it lies in is released. Nothing may be allocated once it is laid. */
export interface Board {
  readonly core: Core;
  /** All of the core's memory, where the posting lists are, as u32 and as bytes. */
  readonly words: Uint32Array;
  readonly bytes: Uint8Array;
  readonly segments: readonly Segment[];
  /** The number of each segment's first chunk. */
  readonly bases: readonly number[];
  readonly total: number;
  /** Live chunks. */
  readonly chunks: number;
  readonly terms: readonly BoardTerm[];
  /** The most that a keyword score can be: the weight of all terms. */
  readonly reach: number;
  /** `reach` in units of the rarest word: how much the query says in this store. */
  readonly mass: number;
  /** The weight of each term, also of those that no note has. */
  readonly weights: ReadonlyMap<string, number>;
  readonly averageLength: number;
  /** By segment: how many terms each chunk has. */
  readonly lengths: readonly Uint16Array[];
  readonly keywords: Float32Array;
  /** Synonym scores, beyond what the query's own words say in the chunk. */
  readonly synonyms: Float32Array;
  /** The synonyms that were scored. */
  readonly expansions: readonly ScoredExpansion[];
  readonly cosines: Float32Array;
  /** Addresses of scratch space for `passageCosine`: its result and two vectors. */
  readonly cosineAt: number;
  readonly pairAt: number;
  /** Computes an upper bound of each chunk's worth. Only the latest order is valid. */
  order(worths: SignalWorths): Order;
}

/** Length of the tables of `SignalWorths`: steps that divide 0..1. */
export const WORTH_STEPS = 128;
const SIGNALS = 3;

/** What each signal is worth at the upper end of each step, in log-odds. */
export interface SignalWorths {
  /** By the cosine. */
  readonly meaning: Float32Array;
  /** By shares of what the query can reach. */
  readonly words: Float32Array;
  readonly synonyms: Float32Array;
  /** What meaning is worth where the model sees nothing in a chunk. */
  readonly unknown: number;
  /** By the logarithm of how many chunks the note has. */
  readonly perSize: number;
}

export interface Order {
  /** The highest keyword score of all chunks. */
  readonly keywordMost: number;
  /** The `k` chunks with the highest bounds, best first; fewer where no more have evidence. Valid until the next call. */
  best(k: number): Best;
}

export interface Best {
  readonly chunks: Uint32Array;
  readonly bounds: Float32Array;
}

/**
 * Call it inside `scratch`, with the segments' lasting blocks reserved. Where several boards are needed,
 * lay all of them before calling what this returns: laying one may move the memory under another's views.
 */
export function layBoard(core: Core, segments: readonly Segment[], query: Query): () => Board {
  const bases: number[] = [];
  let total = 0;
  for (const segment of segments) {
    bases.push(total);
    total += segment.header.chunks;
  }
  const keywordsAt = core.alloc(total * 4);
  const cosinesAt = core.alloc(total * 4);
  const synonymsAt = core.alloc(total * 4);
  const boundsAt = core.alloc(total * 4);
  const tablesAt = core.alloc(SIGNALS * WORTH_STEPS * 4);
  const [chunksAt, bestAt] = [core.alloc(total * 4), core.alloc(total * 4)];
  const cosineAt = core.alloc(4);
  const pairAt = core.alloc(2 * Math.max(0, ...segments.map(({ header }) => header.dims)));
  floatsAt(core, keywordsAt, total).fill(0);
  floatsAt(core, cosinesAt, total).fill(0);
  floatsAt(core, synonymsAt, total).fill(0);
  if (query.vector !== undefined) scan(core, segments, bases, query.vector, cosinesAt);
  const live = liveLengths(core, segments, query.terms.length > 0);
  const lexicon = openLexicon(core, segments);
  const weighed = weigh(lexicon, query, live.chunks);
  const { terms, reach, weights } = weighed;
  const context = { ...lexicon, bases, total, ...live, bestAt: core.alloc(total * 4) };
  for (const forms of terms) scoreTerm(context, forms, keywordsAt);
  const expansions = scoreSynonyms(context, weighed, query, synonymsAt);
  // `topK` reserves as much: grow the memory now and not under the views that are made next.
  const before = core.mark();
  core.alloc(total * 8);
  core.release(before);
  return () => ({
    core,
    words: new Uint32Array(core.memory.buffer),
    bytes: new Uint8Array(core.memory.buffer),
    segments,
    bases,
    total,
    chunks: live.chunks,
    reach,
    mass: reach / idf(1, live.chunks),
    weights,
    averageLength: live.averageLength,
    terms,
    lengths: terms.length === 0 ? [] : segments.map((segment) => lengthsOf(core, segment)),
    keywords: floatsAt(core, keywordsAt, total),
    synonyms: floatsAt(core, synonymsAt, total),
    expansions,
    cosines: floatsAt(core, cosinesAt, total),
    cosineAt,
    pairAt,
    order({ meaning, words, synonyms, unknown, perSize }) {
      [meaning, words, synonyms].forEach((table, i) =>
        floatsAt(core, tablesAt + i * WORTH_STEPS * 4, WORTH_STEPS).set(table)
      );
      let keywordMost = 0;
      segments.forEach((segment, s) => {
        const from = (bases[s] ?? 0) * 4;
        const most = core.addWorths(
          cosinesAt + from,
          keywordsAt + from,
          synonymsAt + from,
          segment.sizesAt(),
          segment.header.chunks,
          reach,
          MASKED,
          tablesAt,
          WORTH_STEPS,
          unknown,
          perSize,
          boundsAt + from,
        );
        keywordMost = Math.max(keywordMost, most);
      });
      const best = (k: number): Best => {
        const count = core.topK(boundsAt, total, Math.min(total, k), 0, chunksAt, bestAt);
        return { chunks: wordsAt(core, chunksAt, count), bounds: floatsAt(core, bestAt, count) };
      };
      return { keywordMost, best };
    },
  });
}

function scan(
  core: Core,
  segments: readonly Segment[],
  bases: readonly number[],
  vector: Float32Array,
  cosinesAt: number,
): void {
  const dims = rowBytes(vector.length);
  const vectorAt = core.alloc(dims * 4);
  const queryAt = core.alloc(dims);
  floatsAt(core, vectorAt, dims).fill(0).set(vector);
  const scale = core.quantize(vectorAt, dims, queryAt);
  segments.forEach((segment, s) => {
    if (segment.header.dims !== dims) return;
    segment.scan(core, queryAt, scale, cosinesAt + (bases[s] ?? 0) * 4);
  });
}

/**
 * Every term's forms with their postings and weights. A word is as rare as all its forms together; a term
 * that no note has counts in `reach` too, but less.
 */
function weigh(
  lexicon: Lexicon,
  query: Query,
  chunks: number,
): TermWeights & { readonly reach: number } {
  const terms: WeightedForm[][] = [];
  const placeOf = new Map<string, number>();
  const weights = new Map<string, number>();
  let reach = 0;
  let guesses = query.guessesMax;
  const first = query.endings ? query.terms.slice(0, INFLECTED_MAX) : [];
  const inflected = new Set(first.map(({ term }) => term).filter(isInflected));
  const formsOf = postingsOfForms(lexicon, [...inflected], query.language);
  const others = query.terms.filter(({ term }) => !inflected.has(term));
  const hashes = Uint32Array.from(others.flatMap(({ low, high }) => [low, high]));
  const known = postingsOf(lexicon, others.map(({ term }) => term), hashes);
  for (const term of query.terms) {
    const asked = known.get(term.term);
    let found = inflected.has(term.term) ? formsOf(term.term) : asked === undefined ? [] : [asked];
    if (found.length === 0 && term.isCompound) continue;
    if (found.length === 0 && term.weight === 1 && guesses-- > 0) {
      found = guessed(lexicon, query, term.term);
    }
    const df = documentFrequency(lexicon, found);
    const weight = term.weight *
      (df > 0 ? idf(df, chunks) : idf(1, chunks) * UNKNOWN_WEIGHT);
    reach += weight;
    weights.set(term.term, weight);
    if (df === 0) continue;
    placeOf.set(term.term, terms.length);
    terms.push(found.map((one) => ({
      ...one,
      weight: one.term === term.term ? weight : weight * FORM_WEIGHT,
    })));
  }
  return { terms, placeOf, weights, reach };
}

/** What an unknown word may be: if the query's language is open, a form in any language; else a typing mistake. */
function guessed(lexicon: Lexicon, { text, language }: Query, word: string): TermPostings[] {
  const isTold = language !== undefined || isEnglish(text);
  const forms = isTold ? [] : [...postingsOfWords(lexicon, endingsInAny(word)).values()];
  return mostCommon(forms.length > 0 ? forms : [...postingsOfWords(lexicon, typos(word)).values()]);
}

function mostCommon(found: readonly TermPostings[]): TermPostings[] {
  return found.toSorted((a, b) => b.df - a.df).slice(0, 1);
}

interface Place {
  readonly segment: Segment;
  readonly chunk: number;
}

/** The cosine of two passages; 0 where one of them has no vector. */
export function passageCosine({ core, cosineAt, pairAt }: Board, a: Place, b: Place): number {
  const { dims } = a.segment.header;
  if (dims !== b.segment.header.dims) return 0;
  const left = a.segment.rowsAt(core, a.chunk, 1, pairAt);
  const right = b.segment.rowsAt(core, b.chunk, 1, pairAt + dims);
  const leftScale = floatsAt(core, a.segment.scaleAt(a.chunk), 1)[0] ?? 0;
  core.scanInt8(left, leftScale, right, b.segment.scaleAt(b.chunk), 1, dims, cosineAt);
  return floatsAt(core, cosineAt, 1)[0] ?? 0;
}

/** Masks the chunks of dead and filtered notes. */
export function mask(board: Board, filter: NoteFilter): void {
  board.segments.forEach((segment, s) => {
    for (const note of hiddenOf(segment, filter)) {
      const from = (board.bases[s] ?? 0) + segment.firstChunk(note);
      const to = from + segment.chunkCount(note);
      board.cosines.fill(MASKED, from, to);
    }
  });
}

/** Kept in the segment, because most questions of one process have the same filter. */
function hiddenOf(segment: Segment, filter: NoteFilter): readonly number[] {
  const name = JSON.stringify(filter);
  if (segment.hidden?.filter === name) return segment.hidden.notes;
  const notes = [...segment.dead];
  if (Object.values(filter).some((value) => value !== undefined)) {
    const [accepts, facts] = [factFilter(filter), segment.facts()];
    for (let note = 0; note < segment.header.notes; note++) {
      if (!accepts(facts, note * FACT_BYTES)) notes.push(note);
    }
  }
  segment.hidden = { filter: name, notes };
  return notes;
}
