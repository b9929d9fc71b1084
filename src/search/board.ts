/**
 * All signals of one query for all chunks of some segments, laid out in the core's memory: keyword
 * scores as they accumulate, cosines as they are scanned, what other words say. What is dead or filtered is taken out.
 */
import { type Core, floatsAt, wordsAt } from "../base/core.ts";
import type { NoteFilter } from "./document.ts";
import { FACT_BYTES } from "./format.ts";
import { type Counted, layOthers, type OtherWords } from "./other_words.ts";
import type { Query } from "./query.ts";
import type { Segment } from "./segment.ts";
import { factFilter } from "./segment_notes.ts";
import {
  addTerm,
  countOfAny,
  FORM_WEIGHT,
  formsIn,
  idf,
  lengthsOf,
  type Lexicon,
  type Lists,
  listsOf,
  liveLengths,
  openLexicon,
  type Spelling,
  spellingOf,
  type Weighted,
  wordsIn,
} from "./term_lists.ts";
import { rowBytes } from "./vectors.ts";
import { endingsInAny, isInflected, typos } from "./word_forms.ts";
import { isEnglish } from "./words.ts";

/** What a term that no note has weighs, of the weight of one that one note has. */
export const UNKNOWN_WEIGHT = 0.7;
/** Words of a query whose other forms are looked for: in a pasted log most have none worth reading. */
const INFLECTED_MAX = 24;

/** The cosine of a chunk that was taken out. */
export const MASKED = -2;

/** A term of the query: as it was asked where the store has that, and other forms. At least one. */
export type BoardTerm = readonly Spelling[];

/** Valid until the scratch memory it lies in is released; nothing is allocated after it is laid. */
export interface Board {
  readonly core: Core;
  readonly segments: readonly Segment[];
  /** The number of each segment's first chunk. */
  readonly bases: readonly number[];
  readonly total: number;
  /** Those of them that live. */
  readonly chunks: number;
  readonly terms: readonly BoardTerm[];
  /** What all terms together can reach. */
  readonly reach: number;
  /** The same in words that one chunk has: how much the query says in this store. */
  readonly mass: number;
  /** What each term of the query weighs, those that no note has included. */
  readonly weights: ReadonlyMap<string, number>;
  readonly averageLength: number;
  /** Terms of each chunk, one array a segment. */
  readonly lengths: readonly Uint16Array[];
  readonly keywords: Float32Array;
  /** What other words say of the query beyond what its own say there. */
  readonly others: Float32Array;
  /** Which words those are; none where the query has none, or this store none of them. */
  readonly said: readonly OtherWords[];
  readonly cosines: Float32Array;
  /** Room in the core's memory for one more cosine, and for the two vectors it is of. */
  readonly cosineAt: number;
  readonly pairAt: number;
  /** What all signals of each chunk are worth together, at most. One order at a time. */
  order(worths: SignalWorths): Order;
}

/** Steps of 0..1 for which it is said what a signal is worth. */
export const WORTH_STEPS = 128;
const SIGNALS = 3;

/** What each signal is worth at the upper end of each step, in log-odds. */
export interface SignalWorths {
  /** By the cosine. */
  readonly meaning: Float32Array;
  /** By shares of what the query can reach. */
  readonly words: Float32Array;
  readonly other: Float32Array;
  /** What meaning is worth where the model sees nothing. */
  readonly unknown: number;
  /** By the logarithm of how many chunks the note has. */
  readonly perSize: number;
}

export interface Order {
  /** The highest keyword score of all chunks. */
  readonly keywordMost: number;
  /** The chunks that can be worth most, best first; fewer where no more have any evidence. Valid until the next. */
  best(k: number): Best;
}

export interface Best {
  readonly chunks: Uint32Array;
  readonly bounds: Float32Array;
}

