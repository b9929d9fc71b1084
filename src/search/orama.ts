/**
 * Orama as the query language over our own index: its `where`, facets and groups, through its
 * component seam. Loaded when somebody searches; hooks ask the core directly. Orama gets the fused
 * list only, so its own scoring (and its traps: weights of 0, the 0.8 similarity floor, vectors
 * overwritten, Math.max over every hit) never runs, and the order is the core's by construction.
 */
import type { AnyDocument, AnyOrama, SearchableType, TokenScore } from "@orama/orama";
import type { Embedder } from "../embed/embedder.ts";
import type { NoteKind } from "../note/note.ts";
import type { Candidate, NoteFilter } from "./document.ts";
import { prepareQuery } from "./query.ts";
import type { SignalWeights } from "./score.ts";
import type { SearchIndex } from "./search_index.ts";

export interface SearchOptions {
  readonly limit: number;
  readonly sumMin?: number | undefined;
  readonly weights?: SignalWeights | undefined;
  readonly type?: NoteKind | readonly NoteKind[] | undefined;
  readonly tag?: string | undefined;
  readonly project?: string | undefined;
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  /** How many words may be typing mistakes. */
  readonly guessesMax?: number | undefined;
  /** Which candidates may be shown; `index` is the place in the list of indexes. */
  readonly keep?: ((candidate: Candidate, index: number) => boolean) | undefined;
  readonly facets?: readonly Facet[] | undefined;
  readonly groupBy?: "type" | "project" | "status" | undefined;
}

export type Facet = "type" | "status" | "project" | "tags";

export interface SearchHit {
  readonly candidate: Candidate;
  readonly index: number;
}

export interface SearchAnswer {
  readonly hits: readonly SearchHit[];
  /** How many were found within the window; `hits` has the first `limit` of them. */
  readonly total: number;
  /** No vector took part: the model sees no word in the query, or there is none. */
  readonly lexicalOnly: boolean;
  readonly facets: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly groups: readonly { readonly value: string; readonly hits: readonly SearchHit[] }[];
}

/** Facets and totals are of so many best hits a store: further down there is mostly chance. */
const WINDOW = 50;

const SCHEMA: Record<string, SearchableType> = {
  title: "string",
  type: "string",
  status: "string",
  project: "string",
  tags: "string[]",
  updated: "number",
};

export async function searchNotes(
  indexes: readonly Pick<SearchIndex, "query">[],
  text: string,
  embedder: Embedder | undefined,
  options: SearchOptions,
): Promise<SearchAnswer> {
  const { create, search } = await import("@orama/orama");
  const query = prepareQuery(text, embedder, options.guessesMax);
  const ask = (filter: NoteFilter): SearchHit[] => {
    const limit = Math.max(WINDOW, options.limit);
    const asked = { ...filter, limit, sumMin: options.sumMin, weights: options.weights };
    const hits = indexes.flatMap((index, i) =>
      index.query(query, asked).map((candidate) => ({ candidate, index: i }))
    );
    const kept = hits.filter(({ candidate, index }) => options.keep?.(candidate, index) ?? true);
    return kept.sort((a, b) => b.candidate.combined - a.candidate.combined);
  };
  const facade = new Facade(ask);
  const orama = create(
    {
      schema: SCHEMA,
      components: facade.components(),
      sort: { enabled: false },
    } as unknown as Parameters<typeof create>[0],
  );
  const answer = await search(orama, parameters(text, options) as Parameters<typeof search>[1]);
  return {
    hits: answer.hits.flatMap(({ id }) => facade.hit(Number(id))),
    total: answer.count,
    lexicalOnly: query.vector === undefined,
    facets: Object.fromEntries(
      Object.entries(answer.facets ?? {}).map(([name, { values }]) => [name, values]),
    ),
    groups: (answer.groups ?? []).map(({ values, result }) => ({
      value: String(values[0] ?? ""),
      hits: (result as unknown as { id: string }[]).flatMap(({ id }) => facade.hit(Number(id))),
    })),
  };
}

