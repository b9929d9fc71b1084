/**
 * Asks any number of indexes and merges their answers into one list. Orama is loaded only for filters:
 * without one it would pass the list through, for a fifth of the cost of a search.
 */
import type { Embedder } from "../embed/embedder.ts";
import type { NoteKind } from "../note/note.ts";
import type { Candidate, NoteFilter } from "./document.ts";
import { prepareQuery } from "./query/query.ts";
import type { SignalWeights } from "./ranking/score.ts";
import type { SearchIndex } from "./search_index.ts";

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
  /** How many words may be taken for typing mistakes. */
  readonly guessesMax?: number | undefined;
  /** Whether words are expanded by synonyms. */
  readonly synonyms?: boolean | undefined;
  /** For each index the projects to search, "" for notes of none; undefined for all. */
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
  /** How many passed, of which `hits` has the first `limit`. */
  readonly total: number;
  /** No vector was used: there is no model, or it knows no word of the query. */
  readonly lexicalOnly: boolean;
}

/** Filters apply to this many of a store's best hits; further down matches are mostly chance. */
const WINDOW = 50;

/** Asks all indexes and gives the hits that pass the filter, best first; at most `limit` of each index. */
export type Ask = (filter: NoteFilter, limit?: number) => SearchHit[];

export async function searchNotes(
  indexes: readonly Pick<SearchIndex, "query">[],
  text: string,
  embedder: Embedder | undefined,
  options: SearchOptions,
): Promise<SearchAnswer> {
  const prepare = (one: string) => prepareQuery(one, embedder, options);
  const [query, also] = [prepare(text), options.also?.map(prepare) ?? []];
  const lexicalOnly = [query, ...also].every(({ vector }) => vector === undefined);
  const ask: Ask = (filter, limit = Math.max(WINDOW, options.limit)) => {
    const { sumMin, weights } = options;
    const asked = { ...filter, limit, also, sumMin, weights };
    const hits = indexes.flatMap((index, i) =>
      index.query(query, { ...asked, projects: options.projects?.[i] })
        .map((candidate) => ({ candidate, index: i }))
    );
    const kept = hits.filter(({ candidate, index }) => options.keep?.(candidate, index) ?? true);
    return kept.sort((a, b) => b.candidate.combined - a.candidate.combined);
  };
  if (!isPlain(options)) {
    const { askOrama } = await import("./orama.ts");
    return { ...await askOrama(ask, text, options), lexicalOnly };
  }
  const hits = ask({}, options.limit);
  const { length: total } = hits;
  return { hits: hits.slice(0, options.limit), total, lexicalOnly };
}

function isPlain({ type, tags, project, after, before }: SearchOptions): boolean {
  return [type, tags, project, after, before].every((asked) => asked === undefined);
}
