/**
 * The notes of some segments that answer a query best. Both signals are computed for all chunks in
 * the core; the two best lists are then walked until no note outside them can be better than those
 * found (the threshold algorithm), so the first look is exact and few chunks are looked at closely.
 * The best of it are looked at a second time with their text in hand, and held against each other.
 */
import { isAscii } from "../base/pattern.ts";
import { scratch } from "./arena.ts";
import { type Board, layBoard, mask, MASKED, passageCosine } from "./board.ts";
import { compete } from "./compete.ts";
import type { ChunkHit, NoteFilter, StoredNote, TermShare } from "./document.ts";
import { closeLook } from "./look.ts";
import type { Query } from "./query.ts";
import { wordsOf } from "./query_words.ts";
import {
  certaintyOf,
  certaintySum,
  chanceIn,
  COMPETITION_MAX,
  type Evidence,
  type FirstSum,
  firstSum,
  neededFor,
  NO_EVIDENCE,
  partsOf,
  type SignalWeights,
  sumOf,
} from "./score.ts";
import type { Segment } from "./segment.ts";
import { passes, readChunk, readNote } from "./segment_notes.ts";
import { keywordOf, reached, sharesOf } from "./shares.ts";
import { throughTime } from "./through_time.ts";
import { type TriggerMatch, triggerShare } from "./triggers.ts";
import { wordingOf } from "./verbatim.ts";
import { tellingWords } from "./words.ts";

export interface FoundNote {
  readonly segment: Segment;
  readonly note: number;
  readonly stored: StoredNote;
  /** The number of the chunk that carries it, in its segment. */
  readonly chunk: number;
  readonly hit: ChunkHit;
  readonly evidence: Evidence;
  /** Log-odds of the note's own evidence. */
  readonly sum: number;
  /** Log-odds that count for certainty alone. */
  readonly covered: number;
  /** Log-odds that the other notes add or take. */
  readonly competing: number;
  readonly combined: number;
  readonly cosine: number;
  readonly shares: readonly TermShare[];
  readonly trigger: string | undefined;
}

export interface FindOptions {
  readonly limit: number;
  /** Nothing below this combined score is asked for: the walk may end there. */
  readonly atLeast?: number | undefined;
  /** Nothing with less evidence of its own is asked for, however the others are. */
  readonly sumMin?: number | undefined;
  /** Ids of notes that neither answer nor compete. */
  readonly except?: ReadonlySet<string> | undefined;
  /** Unasked: what happened is no rival of what is known of it, no name has to be there, more is needed. */
  readonly knownFirst?: boolean | undefined;
  readonly filter: NoteFilter;
  readonly weights: SignalWeights;
  /** Per segment: notes whose trigger the query contains. */
  readonly triggered: readonly ReadonlyMap<number, TriggerMatch>[];
}

/** Less evidence than this is no reason to show a note. */
const SUM_MIN = 0.15;
/** So many of the best are read and looked at again; the others stay behind them. */
const LOOKS = 10;
/** A first look flatters: what is so far behind a note that was looked at again stays behind it. */
const OUT_OF_REACH = 1.7;
const BEHIND = 1e-9;
/** Likeness of two passages from which they are about one thing. */
const PAIR_MIN = 0.76;
const FIRST_LOOK = 32;
const FIRST_PEEK = 8;
/** Accumulated scores are f32, close looks f64: the bound gives the difference away. */
const ROUNDING = 1e-5;
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

/** A note after the first look. */
interface Scored {
  readonly segment: Segment;
  readonly note: number;
  /** The number of the chunk that carries it, in its segment. */
  readonly chunk: number;
  readonly evidence: Evidence;
  readonly sum: number;
  readonly cosine: number;
  readonly trigger: string | undefined;
}

type Read = Scored & {
  readonly stored: StoredNote;
  /** The telling words of its title. */
  readonly names: ReadonlySet<string>;
};

