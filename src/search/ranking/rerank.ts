/**
 * The second pass of a search: reads the best notes of the first pass, scores their passages with the
 * text in hand, and lets the notes compete.
 */
import { memoize } from "../../base/memoize.ts";
import { passageCosine } from "./board.ts";
import { compete } from "./compete.ts";
import type {
  Candidate,
  ChunkHit,
  IndexedNote,
  StoredNote,
  SynonymShare,
  TermShare,
} from "../document.ts";
import {
  certaintyMax,
  combinePhrasings,
  type FindOptions,
  type PhrasingBoard,
  RERANKED_MAX,
  type Scored,
  sumNeeded,
  TIES_MAX,
} from "./first_pass.ts";
import { passageEvidence, type PassageQuery } from "./passage_evidence.ts";
import { queryWords } from "../query/query_words.ts";
import {
  certaintyOf,
  certaintySum,
  NO_EVIDENCE,
  partsOf,
  type SignalWeights,
  sumOf,
  WORTH,
} from "./score.ts";
import { scoreAnyway } from "./score_note.ts";
import type { Segment } from "../segment/segment.ts";
import { passes, readChunk, readNote } from "../segment/segment_notes.ts";
import { synonymShares, termShares } from "./term_shares.ts";
import { asksOfThen, isSnapshot, withTimeEvidence } from "./time_evidence.ts";
import type { PlacedNote } from "../query/triggers.ts";
import { wordingOf } from "./verbatim.ts";
import { tellingWords } from "../query/words.ts";

/** Log-odds. The first pass overrates: a note this far behind a reranked one stays behind it, unread. */
const OUT_OF_REACH = 1.7;
/** Keeps notes that were not reranked apart, in the order of the first pass. */
const STEP_BEHIND = 1e-9;
/**
 * How much of the question a note must say (`kw` × `mass`) for its successors to be scored too. The
 * successor of a note that was found by meaning alone is as near in meaning itself.
 */
const VERSION_MASS_MIN = 0.5;
/** From this likeness of their passages on, two notes with a common word in their titles are a pair. */
const PAIR_LIKENESS_MIN = 0.76;
/** Less is enough for a later snapshot to outdate an earlier one: both have the question's words. */
const OUTDATING_LIKENESS_MIN = 0.5;

/** A `Candidate` with its place in the index; search_index.ts derives the fields that are left out. */
export interface FoundNote
  extends Omit<Candidate, "note" | "chunk" | "emb" | "kw" | "carriedBy" | "terms"> {
  readonly segment: Segment;
  readonly note: number;
  readonly stored: IndexedNote;
  /** The number of its best chunk in the segment. */
  readonly chunk: number;
  readonly hit: ChunkHit;
}

type ReadNote = Scored & {
  readonly stored: IndexedNote;
  readonly titleWords: ReadonlySet<string>;
};

/** A phrasing with everything that a passage is compared with. */
type PhrasingContext = PhrasingBoard & PassageQuery;

/** A note's best passage under one phrasing. */
interface ReadPassage extends Scored {
  readonly shares: readonly TermShare[];
  readonly synonyms: readonly SynonymShare[];
  readonly hit: ChunkHit;
  readonly certainty: number;
}

const NO_IDS: ReadonlySet<string> = new Set();

/** `scored`: of the first pass, best first. Returns the best `limit` notes; ties go by path. */
export function rerank(
  boards: readonly PhrasingBoard[],
  scored: readonly Scored[],
  options: FindOptions,
): FoundNote[] {
  const { limit, atLeast = 0, sumMin = -Infinity, unasked = false } = options;
  const { read, unread } = readBest(scored, options, boards[0]?.board.chunks ?? 0);
  const candidates = withSuccessors(boards, read.slice(0, readMin(options)), options);
  const isAlike = (a: ReadNote, b: ReadNote): boolean =>
    likeness(boards, a, b) >= OUTDATING_LIKENESS_MIN;
  // A search among checkpoints and sessions only is about a moment, not about what holds now.
  const isOfThen = options.filter.kinds?.every(isSnapshot) === true ||
    boards.some(({ query }) => asksOfThen(query.phrase));
  const passages = scorePassages(boards, candidates, options);
  const reranked = withTimeEvidence(passages, isOfThen ? undefined : isAlike)
    .sort((a, b) => b.sum - a.sum);
  const isPair = (a: ReadNote, b: ReadNote): boolean =>
    isOfOneSession(a.stored, b.stored) || isOfOneSession(b.stored, a.stored) ||
    isAboutOneThing(boards, a, b);
  return compete(reranked, isPair, read.length < RERANKED_MAX ? unread : undefined, unasked)
    .filter((one) => one.combined >= atLeast && one.sum >= sumMin)
    .sort((a, b) => b.combined - a.combined)
    .slice(0, limit);
}

