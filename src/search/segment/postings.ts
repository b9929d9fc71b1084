/** Posting lists of terms over all segments: finding, counting, combining and scoring them (BM25). */
import { bytesAt, bytesOfSet, type Core, floatsAt, wordsAt } from "../../base/core.ts";
import { scratch } from "./arena.ts";
import { hashWords, type QueryTerm } from "../query/query.ts";
import type { PlacedForm, PostingList, Segment } from "./segment.ts";
import { endings } from "../query/word_forms.ts";
import type { Language } from "../query/words.ts";

/** The weight of another form of a word, relative to the word itself. */
export const FORM_WEIGHT = 0.6;

/** A term's posting lists, by segment. */
export interface TermPostings {
  readonly term: string;
  /** Document frequency: live chunks that have the term. */
  readonly df: number;
  readonly lists: readonly (PostingList | undefined)[];
}

/** Posting lists of some segments, with a mask of their live chunks. Made for each query, in scratch memory. */
export interface Lexicon {
  readonly core: Core;
  readonly segments: readonly Segment[];
  /** By segment: address of the bit set of its live chunks; undefined where all live. */
  readonly live: readonly (number | undefined)[];
  /** Address of scratch space for such a set of any segment. */
  readonly setAt: number;
}

export function openLexicon(core: Core, segments: readonly Segment[]): Lexicon {
  return {
    core,
    segments,
    live: segments.map((one) => liveChunks(core, one)),
    setAt: core.alloc(largestSet(segments)),
  };
}

function largestSet(segments: readonly Segment[]): number {
  return Math.max(0, ...segments.map(({ header }) => bytesOfSet(header.chunks)));
}

function liveChunks(core: Core, segment: Segment): number | undefined {
  if (segment.dead.size === 0) return undefined;
  const bytes = bytesOfSet(segment.header.chunks);
  const at = core.alloc(bytes);
  const bits = bytesAt(core, at, bytes).fill(0xff);
  for (const note of segment.dead) {
    const first = segment.firstChunk(note);
    for (let chunk = first; chunk < first + segment.chunkCount(note); chunk++) {
      bits[chunk >>> 3] = (bits[chunk >>> 3] ?? 0) & ~(1 << (chunk & 7));
    }
  }
  return at;
}

/** The postings of those terms that the store has, by term. `hashes`: two u32 a term, low then high. */
export function postingsOf(
  lexicon: Lexicon,
  terms: readonly string[],
  hashes: Uint32Array,
): Map<string, TermPostings> {
  const { core, segments } = lexicon;
  const hashesAt = core.alloc(hashes.byteLength);
  wordsAt(core, hashesAt, hashes.length).set(hashes);
  const places = segments.map((segment) => segment.find(core, hashesAt, terms.length));
  const found = new Map<string, TermPostings>();
  terms.forEach((term, i) => {
    if (!places.some((all) => (all[2 * i + 1] ?? 0) > 0) || found.has(term)) return;
    const lists = segments.map((segment, s) => {
      const [start = 0, df = 0] = places[s]?.subarray(2 * i) ?? [];
      return df === 0 ? undefined : segment.list(core, { start, df });
    });
    const df = documentFrequency(lexicon, [{ lists }]);
    if (df > 0) found.set(term, { term, df, lists });
  });
  return found;
}

/** The same for words that are one term each. */
export function postingsOfWords(
  lexicon: Lexicon,
  words: readonly string[],
): Map<string, TermPostings> {
  return words.length === 0 ? new Map() : postingsOf(lexicon, words, hashWords(words));
}

/** Looks up such words and their inflected forms. Returns which forms of a word the store has. */
export function postingsOfForms(
  lexicon: Lexicon,
  words: readonly string[],
  language?: Language,
): (word: string) => TermPostings[] {
  const { core, segments } = lexicon;
  for (const segment of segments) placeForms(core, segment, words, language);
  return (word) => {
    const placed = segments.map(({ forms }) => forms.get(keyOf(word, language)) ?? []);
    return inOrder(placed).flatMap(({ term }) => {
      const lists = segments.map((segment, s) => {
        const place = placed[s]?.find((one) => one.term === term);
        return place && segment.list(core, place);
      });
      const df = documentFrequency(lexicon, [{ lists }]);
      return df > 0 ? [{ term, df, lists }] : [];
    });
  };
}

