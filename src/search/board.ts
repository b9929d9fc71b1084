/**
 * Both signals of one query for all chunks of some segments, laid out in the core's memory: keyword
 * scores as they accumulate, cosines as they are scanned. What is dead or filtered is taken out.
 */
import type { Core } from "../base/core.ts";
import { bytesAt, floatsAt, wordsAt } from "./arena.ts";
import type { NoteFilter, TermShare } from "./document.ts";
import { FACT_BYTES } from "./format.ts";
import type { Query, QueryTerm } from "./query.ts";
import type { PostingList, Segment } from "./segment.ts";
import { factFilter } from "./segment_notes.ts";

/** As in the core (wasm/assembly/bm25.ts). */
const K1 = 1.2;
const B = 0.75;
/** What a term that no note has weighs, of the weight of one that one note has. */
const UNKNOWN_WEIGHT = 0.7;

/** The cosine of a chunk that was taken out. */
export const MASKED = -2;

interface Term {
  readonly query: QueryTerm;
  readonly lists: readonly (PostingList | undefined)[];
  readonly weight: number;
}

/** Everything one query has laid out in the core's memory. */
export interface Board {
  readonly core: Core;
  readonly segments: readonly Segment[];
  readonly bases: readonly number[];
  readonly total: number;
  readonly terms: readonly Term[];
  /** What all terms together can reach. */
  readonly reach: number;
  readonly averageLength: number;
  readonly keywordsAt: number;
  readonly cosinesAt: number;
}

/** Call it inside `scratch`; the segments' lasting blocks are reserved before. */
export function layBoard(
  core: Core,
  segments: readonly Segment[],
  bases: readonly number[],
  total: number,
  query: Query,
): Board {
  const keywordsAt = core.alloc(total * 4);
  const cosinesAt = core.alloc(total * 4);
  floatsAt(core, keywordsAt, total).fill(0);
  floatsAt(core, cosinesAt, total).fill(0);
  if (query.vector !== undefined) scan(core, segments, bases, query.vector, cosinesAt);
  const base = { core, segments, bases, total, keywordsAt, cosinesAt };
  if (query.terms.length === 0) return { ...base, terms: [], reach: 0, averageLength: 1 };
  const live = liveLengths(core, segments);
  const terms: Term[] = [];
  let reach = 0;
  for (const term of query.terms) {
    let df = 0;
    const lists = segments.map((segment) => {
      const place = segment.find(term.low, term.high);
      if (place === undefined) return undefined;
      const list = segment.list(core, place);
      df += liveCount(core, segment, list);
      return list;
    });
    if (df === 0 && term.isCompound) continue;
    const weight = term.weight * idf(Math.max(1, df), live.chunks) *
      (df === 0 ? UNKNOWN_WEIGHT : 1);
    reach += weight;
    if (df === 0) continue;
    terms.push({ query: term, lists, weight });
    segments.forEach((segment, s) => {
      const list = lists[s];
      if (list === undefined || list.count === 0) return;
      core.accumulateBm25(
        list.documentsAt,
        list.frequenciesAt,
        list.count,
        segment.lengthsAt(),
        live.averageLength,
        weight,
        keywordsAt + (bases[s] ?? 0) * 4,
      );
    });
  }
  return { ...base, terms, reach, averageLength: live.averageLength };
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

/** How many chunks live, and how long they are on average: as if the dead had never been. */
function liveLengths(
  core: Core,
  segments: readonly Segment[],
): { chunks: number; averageLength: number } {
  let chunks = 0;
  let length = 0;
  for (const segment of segments) {
    chunks += segment.header.chunks;
    length += segment.postings.totalLength;
    for (const note of segment.dead) {
      const first = segment.firstChunk(note);
      const count = segment.chunkCount(note);
      chunks -= count;
      for (let i = 0; i < count; i++) length -= segment.lengthOf(core, first + i);
    }
  }
  return { chunks: Math.max(1, chunks), averageLength: Math.max(1, length / Math.max(1, chunks)) };
}

function liveCount(core: Core, segment: Segment, list: PostingList): number {
  if (segment.dead.size === 0) return list.count;
  let count = 0;
  for (const chunk of wordsAt(core, list.documentsAt, list.count)) {
    if (!segment.dead.has(segment.noteOf(chunk))) count++;
  }
  return count;
}

function idf(df: number, chunks: number): number {
  return Math.log(1 + (chunks - Math.min(df, chunks) + 0.5) / (df + 0.5));
}

/** Takes dead and filtered notes out of both lists. */
export function mask(board: Board, filter: NoteFilter): void {
  const { core, total } = board;
  const keywords = floatsAt(core, board.keywordsAt, total);
  const cosines = floatsAt(core, board.cosinesAt, total);
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  const accepts = factFilter(filter);
  board.segments.forEach((segment, s) => {
    const facts = segment.facts();
    const hide = (note: number): void => {
      const from = (board.bases[s] ?? 0) + segment.firstChunk(note);
      const to = from + segment.chunkCount(note);
      keywords.fill(-1, from, to);
      cosines.fill(MASKED, from, to);
    };
    for (const note of segment.dead) hide(note);
    if (!isFiltered) return;
    for (let note = 0; note < segment.header.notes; note++) {
      if (!accepts(facts, note * FACT_BYTES)) hide(note);
    }
  });
}

/** The chunks with the highest values that are not masked, and the lowest value among them. */
export function best(
  board: Board,
  valuesAt: number,
  k: number,
): { chunks: number[]; last: number } {
  const { core, total } = board;
  const indicesAt = core.alloc(k * 4);
  const bestAt = core.alloc(k * 4);
  const count = core.topK(valuesAt, total, k, indicesAt, bestAt);
  const values = floatsAt(core, bestAt, count);
  const chunks: number[] = [];
  for (const [i, chunk] of wordsAt(core, indicesAt, count).entries()) {
    if ((values[i] ?? 0) > 0) chunks.push(chunk);
  }
  return { chunks, last: count < k ? 0 : Math.max(0, values[count - 1] ?? 0) };
}

/** Each term's exact share in one chunk: no term can make up for another that is missing. */
export function sharesOf(board: Board, s: number, chunk: number): TermShare[] {
  const { core, reach, averageLength } = board;
  const segment = board.segments[s];
  const shares: TermShare[] = [];
  if (segment === undefined) return shares;
  const length = segment.lengthOf(core, chunk);
  for (const { query, lists, weight } of board.terms) {
    const list = lists[s];
    const at = list === undefined
      ? -1
      : indexOf(wordsAt(core, list.documentsAt, list.count), chunk);
    if (list === undefined || at < 0) continue;
    const [frequency = 0] = bytesAt(core, list.frequenciesAt + at, 1);
    const damp = K1 * (1 - B + B * length / averageLength);
    const score = frequency * (K1 + 1) / (frequency + damp);
    shares.push({ term: query.term, share: weight * Math.min(1, score) / reach });
  }
  return shares;
}

function indexOf(sorted: Uint32Array, wanted: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return middle;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}

/** An upper bound of the keyword score behind an accumulated value. */
export function reached(board: Board, raw: number): number {
  return board.reach <= 0 ? 0 : Math.min(1, raw / board.reach);
}
