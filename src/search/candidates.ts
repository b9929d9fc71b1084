/**
 * The notes of some segments that answer a query best. All signals are computed for all chunks in
 * the core; their best lists are then walked until no note outside them can be better than those
 * found (the threshold algorithm), so the first look is exact and few chunks are looked at closely.
 */
import { isAscii } from "../base/pattern.ts";
import { scratch } from "./arena.ts";
import { type Board, layBoard, mask, MASKED } from "./board.ts";
import type { NoteFilter } from "./document.ts";
import { type FoundNote, lookAgain } from "./look_again.ts";
import type { Query } from "./query.ts";
import { chanceIn, type FirstSum, firstSum, NO_EVIDENCE, partsOf, sumOf } from "./score.ts";
import type { Segment } from "./segment.ts";
import { passes, readNote } from "./segment_notes.ts";
import { keywordOf, otherOf, reached } from "./shares.ts";
import { triggerShare } from "./triggers.ts";
import {
  certaintyMax,
  type FindOptions,
  leastOf,
  LOOKS,
  type Phrasing,
  type Scored,
  TIES_MAX,
  type View,
  whatAllSay,
} from "./view.ts";
import { isEnglish } from "./words.ts";

/** Less evidence than this is no reason to show a note. */
const SUM_MIN = 0.15;
const FIRST_LOOK = 32;
const FIRST_PEEK = 8;
/** Accumulated scores are f32, close looks f64: the bound gives the difference away. */
const ROUNDING = 1e-5;

/** `phrasings`: one question, as it was asked and in other words. */
export function findNotes(
  segments: readonly Segment[],
  phrasings: readonly Phrasing[],
  options: FindOptions,
): FoundNote[] {
  let total = 0;
  for (const segment of segments) {
    total += segment.header.chunks;
    // Blocks that stay are reserved before the scratch memory of this query begins.
    if (phrasings.some(({ query }) => query.terms.length > 0)) segment.lengthsAt();
    if (phrasings.some(({ query }) => query.vector !== undefined)) segment.vectorsAt();
    segment.facts();
  }
  if (total === 0 || options.limit <= 0) return [];
  return scratch((core) => {
    const laid = phrasings.map((one) => ({ one, board: layBoard(core, segments, one.query) }));
    const views = laid.map(({ one, board }): View => {
      const view = { ...one, board: board() };
      mask(view.board, options.filter);
      const isBlind = options.knownFirst === true && seesNoDifference(view);
      return isBlind ? { ...view, query: { ...view.query, vector: undefined } } : view;
    });
    const found = views.map((view) => walk(view, options));
    const [only = []] = found;
    return lookAgain(views, found.length === 1 ? only : together(views, found, options), options);
  });
}

/**
 * Whether the model takes a good part of all passages for the query itself: then it cannot read them, as
 * the built-in one cannot read German, and what it says of any of them is nothing. Among notes about one
 * thing that is so in English too, which it can.
 */
function seesNoDifference({ board: { cosines, total }, query }: View): boolean {
  if (query.vector === undefined || total < PASSAGES_MIN || isEnglish(query.text)) return false;
  let [open, alike] = [0, 0];
  for (let chunk = 0; chunk < total; chunk++) {
    const cosine = cosines[chunk] ?? 0;
    if (cosine === MASKED || cosine === 0) continue;
    open++;
    if (calibrated(query, cosine) >= ALIKE) alike++;
  }
  return alike > open * (open < PASSAGES_FEW ? ALIKE_SHARE_OF_FEW : ALIKE_SHARE);
}

/** Fewer are no measure; of a few, some may be about what the prompt is about. */
const PASSAGES_MIN = 4;
const PASSAGES_FEW = 12;
const ALIKE_SHARE_OF_FEW = 0.5;
/** From here on a passage says the same as the query. */
const ALIKE = 0.9;
/** Of prompts that the model can read at most 8 in 100 passages did, of German ones 26 to 89. */
const ALIKE_SHARE = 0.2;

/** Looks at the best chunks of both lists, then further down until nothing better can come. */
function walk(view: View, options: FindOptions): Scored[] {
  const { board, query, triggered } = view;
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
    if (sumToPass > -Infinity && couldReach(view, s, note, sumFirst) < sumToPass) {
      return;
    }
    const one = scoreNote(view, s, note, options, sumFirst);
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
  triggered.forEach((notes, s) => {
    for (const note of notes.keys()) look(s, note);
  });
  const limit = Math.max(LOOKS, options.limit);
  const sumMin = options.sumMin ?? 0;
  // What has less cannot reach what is asked for, however far it stands in front.
  const needed = leastOf(options);
  // Passages that the model cannot read are matched by words that it cannot read.
  const isReadable = query.vector !== undefined && query.terms.every(({ term }) => isAscii(term));
  // Where little is asked for, most queries end with what stands on top.
  const first = sumMin > 0 || needed > 0 ? FIRST_PEEK : Math.max(FIRST_LOOK, 2 * limit);
  for (let [from, depth] = [0, Math.min(total, first)];;) {
    const emb = board.best("cosines", depth);
    const kw = board.best("keywords", depth);
    const other = board.said.length === 0 ? undefined : board.best("others", depth);
    lookAt(emb.chunks, from, depth);
    lookAt(kw.chunks, from, depth);
    if (other !== undefined) lookAt(other.chunks, from, depth);
    scored.sort((a, b) => b.sum - a.sum);
    sumToPass = scored[rank]?.sum ?? -Infinity;
    const bound = {
      ...NO_EVIDENCE,
      emb: isReadable ? calibrated(query, emb.last) : undefined,
      kw: reached(board, kw.last),
      mass: board.mass,
      other: reached(board, other?.last ?? 0),
    };
    const possible = sumOf(partsOf(bound, options.weights)) + ROUNDING;
    const last = scored[limit - 1]?.sum ?? -Infinity;
    const enough = last > possible || possible < sumMin ||
      possible + certaintyMax(bound, options, total) < needed ||
      (depth > TIES_MAX && last >= possible - 2 * ROUNDING);
    if (enough || depth >= total) return scored;
    [from, depth] = [depth, Math.min(total, depth * 2)];
  }
}

