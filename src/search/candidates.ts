/**
 * The notes of some segments that answer a query best. Both signals are computed for all chunks in
 * the core; the two best lists are then walked until no note outside them can be better than those
 * found (the threshold algorithm), so the first look is exact and few chunks are looked at closely.
 * The best of it are looked at a second time with their text in hand, and held against each other.
 */
import { assert } from "../base/errors.ts";
import { isAscii } from "../base/pattern.ts";
import { scratch } from "./arena.ts";
import { type Board, layBoard, mask, MASKED, passageCosine } from "./board.ts";
import { compete } from "./compete.ts";
import type { ChunkHit, NoteFilter, StoredNote, TermShare } from "./document.ts";
import { closeLook, type Glass } from "./look.ts";
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
  /** Of several phrasings the one that says most, whose evidence this is; the sums are means. */
  readonly phrasing: number;
  /** The evidence of each of several; undefined where it finds nothing. */
  readonly phrasings: readonly (Evidence | undefined)[] | undefined;
}

/** A question, or the same question in other words. */
export interface Phrasing {
  readonly query: Query;
  /** Per segment: notes whose trigger the query contains. */
  readonly triggered: readonly ReadonlyMap<number, TriggerMatch>[];
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

/** A phrasing, and what every passage is worth to it. */
interface View extends Phrasing {
  readonly board: Board;
}

/**
 * Whether the model takes a good part of all passages for the query itself: then it cannot read them, as
 * the built-in one cannot read German, and what it says of any of them is nothing.
 */
function seesNoDifference({ board: { cosines, total }, query }: View): boolean {
  if (query.vector === undefined || total < PASSAGES_MIN) return false;
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
  /** Of several phrasings, what each finds; `sum` is their mean then. */
  readonly each?: readonly (Scored | undefined)[];
}

type Read = Scored & {
  readonly stored: StoredNote;
  /** The telling words of its title. */
  readonly names: ReadonlySet<string>;
};

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
      possible + certaintyMax(bound, options, total) < needed ||
      (depth > TIES_MAX && last >= possible - 2 * ROUNDING);
    if (enough || depth >= total) return scored;
    [from, depth] = [depth, Math.min(total, depth * 2)];
  }
}