/** Looks at the best chunks of both lists, then further down until nothing better can come. */
function walk(board: Board, query: Query, options: FindOptions): FoundNote[] {
  const { total } = board;
  const seen = board.segments.map((segment) => new Uint8Array(segment.header.notes));
  const scored: Scored[] = [];
  const sumFirst = firstSum(options.weights);
  // With less than so many have, a note is neither an answer nor the best that is none.
  const rank = Math.max(LOOKS, options.limit) + (options.except?.size ?? 0);
  let sumToPass = -Infinity;
  const look = (s: number, note: number): void => {
    if (seen[s]?.[note] !== 0) return;
    seen[s][note] = 1;
    if (sumToPass > -Infinity && couldReach(board, s, note, query, options, sumFirst) < sumToPass) {
      return;
    }
    const one = scoreNote(board, s, note, query, options, sumFirst);
    if (one !== undefined && isWanted(one, options.filter)) scored.push(one);
  };
  const lookAt = (chunks: Uint32Array, from: number, to: number): void => {
    for (let i = from; i < Math.min(to, chunks.length); i++) {
      const chunk = chunks[i] ?? 0;
      const s = segmentAt(board, chunk);
      const note = board.segments[s]?.noteOf(chunk - (board.bases[s] ?? 0));
      if (note !== undefined) look(s, note);
    }
  };
  options.triggered.forEach((notes, s) => {
    for (const note of notes.keys()) look(s, note);
  });
  const limit = Math.max(LOOKS, options.limit);
  const sumMin = options.sumMin ?? 0;
  // What has less cannot reach what is asked for, however far it stands in front.
  const needed = neededFor(options.atLeast ?? 0) - COMPETITION_MAX;
  // Passages that the model cannot read are matched by words that it cannot read.
  const isReadable = query.vector !== undefined && query.terms.every(({ term }) => isAscii(term));
  // Where little is asked for, most queries end with what stands on top.
  const first = sumMin > 0 || needed > 0 ? FIRST_PEEK : Math.max(FIRST_LOOK, 2 * limit);
  for (let [from, depth] = [0, Math.min(total, first)];;) {
    const emb = board.best("cosines", depth);
    const kw = board.best("keywords", depth);
    lookAt(emb.chunks, from, depth);
    lookAt(kw.chunks, from, depth);
    scored.sort((a, b) => b.sum - a.sum);
    sumToPass = scored[rank]?.sum ?? -Infinity;
    const bound = {
      ...NO_EVIDENCE,
      emb: isReadable ? calibrated(query, emb.last) : undefined,
      kw: reached(board, kw.last),
      mass: board.mass,
    };
    const possible = sumOf(partsOf(bound, options.weights)) + ROUNDING;
    const last = scored[limit - 1]?.sum ?? -Infinity;
    const enough = last > possible || possible < sumMin ||
      possible + certaintyMax(bound, options, board) < needed ||
      (depth > TIES_MAX && last >= possible - 2 * ROUNDING);
    if (enough || depth >= total) return lookAgain(board, scored, query, options, needed);
    [from, depth] = [depth, Math.min(total, depth * 2)];
  }
}

/** What facts alone cannot answer: whether it really is that tag and that project. */
function isWanted({ segment, note }: Scored, filter: NoteFilter): boolean {
  if (filter.project === undefined && filter.tag === undefined) return true;
  const stored = readNote(segment, note);
  return stored !== undefined && passes(stored, filter);
}

/** Reads the best notes, looks at their passages, and lets them compete; ties go by path. */
function lookAgain(
  board: Board,
  scored: readonly Scored[],
  query: Query,
  options: FindOptions,
  needed: number,
): FoundNote[] {
  const { limit, atLeast = 0, sumMin = -Infinity, except, knownFirst, weights } = options;
  const countMax = Math.max(LOOKS, limit);
  const last = Math.max(scored[countMax - 1]?.sum ?? -Infinity, sumMin);
  const read: Read[] = [];
  // The best that is not read, because little was asked for: a rival all the same.
  let unread = -Infinity;
  for (const one of scored) {
    if (one.sum < last || read.length >= countMax + TIES_MAX) {
      unread = Math.max(unread, one.sum);
      break;
    }
    if (one.sum + certaintyMax(one.evidence, options, board) < needed) {
      unread = Math.max(unread, one.sum);
      continue;
    }
    const stored = readNote(one.segment, one.note);
    if (stored !== undefined && except?.has(stored.id) !== true) {
      read.push({ ...one, stored, names: namesOf(stored) });
    }
  }
  const byPath = (a: Read, b: Read): number => a.stored.path < b.stored.path ? -1 : 1;
  read.sort((a, b) => b.sum - a.sum || byPath(a, b));
  const glass = {
    query,
    wording: wordingOf(query.text, wordsOf(query), board, knownFirst !== true),
  };
  let [lowest, highest, leastCovered] = [Infinity, -Infinity, 0];
  const looked = read.slice(0, countMax).map((one, i) => {
    const shares = sharesOf(board, board.segments.indexOf(one.segment), one.chunk);
    const hit = readChunk(one.segment, one.chunk);
    if (i >= LOOKS || one.sum < highest - OUT_OF_REACH) {
      // The first look flatters; what was not looked at again stays behind what was, in its order.
      const sum = Math.min(one.sum, lowest - i * BEHIND);
      return { ...one, shares, hit, covered: leastCovered, sum };
    }
    const kept = { all: one.segment.passages, chunk: one.chunk };
    const evidence = closeLook(glass, one.names, hit, kept, shares, one.evidence, one.trigger);
    const sum = sumOf(partsOf(evidence, weights));
    lowest = Math.min(lowest, sum);
    highest = Math.max(highest, sum);
    const covered = certaintySum(certaintyOf(evidence, weights));
    leastCovered = Math.min(leastCovered, covered);
    return { ...one, evidence, shares, hit, sum, covered };
  });
  const placed = throughTime(looked).sort((a, b) => b.sum - a.sum);
  const rival = read.length < LOOKS ? unread : undefined;
  return compete(placed, (a, b) => isPair(board, query, a, b), rival, knownFirst)
    .filter((one) => one.combined >= atLeast && one.sum >= sumMin)
    .sort((a, b) => b.combined - a.combined || byPath(a, b))
    .slice(0, limit);
}

