/**
 * All signals of one query for all chunks of some segments, laid out in the core's memory: keyword
 * scores as they accumulate, cosines as they are scanned, what other words say. What is dead or filtered is taken out.
 */
import { type Core, floatsAt, wordsAt } from "../base/core.ts";
import type { NoteFilter } from "./document.ts";
import { FACT_BYTES } from "./format.ts";
import { layOthers, type OtherWords } from "./other_words.ts";
import type { Query } from "./query.ts";
import type { PostingList, Segment } from "./segment.ts";
import { factFilter } from "./segment_notes.ts";
import {
  FORM_WEIGHT,
  formsIn,
  idf,
  lengthsOf,
  type Lists,
  listsOf,
  liveLengths,
  type Spelling,
  together,
  viewOf,
} from "./term_lists.ts";
import { endings, typos } from "./word_forms.ts";

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
  /** What other words than its own say of the query, each of its words once. */
  readonly others: Float32Array;
  /** Which words those are; none where the query has none, or this store none of them. */
  readonly said: readonly OtherWords[];
  readonly cosines: Float32Array;
  /** Room in the core's memory for one more cosine. */
  readonly cosineAt: number;
  /** The chunks with the highest of these values, best first, those above 0 only. */
  best(of: "keywords" | "cosines" | "others", k: number): Best;
}

export interface Best {
  /** At least those that were asked for, where so many are above 0. */
  readonly chunks: Uint32Array;
  /** The value of the last of them; 0 where there are fewer. */
  readonly last: number;
}

/** So many are found for little more than a few, and whoever asks for some soon asks for more. */
const BEST_MIN = 128;

interface Weighed {
  /** As it was asked. */
  readonly asked: string;
  readonly term: string;
  readonly lists: readonly (PostingList | undefined)[];
  readonly weight: number;
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
  const room = { indicesAt: core.alloc(total * 4), valuesAt: core.alloc(total * 4) };
  const cosineAt = core.alloc(4);
  floatsAt(core, keywordsAt, total).fill(0);
  floatsAt(core, cosinesAt, total).fill(0);
  floatsAt(core, othersAt, total).fill(0);
  if (query.vector !== undefined) scan(core, segments, bases, query.vector, cosinesAt);
  const live = liveLengths(core, segments, query.terms.length > 0);
  const { weighed, reach, weights } = weigh(core, segments, query, live.chunks);
  for (const { lists, weight } of weighed.flat()) {
    segments.forEach((segment, s) => {
      const list = lists[s];
      if (list === undefined || list.count === 0) return;
      const { documentsAt, frequenciesAt, count } = list;
      const scoresAt = keywordsAt + (bases[s] ?? 0) * 4;
      const lengthsAt = segment.lengthsAt();
      const average = live.averageLength;
      core.accumulateBm25(documentsAt, frequenciesAt, count, lengthsAt, average, weight, scoresAt);
    });
  }
  const placeOf = new Map(weighed.map((spellings, i) => [spellings[0]?.asked ?? "", i]));
  const said = layOthers(
    { core, segments, bases, total, othersAt, weights, placeOf, ...live },
    query,
  );
  const startsAt = { keywords: keywordsAt, cosines: cosinesAt, others: othersAt };
  const lists = { keywords: NONE, cosines: NONE, others: NONE };
  // What the core reserves while it looks for the best shall not grow the memory under these views.
  const before = core.mark();
  core.alloc(total * 8);
  core.release(before);
  return () => ({
    core,
    segments,
    bases,
    total,
    reach,
    mass: reach / idf(1, live.chunks),
    weights,
    averageLength: live.averageLength,
    terms: weighed.map((spellings) =>
      spellings.map(({ term, lists, weight }) => ({
        term,
        weight,
        lists: lists.map((list) => list === undefined ? undefined : viewOf(core, list)),
      }))
    ),
    lengths: weighed.length === 0 ? [] : segments.map((segment) => lengthsOf(core, segment)),
    keywords: floatsAt(core, keywordsAt, total),
    others: floatsAt(core, othersAt, total),
    said: said(),
    cosines: floatsAt(core, cosinesAt, total),
    cosineAt,
    best(of, k) {
      const known = lists[of];
      const list = known.wanted >= k
        ? known
        : lists[of] = bestOf(core, startsAt[of], total, k, room);
      return { chunks: list.chunks, last: list.values[k - 1] ?? 0 };
    },
  });
}