/**
 * Call it inside `scratch`; the segments' lasting blocks are reserved before. Several boards are all laid
 * before the first is looked at: laying one may move the memory under another's views.
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
  const othersAt = core.alloc(total * 4);
  const boundsAt = core.alloc(total * 4);
  const tablesAt = core.alloc(SIGNALS * WORTH_STEPS * 4);
  const [chunksAt, bestAt] = [core.alloc(total * 4), core.alloc(total * 4)];
  const cosineAt = core.alloc(4);
  const pairAt = core.alloc(2 * Math.max(0, ...segments.map(({ header }) => header.dims)));
  floatsAt(core, keywordsAt, total).fill(0);
  floatsAt(core, cosinesAt, total).fill(0);
  floatsAt(core, othersAt, total).fill(0);
  if (query.vector !== undefined) scan(core, segments, bases, query.vector, cosinesAt);
  const live = liveLengths(core, segments, query.terms.length > 0);
  const lexicon = openLexicon(core, segments);
  const weighed = weigh(lexicon, query, live.chunks);
  const { terms, reach, weights } = weighed;
  const ground = { ...lexicon, bases, total, ...live, bestAt: core.alloc(total * 4) };
  for (const forms of terms) addTerm(ground, forms, keywordsAt);
  const said = layOthers(ground, weighed, query, othersAt);
  // What the core reserves while it looks for the best shall not grow the memory under these views.
  const before = core.mark();
  core.alloc(total * 8);
  core.release(before);
  return () => ({
    core,
    segments,
    bases,
    total,
    chunks: live.chunks,
    reach,
    mass: reach / idf(1, live.chunks),
    weights,
    averageLength: live.averageLength,
    terms: terms.map((forms) => forms.map((form) => spellingOf(core, form))),
    lengths: terms.length === 0 ? [] : segments.map((segment) => lengthsOf(core, segment)),
    keywords: floatsAt(core, keywordsAt, total),
    others: floatsAt(core, othersAt, total),
    said: said(),
    cosines: floatsAt(core, cosinesAt, total),
    cosineAt,
    pairAt,
    order({ meaning, words, other, unknown, perSize }) {
      [meaning, words, other].forEach((table, i) =>
        floatsAt(core, tablesAt + i * WORTH_STEPS * 4, WORTH_STEPS).set(table)
      );
      let keywordMost = 0;
      segments.forEach((segment, s) => {
        const from = (bases[s] ?? 0) * 4;
        const most = core.addWorths(
          cosinesAt + from,
          keywordsAt + from,
          othersAt + from,
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
 * Every term's spellings with their lists and weights. A word is as rare as all its forms together.
 * Terms that no note has count in what can be reached, but less.
 */
function weigh(
  lexicon: Lexicon,
  query: Query,
  chunks: number,
): Counted & { readonly reach: number } {
  const terms: Weighted[][] = [];
  const placeOf = new Map<string, number>();
  const weights = new Map<string, number>();
  let reach = 0;
  let guesses = query.guessesMax;
  const first = query.endings ? query.terms.slice(0, INFLECTED_MAX) : [];
  const inflected = new Set(first.map(({ term }) => term).filter(isInflected));
  const formsOf = formsIn(lexicon, [...inflected], query.language);
  const others = query.terms.filter(({ term }) => !inflected.has(term));
  const hashes = Uint32Array.from(others.flatMap(({ low, high }) => [low, high]));
  const known = listsOf(lexicon, others.map(({ term }) => term), hashes);
  for (const term of query.terms) {
    const asked = known.get(term.term);
    let found = inflected.has(term.term) ? formsOf(term.term) : asked === undefined ? [] : [asked];
    if (found.length === 0 && term.isCompound) continue;
    if (found.length === 0 && term.weight === 1 && guesses-- > 0) {
      found = guessed(lexicon, query, term.term);
    }
    const df = countOfAny(lexicon, found);
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

/** Where no note has a word: another form of it, in a language that the question does not tell, or a slip. */
function guessed(lexicon: Lexicon, { text, language }: Query, word: string): Lists[] {
  const isTold = language !== undefined || isEnglish(text);
  const forms = isTold ? [] : [...wordsIn(lexicon, endingsInAny(word)).values()];
  return mostCommon(forms.length > 0 ? forms : [...wordsIn(lexicon, typos(word)).values()]);
}

function mostCommon(found: readonly Lists[]): Lists[] {
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

/** Takes dead and filtered notes out. */
export function mask(board: Board, filter: NoteFilter): void {
  board.segments.forEach((segment, s) => {
    for (const note of hiddenOf(segment, filter)) {
      const from = (board.bases[s] ?? 0) + segment.firstChunk(note);
      const to = from + segment.chunkCount(note);
      board.cosines.fill(MASKED, from, to);
    }
  });
}

/** Questions of one process mostly have the same filter: what it hides of a segment is kept. */
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