/** What evidence and coverage must reach, however far a note stands in front. */
function leastOf({ atLeast = 0 }: FindOptions): number {
  return neededFor(atLeast) - COMPETITION_MAX;
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

interface Said {
  readonly evidence: Evidence;
  readonly sum: number;
  readonly covered?: number;
}

/**
 * What a note is worth to all phrasings, told by the one that says most. Where one finds nothing there
 * is no evidence. At least one finds something.
 */
function whatAllSay<T extends Said>(each: readonly (T | undefined)[]) {
  let best: T | undefined;
  let [phrasing, sum, covered] = [0, 0, 0];
  each.forEach((one, v) => {
    if (one === undefined) return;
    if (best === undefined || one.sum > best.sum) [best, phrasing] = [one, v];
    sum += one.sum / each.length;
    covered += (one.covered ?? 0) / each.length;
  });
  assert(best !== undefined, "a note is found by a phrasing");
  const phrasings = each.length > 1 ? each.map((one) => one?.evidence) : undefined;
  return { ...best, sum, covered, phrasing, phrasings };
}

/** What facts alone cannot answer: whether it really is that tag and that project. */
function isWanted({ segment, note }: Scored, filter: NoteFilter): boolean {
  if (filter.project === undefined && filter.tag === undefined) return true;
  const stored = readNote(segment, note);
  return stored !== undefined && passes(stored, filter);
}

/** Reads the best notes, looks at their passages, and lets them compete; ties go by path. */
function lookAgain(
  views: readonly View[],
  scored: readonly Scored[],
  options: FindOptions,
): FoundNote[] {
  const { limit, atLeast = 0, sumMin = -Infinity, except, knownFirst, weights } = options;
  const total = views[0]?.board.total ?? 0;
  const needed = leastOf(options);
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
    const certain = (one.each ?? [one]).map((first) =>
      certaintyMax(first?.evidence ?? NO_EVIDENCE, options, total)
    );
    if (one.sum + Math.max(...certain) < needed) {
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
  const lenses = views.map((view): Lens => {
    const { query, board } = view;
    return { ...view, wording: wordingOf(query.text, wordsOf(query), board, knownFirst !== true) };
  });
  let [lowest, highest, leastCovered] = [Infinity, -Infinity, 0];
  const looked = read.slice(0, countMax).map((one, i) => {
    const each = one.each ?? [one];
    if (i >= LOOKS || one.sum < highest - OUT_OF_REACH) {
      // The first look flatters; what was not looked at again stays behind what was, in its order.
      const sum = Math.min(one.sum, lowest - i * BEHIND);
      const seen = whatAllSay(lenses.map((lens, v) => lookThrough(lens, each[v])));
      return { ...one, ...seen, sum, covered: leastCovered };
    }
    const close = whatAllSay(
      lenses.map((lens, v) => lookClosely(lens, each[v], one.names, weights)),
    );
    lowest = Math.min(lowest, close.sum);
    highest = Math.max(highest, close.sum);
    leastCovered = Math.min(leastCovered, close.covered);
    return { ...one, ...close };
  });
  const placed = throughTime(looked).sort((a, b) => b.sum - a.sum);
  const rival = read.length < LOOKS ? unread : undefined;
  const isTwice = (a: Read, b: Read): boolean =>
    knownFirst === true &&
    (isOfOneSession(a.stored, b.stored) || isOfOneSession(b.stored, a.stored));
  const isOne = (a: Read, b: Read): boolean =>
    isTwice(a, b) || views.some((view) => isPair(view, a, b));
  return compete(placed, isOne, rival, knownFirst)
    .filter((one) => one.combined >= atLeast && one.sum >= sumMin)
    .sort((a, b) => b.combined - a.combined || byPath(a, b))
    .slice(0, limit);
}

/** A phrasing with what a close look compares. */
type Lens = View & Glass;

/** A note through one phrasing. */
interface Sight extends Scored {
  readonly shares: readonly TermShare[];
  readonly hit: ChunkHit;
  readonly covered: number;
}

function lookThrough({ board }: Lens, first: Scored | undefined): Sight | undefined {
  if (first === undefined) return undefined;
  const { segment, chunk } = first;
  const shares = sharesOf(board, board.segments.indexOf(segment), chunk);
  return { ...first, shares, hit: readChunk(segment, chunk), covered: 0 };
}

function lookClosely(
  lens: Lens,
  first: Scored | undefined,
  names: ReadonlySet<string>,
  weights: SignalWeights,
): Sight | undefined {
  const seen = lookThrough(lens, first);
  if (seen === undefined) return undefined;
  const { segment, chunk, hit, shares, trigger } = seen;
  const kept = { all: segment.passages, chunk };
  const evidence = closeLook(lens, names, hit, kept, shares, seen.evidence, trigger);
  const sum = sumOf(partsOf(evidence, weights));
  return { ...seen, evidence, sum, covered: certaintySum(certaintyOf(evidence, weights)) };
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
function isPair({ board, query }: View, a: Read, b: Read): boolean {
  // Without a vector of the query the passages' vectors are not in memory, and may not be loaded here.
  if (query.vector === undefined || a.names.isDisjointFrom(b.names)) return false;
  const cosine = passageCosine(board, a, b);
  return cosine > 0 && query.likeness(cosine) >= PAIR_MIN;
}

/** A session's note tells again what was saved while it lasted: the same thing, said by the same people. */
function isOfOneSession(session: StoredNote, saved: StoredNote): boolean {
  return session.kind === "session" && saved.kind === "checkpoint" &&
    session.created <= saved.created && saved.created <= session.updated;
}

/** The most that a closer look can make of it: every name of a question may be there. */
function certaintyMax(evidence: Evidence, options: FindOptions, total: number): number {
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
