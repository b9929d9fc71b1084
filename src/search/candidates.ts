/**
 * The notes of some segments that answer a query best. Both signals are computed for all chunks in
 * the core; the two best lists are then walked until no note outside them can be better than those
 * found (the threshold algorithm), so the answer is exact and few chunks are looked at closely.
 */
import { scratch } from "./arena.ts";
import { type Board, layBoard, mask, MASKED } from "./board.ts";
import type { NoteFilter, TermShare } from "./document.ts";
import type { Query } from "./query.ts";
import { combine, type Combined, restOf, type SignalWeights } from "./score.ts";
import type { Segment } from "./segment.ts";
import { passes, readNote, type StoredNote } from "./segment_notes.ts";
import { keywordOf, reached, refine, sharesOf } from "./shares.ts";
import type { TriggerMatch } from "./triggers.ts";

export interface FoundNote extends Combined {
  readonly segment: Segment;
  readonly note: number;
  readonly chunk: number;
  readonly stored: StoredNote;
  readonly emb: number;
  readonly kw: number;
  readonly rest: number;
  readonly cosine: number;
  readonly shares: readonly TermShare[];
  readonly trigger: string | undefined;
}

export interface FindOptions {
  readonly limit: number;
  /** Nothing below this combined score is asked for: the walk may end there. */
  readonly atLeast?: number | undefined;
  readonly filter: NoteFilter;
  readonly weights: SignalWeights;
  /** Per segment: notes whose trigger the query contains. */
  readonly triggered: readonly ReadonlyMap<number, TriggerMatch>[];
}

/** Below this a signal is no reason to show a note. */
const COMBINED_MIN = 0.01;
const FIRST_LOOK = 32;
const FIRST_PEEK = 8;
/** Accumulated scores are f32, close looks f64: the bound gives the difference away. */
const ROUNDING = 1 + 1e-6;
/** Equal scores go by path, but no more than this is read for their sake. */
const TIES_MAX = 500;

export function findNotes(
  segments: readonly Segment[],
  query: Query,
  options: FindOptions,
): FoundNote[] {
  let total = 0;
  for (const segment of segments) {
    total += segment.header.chunks;
    // Blocks that stay are reserved before the scratch memory of this query begins.
    if (query.terms.length > 0) segment.lengthsAt();
    if (query.vector !== undefined) segment.vectorsAt();
    segment.facts();
  }
  if (total === 0 || options.limit <= 0) return [];
  return scratch((core) => {
    const board = layBoard(core, segments, query);
    mask(board, options.filter);
    return walk(board, query, options);
  });
}

type Scored = Omit<FoundNote, "stored" | "shares">;

/** Looks at the best chunks of both lists, then further down until nothing better can come. */
function walk(board: Board, query: Query, options: FindOptions): FoundNote[] {
  const { total } = board;
  const seen = new Set<number>();
  const scored: Scored[] = [];
  const look = (s: number, note: number): void => {
    const key = (board.bases[s] ?? 0) + (board.segments[s]?.firstChunk(note) ?? 0);
    if (seen.has(key)) return;
    seen.add(key);
    const one = scoreNote(board, s, note, query, options);
    if (one !== undefined && isWanted(one, options.filter)) scored.push(one);
  };
  options.triggered.forEach((notes, s) => {
    for (const note of notes.keys()) look(s, note);
  });
  let isRefined = false;
  // Where little is asked for, most queries end with what stands on top.
  const first = options.atLeast === undefined
    ? Math.max(FIRST_LOOK, 2 * options.limit)
    : FIRST_PEEK;
  for (let depth = Math.min(total, first);;) {
    const emb = board.best("cosines", depth);
    const kw = board.best("keywords", depth);
    for (const chunk of new Set([...emb.chunks, ...kw.chunks])) {
      const s = segmentAt(board, chunk);
      const segment = board.segments[s];
      if (segment !== undefined) look(s, segment.noteOf(chunk - (board.bases[s] ?? 0)));
    }
    scored.sort((a, b) => b.combined - a.combined);
    const bound = combine(
      { emb: calibrated(query, emb.last), kw: reached(board, kw.last) },
      options.weights,
    ).combined;
    const possible = bound + restOf(bound, bound);
    const last = scored[options.limit - 1]?.combined ?? -1;
    const enough = last > possible * ROUNDING || possible * ROUNDING < (options.atLeast ?? 0) ||
      (depth > TIES_MAX && last >= possible / ROUNDING);
    if (enough || depth >= total) return readFound(board, scored, options);
    if (!isRefined) refine(board);
    isRefined = true;
    depth = Math.min(total, depth * 4);
  }
}

