/**
 * Orama as the query language over our own index: its `where`, through its component seam. Loaded
 * when a filter is asked for; everything else asks the core directly. Orama gets the fused list only, so its
 * own scoring (and its traps: weights of 0, the 0.8 similarity floor, vectors overwritten, Math.max over
 * every hit) never runs, and the order is the core's by construction.
 */
import type { AnyDocument, AnyOrama, SearchableType, TokenScore } from "@orama/orama";
import type { NoteKind } from "../note/note.ts";
import type { Ask, SearchAnswer, SearchHit, SearchOptions } from "./search_notes.ts";

const SCHEMA: Record<string, SearchableType> = {
  title: "string",
  type: "string",
  status: "string",
  project: "string",
  tags: "string[]",
  updated: "number",
};

export async function askOrama(
  ask: Ask,
  text: string,
  options: SearchOptions,
): Promise<Omit<SearchAnswer, "lexicalOnly">> {
  const { create, search } = await import("@orama/orama");
  const facade = new Facade(ask);
  const orama = create(
    {
      schema: SCHEMA,
      components: facade.components(),
      sort: { enabled: false },
    } as unknown as Parameters<typeof create>[0],
  );
  const answer = await search(orama, parameters(text, options) as Parameters<typeof search>[1]);
  return { hits: answer.hits.flatMap(({ id }) => facade.hit(Number(id))), total: answer.count };
}

function parameters(text: string, options: SearchOptions): Record<string, unknown> {
  const { type, tags, project, after, before, limit } = options;
  const where = {
    ...(type === undefined ? {} : { type: { in: [type].flat() } }),
    ...(tags === undefined ? {} : { tags: { containsAll: tags } }),
    ...(project === undefined ? {} : { project: { eq: project } }),
    ...(after === undefined && before === undefined ? {} : { updated: { gte: after, lt: before } }),
  };
  return {
    // Without a term Orama would list every document instead of asking the index.
    term: text === "" ? " " : text,
    limit,
    ...(Object.keys(where).length === 0 ? {} : { where }),
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
  readonly #ask: Ask;
  #hits: readonly SearchHit[] | undefined;

  constructor(ask: Ask) {
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
          tags: where.tags?.containsAll,
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
