/**
 * A question to any number of indexes, answered with one list. The core answers it; where a filter is
 * asked for, Orama's query language stands over the core's answer. Without one it would only hand the
 * list through, for a fifth of a search's time over an empty program.
 */
import type { Embedder } from "../embed/embedder.ts";
import { type Ask, type SearchAnswer, type SearchOptions, WINDOW } from "./answer.ts";
import { prepareQuery } from "./query.ts";
import type { SearchIndex } from "./search_index.ts";

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