/** Each form once, though several segments have it. */
function inOrder(placed: readonly (readonly PlacedForm[])[]): readonly PlacedForm[] {
  const [first = [], ...others] = placed;
  if (others.every((one) => one.length === 0)) return first;
  const all = new Map(placed.flat().map((one) => [one.term, one]));
  return [...all.values()].sort((a, b) => a.number - b.number);
}

/** Words whose forms a segment remembers. */
const KEPT_WORDS_MAX = 4096;

/** Looks up the words that the segment does not remember from an earlier question. */
function placeForms(
  core: Core,
  segment: Segment,
  words: readonly string[],
  language: Language | undefined,
): void {
  const { forms: kept } = segment;
  if (kept.size + words.length > KEPT_WORDS_MAX) kept.clear();
  const unknown = words.filter((word) => !kept.has(keyOf(word, language)));
  if (unknown.length === 0) return;
  const forms = unknown.map((word) => [word, ...endings(word, language)]);
  const all = forms.flat();
  const hashes = hashWords(all);
  const hashesAt = core.alloc(hashes.byteLength);
  wordsAt(core, hashesAt, hashes.length).set(hashes);
  const places = segment.find(core, hashesAt, all.length);
  let at = 0;
  unknown.forEach((word, i) => {
    const there = (forms[i] ?? []).flatMap((term, number) => {
      const [start = 0, df = 0] = [places[2 * at], places[2 * at + 1]];
      at++;
      return df > 0 ? [{ term, number, start, df }] : [];
    });
    kept.set(keyOf(word, language), there);
  });
}

/** A word that two languages share has other forms in each. */
function keyOf(word: string, language: Language | undefined): string {
  return language === undefined ? word : `${language.name} ${word}`;
}

/** How many live chunks have any of these terms. */
export function documentFrequency(
  lexicon: Lexicon,
  found: readonly Pick<TermPostings, "lists">[],
): number {
  const { core, segments, live, setAt } = lexicon;
  let count = 0;
  segments.forEach((_, s) => {
    if (found.length === 1 && live[s] === undefined) {
      return void (count += found[0]?.lists[s]?.count ?? 0);
    }
    const lists = listsIn(found, s);
    const [only] = lists;
    if (lists.length < 2 && live[s] === undefined) count += only?.count ?? 0;
    else if (only !== undefined) count += core.countBits(setAt, anyOf(lexicon, s, found, setAt));
  });
  return count;
}

/** Whether one live chunk has all of the terms; false for no terms. */
export function hasChunkWithAll(
  segments: readonly Segment[],
  terms: readonly QueryTerm[],
): boolean {
  const asked = new Set(terms.map(({ term }) => term));
  return asked.size > 0 && scratch((core) => {
    const lexicon = openLexicon(core, segments);
    const hashes = Uint32Array.from(terms.flatMap(({ low, high }) => [low, high]));
    const lists = postingsOf(lexicon, terms.map(({ term }) => term), hashes);
    if (lists.size < asked.size) return false;
    const { setAt } = lexicon;
    const [first, ...others] = [...lists.values()].map((one) => [one]);
    const otherAt = core.alloc(largestSet(segments));
    return first !== undefined && segments.some((_, s) => {
      const bytes = anyOf(lexicon, s, first, setAt);
      for (const other of others) core.andBits(setAt, otherAt, anyOf(lexicon, s, other, otherAt));
      return core.countBits(setAt, bytes) > 0;
    });
  });
}

/** Writes the set of live chunks of segment `s` that have any of these to `setAt`; returns its bytes. */
export function anyOf(
  { core, segments, live }: Lexicon,
  s: number,
  found: readonly Pick<TermPostings, "lists">[],
  setAt: number,
): number {
  const bytes = bytesOfSet(segments[s]?.header.chunks ?? 0);
  bytesAt(core, setAt, bytes).fill(0);
  for (const { documentsAt, count } of listsIn(found, s)) core.setBits(documentsAt, count, setAt);
  const alive = live[s];
  if (alive !== undefined) core.andBits(setAt, alive, bytes);
  return bytes;
}