/** What facts alone cannot answer: whether it really is that tag and that project. */
function isWanted({ segment, note }: Scored, filter: NoteFilter): boolean {
  if (filter.project === undefined && filter.tag === undefined) return true;
  const stored = readNote(segment, note);
  return stored !== undefined && passes(stored, filter);
}

/** Reads the notes that are shown, and those that tie with the last of them; ties go by path. */
function readFound(
  board: Board,
  scored: readonly Scored[],
  { limit, atLeast = -1 }: FindOptions,
): FoundNote[] {
  const last = scored[limit - 1]?.combined ?? -1;
  const found: FoundNote[] = [];
  for (const one of scored) {
    if (one.combined < Math.max(last, atLeast) || found.length >= limit + TIES_MAX) break;
    const stored = readNote(one.segment, one.note);
    if (stored === undefined) continue;
    const shares = sharesOf(board, board.segments.indexOf(one.segment), one.chunk);
    found.push({ ...one, stored, shares });
  }
  found.sort((a, b) => b.combined - a.combined || (a.stored.path < b.stored.path ? -1 : 1));
  return found.slice(0, limit);
}

function segmentAt(board: Board, chunk: number): number {
  let s = 0;
  while (s + 1 < board.bases.length && (board.bases[s + 1] ?? 0) <= chunk) s++;
  return s;
}

/** The best chunk of a note carries it; the second best adds a little. */
function scoreNote(
  board: Board,
  s: number,
  note: number,
  query: Query,
  options: FindOptions,
): Scored | undefined {
  const segment = board.segments[s];
  if (segment === undefined) return undefined;
  const first = segment.firstChunk(note);
  const base = board.bases[s] ?? 0;
  const trigger = options.triggered[s]?.get(note)?.first;
  let top = {
    combined: -1,
    carriedBy: "mix" as Combined["carriedBy"],
    emb: 0,
    kw: 0,
    cosine: 0,
    chunk: first,
  };
  let second = 0;
  for (let chunk = first; chunk < first + segment.chunkCount(note); chunk++) {
    const cosine = board.cosines[base + chunk] ?? 0;
    if (cosine === MASKED) return undefined;
    const emb = query.vector === undefined ? 0 : calibrated(query, cosine);
    const isMatched = (board.keywords[base + chunk] ?? 0) > 0;
    const kw = trigger !== undefined ? 1 : isMatched ? keywordOf(board, s, chunk) : 0;
    const one = combine({ emb, kw }, options.weights);
    if (one.combined > top.combined) {
      second = Math.max(0, top.combined);
      top = { ...one, emb, kw, cosine, chunk };
    } else second = Math.max(second, one.combined);
  }
  if (top.combined < COMBINED_MIN) return undefined;
  const rest = restOf(top.combined, second);
  const { combined } = combine({ emb: top.emb, kw: top.kw, rest }, options.weights);
  return { ...top, segment, note, rest, combined, trigger };
}

function calibrated(query: Query, cosine: number): number {
  const share = Number.isFinite(cosine) ? query.calibrate(cosine) : 0;
  // Damaged scales can give any number, and a calibration may not know all of them.
  return share > 0 ? Math.min(1, share) : 0;
}
