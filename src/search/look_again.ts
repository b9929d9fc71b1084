/** The second look: the best notes with their text in hand, held against each other. */
import { memoize } from "../base/memoize.ts";
import { passageCosine } from "./board.ts";
import { compete } from "./compete.ts";
import type { Candidate, ChunkHit, StandIn, StoredNote, TermShare } from "./document.ts";
import { scorePlaced } from "./first_look.ts";
import { closeLook, type Glass } from "./look.ts";
import { wordsOf } from "./query_words.ts";
import {
  certaintyOf,
  certaintySum,
  NO_EVIDENCE,
  partsOf,
  type SignalWeights,
  sumOf,
  WORTH,
} from "./score.ts";
import type { Segment } from "./segment.ts";
import { passes, readChunk, readNote } from "./segment_notes.ts";
import { sharesOf, standInsOf } from "./shares.ts";
import { throughTime } from "./through_time.ts";
import type { PlacedNote } from "./triggers.ts";
import { wordingOf } from "./verbatim.ts";
import {
  certaintyMax,
  type FindOptions,
  leastOf,
  LOOKS,
  type Scored,
  TIES_MAX,
  type View,
  whatAllSay,
} from "./view.ts";
import { tellingWords } from "./words.ts";

/** A first look flatters: what is so far behind a note that was looked at again stays behind it. */
const OUT_OF_REACH = 1.7;
const BEHIND = 1e-9;
/** So many rare words of a question must a version say, or its successor is as near by itself. */
const SAID_MIN = 0.5;
/** Likeness of two passages from which they are about one thing. */
const PAIR_MIN = 0.76;

/** A candidate by where it lies; the rest of it follows from that and the evidence. */
export interface FoundNote
  extends Omit<Candidate, "note" | "chunk" | "emb" | "kw" | "carriedBy" | "terms"> {
  readonly segment: Segment;
  readonly note: number;
  readonly stored: StoredNote;
  /** The number of the chunk that carries it, in its segment. */
  readonly chunk: number;
  readonly hit: ChunkHit;
}

type Read = Scored & {
  readonly stored: StoredNote;
  /** The telling words of its title. */
  readonly names: ReadonlySet<string>;
};

const NOBODY: ReadonlySet<string> = new Set();

