/**
 * The notes of some segments that answer a query best. All signals are computed for all chunks in
 * the core, and so is the most that each can be worth; they are walked in that order until no note
 * can be better than those found, so the first look is exact and few chunks are looked at.
 */
import { scratch } from "./arena.ts";
import { type Board, layBoard, mask, MASKED } from "./board.ts";
import { calibrated, signalWorths } from "./bounds.ts";
import { scoreNote } from "./first_look.ts";
import type { NoteFilter } from "./document.ts";
import { type FoundNote, lookAgain } from "./look_again.ts";
import { firstSum, NO_EVIDENCE } from "./score.ts";
import type { Segment } from "./segment.ts";
import { passes, readNote } from "./segment_notes.ts";
import { reached } from "./shares.ts";
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

/** So many chunks are put in order for little more than a few. */
const FIRST_LOOK = 128;
/** Bounds are f32, sums f64: the bound gives the difference away. */
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
    if (phrasings.some(({ query }) => query.terms.length > 0)) {
      segment.lengthsAt();
      segment.loadTerms();
      segment.loadLists();
    }
    if (phrasings.some(({ query }) => query.vector !== undefined)) segment.loadVectors();
    segment.sizesAt();
  }
  if (total === 0 || options.limit <= 0) return [];
  return scratch((core) => {
    const laid = phrasings.map((one) => ({ one, board: layBoard(core, segments, one.query) }));
    const views = laid.map(({ one, board }): View => {
      const view = { ...one, board: board() };
      mask(view.board, options.filter);
      return options.knownFirst === true && seesNoDifference(view) ? withoutMeaning(view) : view;
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
function seesNoDifference({ board: { cosines }, query }: View): boolean {
  if (query.vector === undefined || isEnglish(query.text)) return false;
  let [open, alike] = [0, 0];
  for (const cosine of cosines) {
    if (cosine === MASKED || cosine === 0) continue;
    open++;
    if (calibrated(query, cosine) >= ALIKE) alike++;
  }
  const share = open < PASSAGES_FEW ? ALIKE_SHARE_OF_FEW : ALIKE_SHARE;
  return open >= PASSAGES_MIN && alike > open * share;
}

/** As if no passage had a vector: what is not known of any is not known of the order either. */
function withoutMeaning(view: View): View {
  const { cosines } = view.board;
  cosines.forEach((cosine, chunk) => {
    if (cosine !== MASKED) cosines[chunk] = 0;
  });
  return { ...view, query: { ...view.query, vector: undefined } };
}

/** Fewer are no measure; of a few, some may be about what the prompt is about. */
const PASSAGES_MIN = 4;
const PASSAGES_FEW = 12;
const ALIKE_SHARE_OF_FEW = 0.5;
/** From here on a passage says the same as the query. */
const ALIKE = 0.9;
/** Of prompts that the model can read at most 8 in 100 passages did, of German ones 26 to 89. */
const ALIKE_SHARE = 0.2;

/** Looks at the chunks that can be worth most, one after the other, until nothing better can come. */
function walk(view: View, options: FindOptions): Scored[] {
  const { board, triggered } = view;
  const seen = board.segments.map((segment) => new Uint8Array(segment.header.notes));
  const scored: Scored[] = [];
  const sumFirst = firstSum(options.weights);
  const look = (s: number, note: number): void => {
    if (seen[s]?.[note] !== 0) return;
    seen[s][note] = 1;
    const one = scoreNote(view, s, note, options, sumFirst);
    if (one !== undefined && isWanted(one, options.filter)) insert(scored, one);
  };
  triggered.forEach((notes, s) => {
    for (const note of notes.keys()) look(s, note);
  });
  const countMax = notesWanted(options);
  const worths = signalWorths(view, sumFirst);
  const { keywordMost, best } = board.order(worths);
  const covered = { ...NO_EVIDENCE, kw: reached(board, keywordMost), mass: board.mass };
  // What has less is no answer, however far it stands in front (`FindOptions.atLeast`).
  const least = Math.max(
    options.sumMin ?? 0,
    leastOf(options) - certaintyMax(covered, options, board.chunks),
  );
  for (let [i, k] = [0, Math.max(FIRST_LOOK, 2 * countMax)];; k *= 2) {
    const { chunks, bounds } = best(k);
    for (; i < chunks.length; i++) {
      const possible = (bounds[i] ?? 0) + ROUNDING;
      const last = scored[countMax]?.sum ?? -Infinity;
      const isTie = i > TIES_MAX && last >= possible - worths.step;
      // What cannot be an answer may still be a rival of one.
      const isHopeless = possible < least && (scored[0]?.sum ?? -Infinity) < least;
      if (isHopeless || last > possible || isTie) return scored;
      const chunk = chunks[i] ?? 0;
      const s = segmentAt(board, chunk);
      const note = board.segments[s]?.noteOf(chunk - (board.bases[s] ?? 0));
      if (note !== undefined) look(s, note);
    }
    if (chunks.length < k) return scored;
  }
}

/** With less than all of so many have, a note is neither an answer nor the best that is none. */
function notesWanted({ limit, except }: FindOptions): number {
  return Math.max(LOOKS, limit) + (except?.size ?? 0);
}

/** Keeps the best first. */
function insert(scored: Scored[], one: Scored): void {
  let at = scored.length;
  while (at > 0 && (scored[at - 1]?.sum ?? 0) < one.sum) at--;
  scored.splice(at, 0, one);
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
  const countMax = notesWanted(options);
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

/** Whether it really has the tags, whose bits many have; what else facts leave open is looked at later. */
function isWanted({ segment, note }: Scored, filter: NoteFilter): boolean {
  if (filter.tags === undefined) return true;
  const stored = readNote(segment, note);
  return stored !== undefined && passes(stored, filter);
}

function segmentAt(board: Board, chunk: number): number {
  let s = 0;
  while (s + 1 < board.bases.length && (board.bases[s + 1] ?? 0) <= chunk) s++;
  return s;
}
