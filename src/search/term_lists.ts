/** The lists of single terms over all segments: where they stand, how many live chunks have them. */
import { bytesAt, type Core, wordsAt } from "../base/core.ts";
import { hashWords } from "./query.ts";
import type { PostingList, Segment } from "./segment.ts";

/** What another form of a word counts, of the word as it was asked. */
export const FORM_WEIGHT = 0.6;

/** One term's list in one segment, as views of the core's memory. */
export interface ListView {
  readonly documents: Uint32Array;
  readonly frequencies: Uint8Array;
}

/** One form of a term of the query, as the store has it. */
export interface Spelling {
  readonly term: string;
  readonly weight: number;
  /** One a segment. */
  readonly lists: readonly (ListView | undefined)[];
}

export interface Lists {
  readonly term: string;
  /** Live chunks that have the term. */
  readonly df: number;
  readonly lists: readonly (PostingList | undefined)[];
}

export function listsOf(
  core: Core,
  segments: readonly Segment[],
  term: string,
  low: number,
  high: number,
): Lists {
  let df = 0;
  const lists = segments.map((segment) => {
    const place = segment.find(low, high);
    if (place === undefined) return undefined;
    const list = segment.list(core, place);
    df += liveCount(core, segment, list);
    return list;
  });
  return { term, df, lists };
}

/** Those of some words that the store has. */
export function formsIn(
  core: Core,
  segments: readonly Segment[],
  forms: readonly string[],
): Lists[] {
  const found: Lists[] = [];
  const hashes = forms.length === 0 ? NO_DOCUMENTS : hashWords(forms);
  for (const [i, form] of forms.entries()) {
    const lists = listsOf(core, segments, form, hashes[2 * i] ?? 0, hashes[2 * i + 1] ?? 0);
    if (lists.df > 0) found.push(lists);
  }
  return found;
}

/** By chunk: the number of the count that had it last. Cleared only where the numbers begin anew. */
let counted = new Uint32Array();
let counts = 0;

/** Live chunks that have any of these. */
export function together(
  core: Core,
  segments: readonly Segment[],
  found: readonly Lists[],
): number {
  if (found.length < 2) return found[0]?.df ?? 0;
  let count = 0;
  segments.forEach((segment, s) => {
    if (counted.length < segment.header.chunks) counted = new Uint32Array(segment.header.chunks);
    counts = counts >= COUNTS_MAX ? 1 : counts + 1;
    if (counts === 1) counted.fill(0);
    for (const { lists } of found) {
      const list = lists[s];
      const documents = list === undefined ? NO_DOCUMENTS : viewOf(core, list).documents;
      for (let i = 0; i < documents.length; i++) {
        const chunk = documents[i] ?? 0;
        if (counted[chunk] === counts) continue;
        counted[chunk] = counts;
        if (segment.dead.size === 0 || !segment.dead.has(segment.noteOf(chunk))) count++;
      }
    }
  });
  return count;
}

const COUNTS_MAX = 0xffffffff;
const NO_DOCUMENTS = new Uint32Array();

/** How many chunks live, and how long they are on average: as if the dead had never been. */
export function liveLengths(
  core: Core,
  segments: readonly Segment[],
  isNeeded: boolean,
): { chunks: number; averageLength: number } {
  let chunks = 0;
  let length = 0;
  if (!isNeeded) return { chunks: 1, averageLength: 1 };
  for (const segment of segments) {
    chunks += segment.header.chunks;
    length += segment.postings.totalLength;
    if (segment.dead.size === 0) continue;
    const lengths = lengthsOf(core, segment);
    for (const note of segment.dead) {
      const first = segment.firstChunk(note);
      const count = segment.chunkCount(note);
      chunks -= count;
      for (let i = 0; i < count; i++) length -= lengths[first + i] ?? 0;
    }
  }
  return { chunks: Math.max(1, chunks), averageLength: Math.max(1, length / Math.max(1, chunks)) };
}

function liveCount(core: Core, segment: Segment, list: PostingList): number {
  if (segment.dead.size === 0) return list.count;
  let count = 0;
  for (const chunk of viewOf(core, list).documents) {
    if (!segment.dead.has(segment.noteOf(chunk))) count++;
  }
  return count;
}

export function idf(df: number, chunks: number): number {
  return Math.log(1 + (chunks - Math.min(df, chunks) + 0.5) / (df + 0.5));
}

export function viewOf(core: Core, { documentsAt, frequenciesAt, count }: PostingList): ListView {
  return {
    documents: wordsAt(core, documentsAt, count),
    frequencies: bytesAt(core, frequenciesAt, count),
  };
}

export function lengthsOf(core: Core, segment: Segment): Uint16Array {
  return new Uint16Array(core.memory.buffer, segment.lengthsAt(), segment.header.chunks);
}