/** Scores the best notes by their passages; the others follow in the order of the first pass. */
function scorePassages(
  boards: readonly PhrasingBoard[],
  candidates: readonly ReadNote[],
  options: FindOptions,
) {
  const { unasked = false, weights } = options;
  const contexts = boards.map((one): PhrasingContext => {
    const { query, board } = one;
    return {
      ...one,
      wording: wordingOf(query.text, queryWords(query), board, !unasked, query.language),
    };
  });
  let [lowest, highest, leastCertainty] = [Infinity, -Infinity, 0];
  return candidates.map((one, i) => {
    const each = one.each ?? [one];
    if (i >= RERANKED_MAX || one.sum < highest - OUT_OF_REACH) {
      const sum = Math.min(one.sum, lowest - i * STEP_BEHIND);
      const passage = combinePhrasings(contexts.map((context, p) => readPassage(context, each[p])));
      return { ...one, ...passage, sum, certainty: leastCertainty };
    }
    const passage = combinePhrasings(
      contexts.map((context, p) => scorePassage(context, each[p], one.titleWords, weights)),
    );
    lowest = Math.min(lowest, passage.sum);
    highest = Math.max(highest, passage.sum);
    leastCertainty = Math.min(leastCertainty, passage.certainty);
    return { ...one, ...passage };
  });
}

/** How many notes are read at least: all that are reranked, and all that were asked for. */
function readMin({ limit }: FindOptions): number {
  return Math.max(RERANKED_MAX, limit);
}

/** Reads the best notes, in order. `unread`: the sum of the best one that was not read, which still competes. */
function readBest(
  scored: readonly Scored[],
  options: FindOptions,
  chunks: number,
): { readonly read: readonly ReadNote[]; readonly unread: number } {
  const { filter, sumMin = -Infinity, except = NO_IDS } = options;
  const needed = sumNeeded(options);
  const countMin = readMin(options);
  const read: ReadNote[] = [];
  let [last, unread, count] = [sumMin, -Infinity, 0];
  for (const one of scored) {
    if (one.sum < last || read.length >= countMin + TIES_MAX) {
      unread = Math.max(unread, one.sum);
      break;
    }
    const isHopeless = needed > -Infinity && one.sum + mostCertainty(one, options, chunks) < needed;
    // A hopeless note is read only to learn whether it is left out, for then it is no rival either.
    const stored = isHopeless && except.size === 0 ? undefined : readNote(one.segment, one.note);
    if (stored !== undefined && (except.has(stored.id) || !passes(stored, filter))) continue;
    if (isHopeless) unread = Math.max(unread, one.sum);
    else if (stored !== undefined) read.push(withNote(one, stored, options));
    if (++count === countMin) last = Math.max(sumMin, one.sum);
  }
  read.sort((a, b) => b.sum - a.sum || (a.stored.path < b.stored.path ? -1 : 1));
  return { read, unread };
}

function withNote(scored: Scored, stored: StoredNote, { indexed }: FindOptions): ReadNote {
  return { ...scored, stored: indexed(stored), titleWords: titleWordsOf(stored) };
}

/** Puts the successors of each note behind it, whether or not they match the query themselves. */
function withSuccessors(
  boards: readonly PhrasingBoard[],
  best: readonly ReadNote[],
  options: FindOptions,
): readonly ReadNote[] {
  const known = [...best];
  return best.flatMap((version, i) => {
    if (i >= RERANKED_MAX) return [version];
    const successors = successorsOf(boards, version, known, options);
    known.push(...successors);
    return [version, ...successors];
  });
}