function parameters(text: string, options: SearchOptions): Record<string, unknown> {
  const { type, tag, project, after, before, limit, facets = [], groupBy } = options;
  const where = {
    ...(type === undefined ? {} : { type: { in: [type].flat() } }),
    ...(tag === undefined ? {} : { tags: { containsAll: [tag] } }),
    ...(project === undefined ? {} : { project: { eq: project } }),
    ...(after === undefined && before === undefined ? {} : { updated: { gte: after, lt: before } }),
  };
  return {
    // Without a term Orama would list every document instead of asking the index.
    term: text === "" ? " " : text,
    limit,
    ...(Object.keys(where).length === 0 ? {} : { where }),
    ...(facets.length === 0
      ? {}
      : { facets: Object.fromEntries(facets.map((facet) => [facet, { limit: WINDOW }])) }),
    ...(groupBy === undefined ? {} : { groupBy: { properties: [groupBy] } }),
  };
}

/** What `where` looks like after `parameters`. */
interface Where {
  readonly type?: { readonly in: readonly NoteKind[] };
  readonly tags?: { readonly containsAll: readonly string[] };
  readonly project?: { readonly eq: string };
  readonly updated?: { readonly gte: string | undefined; readonly lt: string | undefined };
}

/** One search: the hits of the core, numbered from 1 in their order, behind Orama's interfaces. */
class Facade {
  readonly #ask: (filter: NoteFilter) => SearchHit[];
  #hits: readonly SearchHit[] | undefined;

  constructor(ask: (filter: NoteFilter) => SearchHit[]) {
    this.#ask = ask;
  }

  hit(id: number): SearchHit[] {
    return this.#hits?.slice(id - 1, id) ?? [];
  }

  components(): Record<string, unknown> {
    return {
      tokenizer: { language: "english", normalizationCache: new Map(), tokenize: () => [] },
      index: this.#index(),
      documentsStore: this.#documents(),
    };
  }

  #index(): Record<string, unknown> {
    return {
      create: (orama: AnyOrama) => {
        orama.internalDocumentIDStore.internalIdToId = identity();
        return { vectorIndexes: {} };
      },
      getSearchableProperties: () => Object.keys(SCHEMA),
      getSearchablePropertiesWithTypes: () => SCHEMA,
      searchByWhereClause: (_index: unknown, _tokenizer: unknown, where: Where) => {
        this.#hits = this.#ask({
          kinds: where.type?.in,
          tag: where.tags?.containsAll[0],
          project: where.project?.eq,
          after: where.updated?.gte,
          before: where.updated?.lt,
        });
        return new Set(this.#hits.keys().map((i) => i + 1));
      },
      search: (): TokenScore[] => {
        this.#hits ??= this.#ask({});
        return this.#hits.map(({ candidate }, i) => [i + 1, candidate.combined]);
      },
    };
  }

  #documents(): Record<string, unknown> {
    const document = (id: number | string): AnyDocument | undefined => {
      const note = this.#hits?.[Number(id) - 1]?.candidate.note;
      return note === undefined ? undefined : {
        title: note.title,
        type: note.kind,
        status: note.status,
        project: note.project ?? "",
        tags: [...note.tags],
      };
    };
    return {
      create: () => ({ docs: {} }),
      get: (_store: unknown, id: number | string) => document(id),
      getMultiple: (_store: unknown, ids: readonly (number | string)[]) => ids.map(document),
      count: () => this.#hits?.length ?? 0,
    };
  }
}

/** Orama's table from its numbers to document ids, where both are the same. */
function identity(): string[] {
  return new Proxy<string[]>([], {
    get: (target, key) => {
      if (key === "length") return Number.MAX_SAFE_INTEGER;
      return typeof key === "string" && /^\d+$/.test(key)
        ? String(Number(key) + 1)
        : Reflect.get(target, key);
    },
  });
}