/**
 * The notes that any phrasing found, with what all of them say, best first. Phrasings are readings of
 * one question and no witnesses of each other: their evidence is not added up, its mean is taken.
 */
function together(
  views: readonly View[],
  found: readonly (readonly Scored[])[],
  options: FindOptions,
): Scored[] {
  const sumFirst = firstSum(options.weights);
  const countMax = Math.max(LOOKS, options.limit) + (options.except?.size ?? 0);
  const segments = views[0]?.board.segments ?? [];
  const seen = segments.map(() => new Set<number>());
  const scored: Scored[] = [];
  for (const { segment, note } of found.flatMap((one) => one.slice(0, countMax))) {
    const s = segments.indexOf(segment);
    if (seen[s]?.has(note) !== false) continue;
    seen[s].add(note);
    const each = views.map((view) => scoreNote(view, s, note, options, sumFirst));
    scored.push({ ...whatAllSay(each), each });
  }
  return scored.sort((a, b) => b.sum - a.sum);
}

/** What facts alone cannot answer: whether it really is that tag and that project. */
function isWanted({ segment, note }: Scored, filter: NoteFilter): boolean {
  if (filter.project === undefined && filter.tag === undefined) return true;
  const stored = readNote(segment, note);
  return stored !== undefined && passes(stored, filter);
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
  { board, query, triggered }: View,
  s: number,
  note: number,
  sumFirst: FirstSum,
): number {
  const segment = board.segments[s];
  if (segment === undefined || triggered[s]?.has(note) === true) return Infinity;
  const chunks = segment.chunkCount(note);
  const from = (board.bases[s] ?? 0) + segment.firstChunk(note);
  let cosine = -Infinity;
  let [raw, other] = [0, 0];
  for (let at = from; at < from + chunks; at++) {
    const own = board.cosines[at] ?? 0;
    // Of what the model does not see, meaning is not 0 but unknown.
    if (own === 0 && query.vector !== undefined) return Infinity;
    if (own > cosine) cosine = own;
    raw = Math.max(raw, board.keywords[at] ?? 0);
    other = Math.max(other, board.others[at] ?? 0);
  }
  const emb = query.vector === undefined ? undefined : calibrated(query, cosine);
  const { mass } = board;
  return sumFirst(emb, reached(board, raw), mass, reached(board, other), 0, chunks) + ROUNDING;
}

/** The best chunk of a note carries it. */
function scoreNote(
  { board, query, triggered }: View,
  s: number,
  note: number,
  options: FindOptions,
  sumFirst: FirstSum,
): Scored | undefined {
  const segment = board.segments[s];
  if (segment === undefined) return undefined;
  const first = segment.firstChunk(note);
  const chunks = segment.chunkCount(note);
  const base = board.bases[s] ?? 0;
  const match = triggered[s]?.get(note);
  const trigger = match === undefined ? 0 : triggerShare(match, board);
  let top:
    | { chunk: number; emb: number | undefined; kw: number; other: number; sum: number }
    | undefined;
  for (let chunk = first; chunk < first + chunks; chunk++) {
    const cosine = board.cosines[base + chunk] ?? 0;
    if (cosine === MASKED) return undefined;
    // Exactly 0: the model saw nothing in the passage.
    const emb = query.vector === undefined || cosine === 0 ? undefined : calibrated(query, cosine);
    const raw = board.keywords[base + chunk] ?? 0;
    const said = board.others[base + chunk] ?? 0;
    // Most pieces of a note are behind another of it in all signals: no need to look closely.
    if (
      top !== undefined && (emb ?? 0) <= (top.emb ?? 0) && reached(board, raw) <= top.kw &&
      reached(board, said) <= top.other
    ) continue;
    const kw = raw > 0 ? keywordOf(board, s, chunk) : 0;
    const other = said > 0 ? otherOf(board, s, chunk) : 0;
    if ((emb ?? 0) <= 0 && kw === 0 && other === 0 && match === undefined) continue;
    const sum = sumFirst(emb, kw, board.mass, other, trigger, chunks);
    if (sum > (top?.sum ?? SUM_MIN)) top = { chunk, emb, kw, other, sum };
  }
  if (top === undefined) return undefined;
  const { chunk, emb, kw, other, sum } = top;
  const chance = options.knownFirst === true ? chanceIn(board.total) : 0;
  return {
    segment,
    note,
    chunk,
    evidence: { ...NO_EVIDENCE, emb, kw, mass: board.mass, other, trigger, chunks, chance },
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
