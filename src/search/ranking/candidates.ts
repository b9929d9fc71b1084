/**
 * Finds the notes that answer a query best. The core computes all signals for all chunks, and an upper
 * bound of each chunk's worth. The first pass scores notes in the order of those bounds until no other
 * can be better: it is exact, though it scores few notes. The second pass is rerank.ts.
 */
import { scratch } from "../segment/arena.ts";
import { type Board, layBoard, mask, MASKED } from "./board.ts";
import { calibrated, signalWorths } from "./bounds.ts";
import type { NoteFilter } from "../document.ts";
import {
  certaintyMax,
  type FindOptions,
  type Phrasing,
  type PhrasingBoard,
  RERANKED_MAX,
  type Scored,
  sumNeeded,
  TIES_MAX,
} from "./first_pass.ts";
import { type FoundNote, rerank } from "./rerank.ts";
import { firstPassSum, NO_EVIDENCE } from "./score.ts";
import { scoreNote, scoreUnderAll } from "./score_note.ts";
import type { Segment } from "../segment/segment.ts";
import { passes, readNote } from "../segment/segment_notes.ts";
import { shareOfReach } from "./term_shares.ts";
import { isEnglish } from "../query/words.ts";

/** Ordering this many chunks costs little more than ordering a few. */
const FIRST_BATCH = 128;
/** Bounds are f32 and sums f64: added to a bound for what rounding may have taken from it. */
const ROUNDING = 1e-5;

/** `phrasings`: one question as it was asked, then in other words. */
export function findNotes(
  segments: readonly Segment[],
  phrasings: readonly Phrasing[],
  options: FindOptions,
): FoundNote[] {
  loadBlocks(segments, phrasings);
  const total = segments.reduce((sum, { header }) => sum + header.chunks, 0);
  if (total === 0 || options.limit <= 0) return [];
  return scratch((core) => {
    const laid = phrasings.map((one) => ({ one, board: layBoard(core, segments, one.query) }));
    const boards = laid.map(({ one, board }): PhrasingBoard => {
      const phrasing = { ...one, board: board() };
      mask(phrasing.board, options.filter);
      const isBlind = options.unasked === true && cannotTellApart(phrasing);
      return isBlind ? withoutMeaning(phrasing) : phrasing;
    });
    const found = boards.map((board) => firstPass(board, options));
    const [only = []] = found;
    const scored = found.length === 1 ? only : mergePhrasings(boards, found, options);
    return rerank(boards, scored, options);
  });
}

/** Reserves the segments' lasting blocks, which must be there before scratch memory begins (arena.ts). */
function loadBlocks(segments: readonly Segment[], phrasings: readonly Phrasing[]): void {
  const hasTerms = phrasings.some(({ query }) => query.terms.length > 0);
  const hasVector = phrasings.some(({ query }) => query.vector !== undefined);
  for (const segment of segments) {
    if (hasTerms) {
      segment.lengthsAt();
      segment.loadTerms();
      segment.loadLists();
    }
    if (hasVector) segment.loadVectors();
    segment.sizesAt();
  }
}

/**
 * Whether the model takes a good part of all passages for the query itself. Then it cannot read them, as
 * the built-in one cannot read German, and its cosines say nothing. An English query is never judged so:
 * the model reads it, and a store about a single thing looks the same.
 */
function cannotTellApart({ board: { cosines }, query }: PhrasingBoard): boolean {
  if (query.vector === undefined || isEnglish(query.text)) return false;
  let [seen, alike] = [0, 0];
  for (let i = 0; i < cosines.length; i++) {
    const cosine = cosines[i] ?? MASKED;
    if (cosine === MASKED || cosine === 0) continue;
    seen++;
    if (calibrated(query, cosine) >= ALIKE) alike++;
  }
  const share = seen < PASSAGES_FEW ? ALIKE_SHARE_OF_FEW : ALIKE_SHARE;
  return seen >= PASSAGES_MIN && alike > seen * share;
}

/** Calibrated similarity from which a passage says the same as the query. */
const ALIKE = 0.9;
/** The share of such passages: at most 8 % for prompts that the model can read, 26 to 89 % for German ones. */
const ALIKE_SHARE = 0.2;
/** A store with fewer passages may well be all about what the prompt is about. */
const PASSAGES_FEW = 12;
const ALIKE_SHARE_OF_FEW = 0.5;
/** With fewer passages there is no judging. */
const PASSAGES_MIN = 4;