function listsIn(found: readonly Pick<TermPostings, "lists">[], s: number): PostingList[] {
  return found.flatMap(({ lists }) => lists[s] ?? []);
}

/** Count and average length (in terms) of the live chunks. Without `isByWords` the average is not exact. */
export function liveLengths(
  core: Core,
  segments: readonly Segment[],
  isByWords: boolean,
): { chunks: number; averageLength: number } {
  let chunks = 0;
  let length = 0;
  for (const segment of segments) {
    chunks += segment.header.chunks;
    length += segment.postings.totalLength;
    if (segment.dead.size === 0) continue;
    const lengths = isByWords ? lengthsOf(core, segment) : [];
    for (const note of segment.dead) {
      const first = segment.firstChunk(note);
      const count = segment.chunkCount(note);
      chunks -= count;
      for (let i = 0; i < count; i++) length -= lengths[first + i] ?? 0;
    }
  }
  return { chunks: Math.max(1, chunks), averageLength: Math.max(1, length / Math.max(1, chunks)) };
}

/** What scoring all chunks of some segments needs. */
export interface ScoringContext extends Lexicon {
  /** The number of each segment's first chunk. */
  readonly bases: readonly number[];
  readonly total: number;
  /** Live chunks. */
  readonly chunks: number;
  readonly averageLength: number;
  /** Address of scratch space for one f32 a chunk. */
  readonly bestAt: number;
}

/** One form of a term of the query, as the store has it. */
export interface WeightedForm extends Omit<TermPostings, "df"> {
  readonly weight: number;
}

/** Adds to each chunk's score (f32) the best of a term's forms in it. */
export function scoreTerm(
  context: ScoringContext,
  forms: readonly WeightedForm[],
  scoresAt: number,
): void {
  if (forms.length > 1) {
    clearScores(context, context.bestAt);
    scoreBestOf(context, forms, context.bestAt, scoresAt);
    return;
  }
  const { core, averageLength } = context;
  eachList(context, forms, (list, lengthsAt, weight, from) => {
    core.accumulateBm25(
      list.documentsAt,
      list.frequenciesAt,
      list.count,
      lengthsAt,
      averageLength,
      weight,
      scoresAt + from,
    );
  });
}

/** Raises each chunk's f32 at `bestAt` to the best score of these forms, and adds the rise at `scoresAt`. */
export function scoreBestOf(
  context: ScoringContext,
  forms: readonly WeightedForm[],
  bestAt: number,
  scoresAt: number,
): void {
  const { core, averageLength } = context;
  eachList(context, forms, (list, lengthsAt, weight, from) => {
    core.accumulateBest(
      list.documentsAt,
      list.frequenciesAt,
      list.count,
      lengthsAt,
      averageLength,
      weight,
      bestAt + from,
      scoresAt + from,
    );
  });
}

function eachList(
  { segments, bases }: ScoringContext,
  forms: readonly WeightedForm[],
  add: (list: PostingList, lengthsAt: number, weight: number, from: number) => void,
): void {
  for (const { lists, weight } of forms) {
    segments.forEach((segment, s) => {
      const list = lists[s];
      if (list === undefined || list.count === 0) return;
      add(list, segment.lengthsAt(), weight, (bases[s] ?? 0) * 4);
    });
  }
}

export function clearScores({ core, total }: ScoringContext, scoresAt: number): void {
  floatsAt(core, scoresAt, total).fill(0);
}

/** Inverse document frequency, in the form of BM25 that is never negative. */
export function idf(df: number, chunks: number): number {
  return Math.log(1 + (chunks - df + 0.5) / (df + 0.5));
}

export function lengthsOf(core: Core, segment: Segment): Uint16Array {
  return new Uint16Array(core.memory.buffer, segment.lengthsAt(), segment.header.chunks);
}