/** The notes that replaced one, the next one first. They inherit its evidence (time_evidence.ts). */
function successorsOf(
  boards: readonly PhrasingBoard[],
  { stored, evidence, sum }: ReadNote,
  known: readonly ReadNote[],
  options: FindOptions,
): ReadNote[] {
  const { except = NO_IDS, filter, successorOf } = options;
  const found: ReadNote[] = [];
  if (evidence.kw * evidence.mass < VERSION_MASS_MIN) return found;
  let next = successorOf?.(stored.id);
  while (next !== undefined && !isAmong(next, known)) {
    if (except.has(next.stored.id) || !passes(next.stored, filter)) break;
    const scored = scoreAnyway(boards, next, options);
    if (scored === undefined) break;
    sum = Math.max(scored.sum, sum + WORTH.handedOn);
    found.push(withNote({ ...scored, sum }, next.stored, options));
    next = successorOf?.(next.stored.id);
  }
  return found;
}

function isAmong({ segment, note }: PlacedNote, known: readonly ReadNote[]): boolean {
  return known.some((one) => one.segment === segment && one.note === note);
}

/** The most that certainty can add under any phrasing. */
function mostCertainty(one: Scored, options: FindOptions, chunks: number): number {
  const each = (one.each ?? [one]).map((first) => first?.evidence ?? NO_EVIDENCE);
  return Math.max(...each.map((evidence) => certaintyMax(evidence, options, chunks)));
}

function readPassage({ board }: PhrasingContext, first?: Scored): ReadPassage | undefined {
  if (first === undefined) return undefined;
  const { segment, chunk } = first;
  const s = board.segments.indexOf(segment);
  const [shares, synonyms] = [termShares(board, s, chunk), synonymShares(board, s, chunk)];
  return { ...first, shares, synonyms, hit: readChunk(segment, chunk), certainty: 0 };
}

function scorePassage(
  context: PhrasingContext,
  first: Scored | undefined,
  titleWords: ReadonlySet<string>,
  weights: SignalWeights,
): ReadPassage | undefined {
  const passage = readPassage(context, first);
  if (passage === undefined) return undefined;
  const cache = { all: passage.segment.passages, chunk: passage.chunk };
  const evidence = passageEvidence(context, titleWords, passage, cache);
  const sum = sumOf(partsOf(evidence, weights));
  return { ...passage, evidence, sum, certainty: certaintySum(certaintyOf(evidence, weights)) };
}

/** Memoized by note, because many searches read the same ones. */
const titleWordsOf = memoize(({ title }: StoredNote): ReadonlySet<string> => tellingWords(title));

/**
 * Whether two notes are about one thing: their titles share a word, and their passages say nearly the
 * same, or nearly the opposite. Titles count too, because to the model all passages in a language that it
 * cannot read seem alike.
 */
function isAboutOneThing(boards: readonly PhrasingBoard[], a: ReadNote, b: ReadNote): boolean {
  return !a.titleWords.isDisjointFrom(b.titleWords) &&
    likeness(boards, a, b) >= PAIR_LIKENESS_MIN;
}

/** How alike two passages are to the model, 0..1; 0 if no phrasing has a vector. The same under all that have. */
function likeness(boards: readonly PhrasingBoard[], a: ReadNote, b: ReadNote): number {
  // Passage vectors are loaded only for a query that has one, and cannot be loaded here (arena.ts).
  const phrasing = boards.find(({ query }) => query.vector !== undefined);
  if (phrasing === undefined) return 0;
  const cosine = passageCosine(phrasing.board, a, b);
  return cosine > 0 ? phrasing.query.likeness(cosine) : 0;
}

/**
 * Whether two notes are of one session, and so repeat each other: the session's note repeats its
 * checkpoints, and each checkpoint those before it. The note of a killed session may be written days later.
 */
function isOfOneSession(session: StoredNote, saved: StoredNote): boolean {
  if (session.session !== undefined && session.session === saved.session) return true;
  // A checkpoint that a person saved names no session.
  return session.kind === "session" && saved.kind === "checkpoint" &&
    session.created <= saved.created && saved.created <= session.updated;
}
