/** What may be asked of the indexes together, and what the answer holds. */
import type { NoteKind } from "../note/note.ts";
import type { Candidate, NoteFilter } from "./document.ts";
import type { SignalWeights } from "./score.ts";

export interface SearchOptions {
  readonly limit: number;
  /** The same question in other words. */
  readonly also?: readonly string[] | undefined;
  readonly sumMin?: number | undefined;
  readonly weights?: SignalWeights | undefined;
  readonly type?: NoteKind | readonly NoteKind[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly project?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** How many words may be typing mistakes. */
  readonly guessesMax?: number | undefined;
  /** Whether words may be answered by others that mean the same. */
  readonly synonyms?: boolean | undefined;
  /** Per index: the projects whose notes are looked at, "" for those of none; undefined for all. */
  readonly projects?: readonly (readonly string[] | undefined)[] | undefined;
  /** Which candidates may be shown; `index` is the place in the list of indexes. */
  readonly keep?: ((candidate: Candidate, index: number) => boolean) | undefined;
}

export interface SearchHit {
  readonly candidate: Candidate;
  readonly index: number;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** How many were looked at closely; `hits` has the first `limit` of them. */
  readonly total: number;
  /** No vector took part: the model sees no word in the query, or there is none. */
  readonly lexicalOnly: boolean;
}

/** Filters are of so many best hits a store: further down there is mostly chance. */
export const WINDOW = 50;

/** The hits that a filter leaves, best first, as the core ranks them; `limit` of each index. */
export type Ask = (filter: NoteFilter, limit?: number) => SearchHit[];