/** Reads the best notes, looks at their passages, and lets them compete; ties go by path. */
export function lookAgain(
  views: readonly View[],
  scored: readonly Scored[],
  options: FindOptions,
): FoundNote[] {
  const { limit, atLeast = 0, sumMin = -Infinity, knownFirst, weights } = options;
  const { read: best, unread } = readBest(scored, options, views[0]?.board.chunks ?? 0);
  const read = withSuccessors(views, best, options);
  const lenses = views.map((view): Lens => {
    const { query, board } = view;
    return { ...view, wording: wordingOf(query.text, wordsOf(query), board, knownFirst !== true) };
  });
  let [lowest, highest, leastCovered] = [Infinity, -Infinity, 0];
  const looked = read.slice(0, wantedOf(options)).map((one, i) => {
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
    .sort((a, b) => b.combined - a.combined)
    .slice(0, limit);
}

/** So many are read at least: more are asked for than are looked at closely. */
function wantedOf({ limit }: FindOptions): number {
  return Math.max(LOOKS, limit);
}

/** The best, read and in order; and the best that is not, because little was asked for: a rival all the same. */
function readBest(
  scored: readonly Scored[],
  options: FindOptions,
  chunks: number,
): { readonly read: readonly Read[]; readonly unread: number } {
  const { filter, sumMin = -Infinity, except = NOBODY } = options;
  const needed = leastOf(options);
  const countMax = wantedOf(options);
  const read: Read[] = [];
  let [last, unread, count] = [sumMin, -Infinity, 0];
  for (const one of scored) {
    if (one.sum < last || read.length >= countMax + TIES_MAX) {
      unread = Math.max(unread, one.sum);
      break;
    }
    const isHopeless = needed > -Infinity && one.sum + certainMost(one, options, chunks) < needed;
    // What is left out is no rival either.
    const stored = isHopeless && except.size === 0 ? undefined : readNote(one.segment, one.note);
    if (stored !== undefined && (except.has(stored.id) || !passes(stored, filter))) continue;
    if (isHopeless) unread = Math.max(unread, one.sum);
    else if (stored !== undefined) read.push({ ...one, stored, names: namesOf(stored) });
    if (++count === countMax) last = Math.max(sumMin, one.sum);
  }
  read.sort((a, b) => b.sum - a.sum || (a.stored.path < b.stored.path ? -1 : 1));
  return { read, unread };
}

/** Behind each of the best the notes that replaced it: what an old version says of a question speaks for them. */
function withSuccessors(
  views: readonly View[],
  best: readonly Read[],
  { successorOf, ...options }: FindOptions,
): readonly Read[] {
  const { except = NOBODY, filter } = options;
  const all = [...best];
  const isIn = ({ segment, note }: PlacedNote): boolean =>
    all.some((one) => one.segment === segment && one.note === note);
  for (const { stored, evidence, ...version } of best.slice(0, LOOKS)) {
    if (evidence.kw * evidence.mass < SAID_MIN) continue;
    let { sum } = version;
    let next = successorOf?.(stored.id);
    for (; next !== undefined && !isIn(next); next = successorOf?.(next.stored.id)) {
      const one = except.has(next.stored.id) || !passes(next.stored, filter)
        ? undefined
        : scorePlaced(views, next, options);
      if (one === undefined) break;
      sum = Math.max(one.sum, sum + WORTH.handedOn);
      all.push({ ...one, sum, stored: next.stored, names: namesOf(next.stored) });
    }
  }
  return all.sort((a, b) => b.sum - a.sum);
}

/** The most that certainty adds to what any phrasing found. */
function certainMost(one: Scored, options: FindOptions, chunks: number): number {
  return Math.max(
    ...(one.each ?? [one]).map((first) =>
      certaintyMax(first?.evidence ?? NO_EVIDENCE, options, chunks)
    ),
  );
}

/** A phrasing with what a close look compares. */
type Lens = View & Glass;

/** A note through one phrasing. */
interface Sight extends Scored {
  readonly shares: readonly TermShare[];
  readonly standIns: readonly StandIn[];
  readonly hit: ChunkHit;
  readonly covered: number;
}

function lookThrough({ board }: Lens, first: Scored | undefined): Sight | undefined {
  if (first === undefined) return undefined;
  const { segment, chunk } = first;
  const s = board.segments.indexOf(segment);
  const [shares, standIns] = [sharesOf(board, s, chunk), standInsOf(board, s, chunk)];
  return { ...first, shares, standIns, hit: readChunk(segment, chunk), covered: 0 };
}

function lookClosely(
  lens: Lens,
  first: Scored | undefined,
  names: ReadonlySet<string>,
  weights: SignalWeights,
): Sight | undefined {
  const seen = lookThrough(lens, first);
  if (seen === undefined) return undefined;
  const kept = { all: seen.segment.passages, chunk: seen.chunk };
  const evidence = closeLook(lens, names, seen, kept);
  const sum = sumOf(partsOf(evidence, weights));
  return { ...seen, evidence, sum, covered: certaintySum(certaintyOf(evidence, weights)) };
}

/** By note: a title is read once for all questions that meet it. */
const namesOf = memoize(({ title }: StoredNote): ReadonlySet<string> => tellingWords(title));

/**
 * Whether two notes are about one thing: their passages say nearly the same, or nearly the opposite,
 * and their titles name it. In a language that the model cannot read, all passages seem alike.
 */
function isPair({ board, query }: View, a: Read, b: Read): boolean {
  // Without a vector of the query what the passages' are scaled by is not in memory, and may not be loaded here.
  if (query.vector === undefined || a.names.isDisjointFrom(b.names)) return false;
  const cosine = passageCosine(board, a, b);
  return cosine > 0 && query.likeness(cosine) >= PAIR_MIN;
}

/** A session's note tells again what was saved of it, which for one that was killed may be days later. */
function isOfOneSession(session: StoredNote, saved: StoredNote): boolean {
  if (session.kind !== "session" || saved.kind !== "checkpoint") return false;
  // A checkpoint that a person saved names no session.
  return session.session !== undefined && session.session === saved.session ||
    session.created <= saved.created && saved.created <= session.updated;
}