/** By note: a title is read once for all questions that meet it. */
const names = new WeakMap<StoredNote, ReadonlySet<string>>();

function namesOf(stored: StoredNote): ReadonlySet<string> {
  let known = names.get(stored);
  if (known === undefined) names.set(stored, known = tellingWords(stored.title));
  return known;
}

/**
 * Whether two notes are about one thing: their passages say nearly the same, or nearly the opposite,
 * and their titles name it. In a language that the model cannot read, all passages seem alike.
 */
function isPair(board: Board, query: Query, a: Read, b: Read): boolean {
  // Without a vector of the query the passages' vectors are not in memory, and may not be loaded here.
  if (query.vector === undefined || a.names.isDisjointFrom(b.names)) return false;
  const cosine = passageCosine(board, a, b);
  return cosine > 0 && query.likeness(cosine) >= PAIR_MIN;
}

/** The most that a closer look can make of it: every name of a question may be there. */
function certaintyMax(evidence: Evidence, options: FindOptions, { total }: Board): number {
  const known = options.knownFirst === true
    ? { ...evidence, named: 0, chance: chanceIn(total) }
    : { ...evidence, named: 1 };
  return certaintySum(certaintyOf(known, options.weights));
}

function segmentAt(board: Board, chunk: number): number {
  let s = 0;
  while (s + 1 < board.bases.length && (board.bases[s + 1] ?? 0) <= chunk) s++;
  return s;
}

/**
 * No less than the sum that `scoreNote` can find, from accumulated scores alone: of hundreds of notes
 * further down most are behind by this, and which words stand in them is nobody's question.
 */
function couldReach(
  board: Board,
  s: number,
  note: number,
  query: Query,
  options: FindOptions,
  sumFirst: FirstSum,
): number {
  const segment = board.segments[s];
  if (segment === undefined || options.triggered[s]?.has(note) === true) return Infinity;
  const chunks = segment.chunkCount(note);
  const from = (board.bases[s] ?? 0) + segment.firstChunk(note);
  let cosine = -Infinity;
  let raw = 0;
  for (let at = from; at < from + chunks; at++) {
    const own = board.cosines[at] ?? 0;
    // Of what the model does not see, meaning is not 0 but unknown.
    if (own === 0 && query.vector !== undefined) return Infinity;
    if (own > cosine) cosine = own;
    raw = Math.max(raw, board.keywords[at] ?? 0);
  }
  const emb = query.vector === undefined ? undefined : calibrated(query, cosine);
  return sumFirst(emb, reached(board, raw), board.mass, 0, chunks) + ROUNDING;
}

/** The best chunk of a note carries it. */
function scoreNote(
  board: Board,
  s: number,
  note: number,
  query: Query,
  options: FindOptions,
  sumFirst: FirstSum,
): Scored | undefined {
  const segment = board.segments[s];
  if (segment === undefined) return undefined;
  const first = segment.firstChunk(note);
  const chunks = segment.chunkCount(note);
  const base = board.bases[s] ?? 0;
  const match = options.triggered[s]?.get(note);
  const trigger = match === undefined ? 0 : triggerShare(match, board);
  let top: { chunk: number; emb: number | undefined; kw: number; sum: number } | undefined;
  for (let chunk = first; chunk < first + chunks; chunk++) {
    const cosine = board.cosines[base + chunk] ?? 0;
    if (cosine === MASKED) return undefined;
    // Exactly 0: the model saw nothing in the passage.
    const emb = query.vector === undefined || cosine === 0 ? undefined : calibrated(query, cosine);
    const raw = board.keywords[base + chunk] ?? 0;
    // Most pieces of a note are behind another of it in both signals: no need to look closely.
    if (top !== undefined && (emb ?? 0) <= (top.emb ?? 0) && reached(board, raw) <= top.kw) {
      continue;
    }
    const kw = raw > 0 ? keywordOf(board, s, chunk) : 0;
    if ((emb ?? 0) <= 0 && kw === 0 && match === undefined) continue;
    const sum = sumFirst(emb, kw, board.mass, trigger, chunks);
    if (sum > (top?.sum ?? SUM_MIN)) top = { chunk, emb, kw, sum };
  }
  if (top === undefined) return undefined;
  const { chunk, emb, kw, sum } = top;
  const chance = options.knownFirst === true ? chanceIn(board.total) : 0;
  return {
    segment,
    note,
    chunk,
    evidence: { ...NO_EVIDENCE, emb, kw, mass: board.mass, trigger, chunks, chance },
    sum,
    cosine: board.cosines[base + chunk] ?? 0,
    trigger: match?.first,
  };
}

function calibrated(query: Query, cosine: number): number {
  const share = Number.isFinite(cosine) ? query.calibrate(cosine) : 0;
  // Damaged scales can give any number, and a calibration may not know all of them.
  return share > 0 ? Math.min(1, share) : 0;
}
