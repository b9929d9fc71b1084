/**
 * The notes of some segments that answer a query best. Both signals are computed for all chunks in
 * the core; the two best lists are then walked until no note outside them can be better than those
 * found (the threshold algorithm), so the answer is exact and few chunks are looked at closely.
 */
import { floatsAt, scratch } from "./arena.ts";
import { best, type Board, layBoard, mask, MASKED, reached, sharesOf } from "./board.ts";
import type { NoteFilter, TermShare } from "./document.ts";
import type { Query } from "./query.ts";
import { combine, type Combined, restOf, type SignalWeights } from "./score.ts";
import type { Segment } from "./segment.ts";
import { passes, readNote, type StoredNote } from "./segment_notes.ts";
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
  readonly filter: NoteFilter;
  readonly weights: SignalWeights;
  /** Per segment: notes whose trigger the query contains. */
  readonly triggered: readonly ReadonlyMap<number, TriggerMatch>[];
}

/** Below this a signal is no reason to show a note. */
const COMBINED_MIN = 0.01;
const FIRST_LOOK = 32;

export function findNotes(
  segments: readonly Segment[],
  query: Query,
  options: FindOptions,
): FoundNote[] {
  const bases: number[] = [];
  let total = 0;
  for (const segment of segments) {
    bases.push(total);
    total += segment.header.chunks;
    // Blocks that stay are reserved before the scratch memory of this query begins.
    if (query.terms.length > 0) segment.lengthsAt();
    if (query.vector !== undefined) segment.vectorsAt();
    segment.facts();
  }
  if (total === 0 || options.limit <= 0) return [];
  return scratch((core) => {
    const board = layBoard(core, segments, bases, total, query);
    mask(board, options.filter);
    return walk(board, query, options);
  });
}

type Scored = Omit<FoundNote, "stored">;

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
  for (let depth = Math.min(total, Math.max(FIRST_LOOK, 2 * options.limit));;) {
    const emb = best(board, board.cosinesAt, depth);
    const kw = best(board, board.keywordsAt, depth);
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
    const enough = (scored[options.limit - 1]?.combined ?? -1) > bound + restOf(bound, bound);
    if (enough || depth >= total) return readFound(scored, options.limit);
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
function readFound(scored: readonly Scored[], limit: number): FoundNote[] {
  const last = scored[limit - 1]?.combined ?? -1;
  const found: FoundNote[] = [];
  for (const one of scored) {
    if (one.combined < last) break;
    const stored = readNote(one.segment, one.note);
    if (stored !== undefined) found.push({ ...one, stored });
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
  const { core, total } = board;
  const segment = board.segments[s];
  if (segment === undefined) return undefined;
  const first = segment.firstChunk(note);
  const base = board.bases[s] ?? 0;
  const keywords = floatsAt(core, board.keywordsAt, total);
  const cosines = floatsAt(core, board.cosinesAt, total);
  const trigger = options.triggered[s]?.get(note);
  let top: Scored | undefined;
  let second = 0;
  for (let chunk = first; chunk < first + segment.chunkCount(note); chunk++) {
    const cosine = cosines[base + chunk] ?? 0;
    if (cosine === MASKED) return undefined;
    const emb = query.vector === undefined ? 0 : calibrated(query, cosine);
    const shares = (keywords[base + chunk] ?? 0) > 0 ? sharesOf(board, s, chunk) : [];
    const sum = Math.min(1, shares.reduce((total, { share }) => total + share, 0));
    const kw = trigger?.first === undefined ? sum : 1;
    const combined = combine({ emb, kw }, options.weights);
    if (combined.combined > (top?.combined ?? -1)) {
      second = top?.combined ?? 0;
      const place = { segment, note, chunk, rest: 0, trigger: trigger?.first };
      top = { ...place, ...combined, emb, kw, cosine, shares };
    } else second = Math.max(second, combined.combined);
  }
  if (top === undefined || top.combined < COMBINED_MIN) return undefined;
  const rest = restOf(top.combined, second);
  return { ...top, rest, ...combine({ emb: top.emb, kw: top.kw, rest }, options.weights) };
}

function calibrated(query: Query, cosine: number): number {
  const share = Number.isFinite(cosine) ? query.calibrate(cosine) : 0;
  // Damaged scales can give any number, and a calibration may not know all of them.
  return share > 0 ? Math.min(1, share) : 0;
}