interface BestList {
  /** How many were asked for. */
  readonly wanted: number;
  readonly chunks: Uint32Array;
  readonly values: Float32Array;
}

const NONE: BestList = { wanted: 0, chunks: new Uint32Array(), values: new Float32Array() };

/** `room`: for as many indices and values as there are. */
function bestOf(
  core: Core,
  valuesAt: number,
  total: number,
  k: number,
  room: { readonly indicesAt: number; readonly valuesAt: number },
): BestList {
  const wanted = Math.min(total, Math.max(k, BEST_MIN));
  const count = core.topK(valuesAt, total, wanted, 0, room.indicesAt, room.valuesAt);
  return {
    wanted,
    chunks: wordsAt(core, room.indicesAt, count).slice(),
    values: floatsAt(core, room.valuesAt, count).slice(),
  };
}

function scan(
  core: Core,
  segments: readonly Segment[],
  bases: readonly number[],
  vector: Float32Array,
  cosinesAt: number,
): void {
  const dims = vector.length;
  const vectorAt = core.alloc(dims * 4);
  const queryAt = core.alloc(dims);
  floatsAt(core, vectorAt, dims).set(vector);
  const scale = core.quantize(vectorAt, dims, queryAt);
  segments.forEach((segment, s) => {
    if (segment.header.dims !== dims) return;
    const { rows, scales } = segment.vectorsAt();
    const out = cosinesAt + (bases[s] ?? 0) * 4;
    core.scanInt8(queryAt, scale, rows, scales, segment.header.chunks, dims, out);
  });
}

/**
 * Every term's spellings with their lists and weights. A word is as rare as all its forms together.
 * Terms that no note has count in what can be reached, but less.
 */
function weigh(
  core: Core,
  segments: readonly Segment[],
  query: Query,
  chunks: number,
): { weighed: Weighed[][]; reach: number; weights: Map<string, number> } {
  const weighed: Weighed[][] = [];
  const weights = new Map<string, number>();
  let reach = 0;
  let guesses = query.guessesMax;
  for (const [i, term] of query.terms.entries()) {
    const asked = listsOf(core, segments, term.term, term.low, term.high);
    const forms = query.endings && i < INFLECTED_MAX ? endings(term.term) : [];
    let found = [...asked.df > 0 ? [asked] : [], ...formsIn(core, segments, forms)];
    if (found.length === 0 && term.isCompound) continue;
    if (found.length === 0 && term.weight === 1 && guesses-- > 0) {
      found = mostCommon(formsIn(core, segments, typos(term.term)));
    }
    const df = together(core, segments, found);
    const weight = term.weight *
      (df > 0 ? idf(df, chunks) : idf(1, chunks) * UNKNOWN_WEIGHT);
    reach += weight;
    weights.set(term.term, weight);
    if (df === 0) continue;
    weighed.push(found.map((one) => ({
      asked: term.term,
      term: one.term,
      lists: one.lists,
      weight: one === asked ? weight : weight * FORM_WEIGHT,
    })));
  }
  return { weighed, reach, weights };
}

function mostCommon(found: readonly Lists[]): Lists[] {
  return found.toSorted((a, b) => b.df - a.df).slice(0, 1);
}

interface Place {
  readonly segment: Segment;
  readonly chunk: number;
}

/** The cosine of two passages; 0 where one of them has no vector. */
export function passageCosine({ core, cosineAt }: Board, a: Place, b: Place): number {
  const { dims } = a.segment.header;
  if (dims !== b.segment.header.dims) return 0;
  const [left, right] = [vectorOf(a), vectorOf(b)];
  const leftScale = floatsAt(core, left.scale, 1)[0] ?? 0;
  core.scanInt8(left.row, leftScale, right.row, right.scale, 1, dims, cosineAt);
  return floatsAt(core, cosineAt, 1)[0] ?? 0;
}

/** Where it lies in the core's memory. */
function vectorOf({ segment, chunk }: Place): { readonly row: number; readonly scale: number } {
  const { rows, scales } = segment.vectorsAt();
  return { row: rows + chunk * segment.header.dims, scale: scales + chunk * 4 };
}

/** Takes dead and filtered notes out of both lists. */
export function mask(board: Board, filter: NoteFilter): void {
  board.segments.forEach((segment, s) => {
    for (const note of hiddenOf(segment, filter)) {
      const from = (board.bases[s] ?? 0) + segment.firstChunk(note);
      const to = from + segment.chunkCount(note);
      board.keywords.fill(-1, from, to);
      board.others.fill(-1, from, to);
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