/** As if no passage had a vector. */
function withoutMeaning(phrasing: PhrasingBoard): PhrasingBoard {
  const { cosines } = phrasing.board;
  cosines.forEach((cosine, chunk) => {
    if (cosine !== MASKED) cosines[chunk] = 0;
  });
  return { ...phrasing, query: { ...phrasing.query, vector: undefined } };
}

/** Scores notes in the order of their chunks' bounds until no other can be better. Returns them best first. */
function firstPass(phrasing: PhrasingBoard, options: FindOptions): Scored[] {
  const { board, triggered } = phrasing;
  const seen = board.segments.map((segment) => new Uint8Array(segment.header.notes));
  const scored: Scored[] = [];
  const sumFirst = firstPassSum(options.weights);
  const score = (s: number, note: number): void => {
    if (seen[s]?.[note] !== 0) return;
    seen[s][note] = 1;
    const one = scoreNote(phrasing, s, note, options, sumFirst);
    if (one !== undefined && hasTags(one, options.filter)) insert(scored, one);
  };
  triggered.forEach((notes, s) => {
    for (const note of notes.keys()) score(s, note);
  });
  const countMax = notesWanted(options);
  const worths = signalWorths(phrasing, sumFirst);
  const { keywordMost, best } = board.order(worths);
  const mostKeywords = { ...NO_EVIDENCE, kw: shareOfReach(board, keywordMost), mass: board.mass };
  const sumMin = Math.max(
    options.sumMin ?? 0,
    sumNeeded(options) - certaintyMax(mostKeywords, options, board.chunks),
  );
  for (let [i, k] = [0, Math.max(FIRST_BATCH, 2 * countMax)];; k *= 2) {
    const { chunks, bounds } = best(k);
    for (; i < chunks.length; i++) {
      const possible = (bounds[i] ?? 0) + ROUNDING;
      const last = scored[countMax]?.sum ?? -Infinity;
      const isTie = i > TIES_MAX && last >= possible - worths.step;
      // While some note can be an answer, those that cannot are scored as well: they are its rivals.
      const isHopeless = possible < sumMin && (scored[0]?.sum ?? -Infinity) < sumMin;
      if (isHopeless || last > possible || isTie) return scored;
      const chunk = chunks[i] ?? 0;
      const s = segmentAt(board, chunk);
      const note = board.segments[s]?.noteOf(chunk - (board.bases[s] ?? 0));
      if (note !== undefined) score(s, note);
    }
    if (chunks.length < k) return scored;
  }
}

/** How many notes may be shown, reranked or left out by id. The next one is wanted too, as their rival. */
function notesWanted({ limit, except }: FindOptions): number {
  return Math.max(RERANKED_MAX, limit) + (except?.size ?? 0);
}

/** Keeps the best first. */
function insert(scored: Scored[], one: Scored): void {
  let at = scored.length;
  while (at > 0 && (scored[at - 1]?.sum ?? 0) < one.sum) at--;
  scored.splice(at, 0, one);
}

/**
 * The notes that any phrasing found, scored under all of them, best first. Phrasings are readings of one
 * question and not independent evidence: their sums are averaged, not added.
 */
function mergePhrasings(
  boards: readonly PhrasingBoard[],
  found: readonly (readonly Scored[])[],
  options: FindOptions,
): Scored[] {
  const sumFirst = firstPassSum(options.weights);
  const countMax = notesWanted(options);
  const segments = boards[0]?.board.segments ?? [];
  const seen = segments.map(() => new Set<number>());
  const scored: Scored[] = [];
  for (const { segment, note } of found.flatMap((one) => one.slice(0, countMax))) {
    const s = segments.indexOf(segment);
    if (seen[s]?.has(note) !== false) continue;
    seen[s].add(note);
    const one = scoreUnderAll(boards, s, note, options, sumFirst);
    if (one !== undefined) scored.push(one);
  }
  return scored.sort((a, b) => b.sum - a.sum);
}

/** Whether the note has the tags that are asked for: `mask` compares hash bits, which other tags share. */
function hasTags({ segment, note }: Scored, filter: NoteFilter): boolean {
  if (filter.tags === undefined) return true;
  const stored = readNote(segment, note);
  return stored !== undefined && passes(stored, filter);
}

function segmentAt(board: Board, chunk: number): number {
  let s = 0;
  while (s + 1 < board.bases.length && (board.bases[s + 1] ?? 0) <= chunk) s++;
  return s;
}
