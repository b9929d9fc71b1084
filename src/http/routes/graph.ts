/** Links between notes: the answers of `sage graph`, and a subgraph to draw. */
import { z } from "zod";
import { HTTP_PAGE_ITEMS_MAX } from "../../base/limits.ts";
import {
  backlinksOf,
  foundBy,
  linksOf,
  locate,
  notesNear,
  orphanItems,
  pathBetween,
  unresolvedItems,
} from "../../memory/graph/answer.ts";
import { chooseSubgraph, SUBGRAPH_NODES_MAX } from "../../memory/graph/subgraph.ts";
import { type Graph, type GraphNode, toGraphItem } from "../../memory/graph/graph.ts";
import type { Memory } from "../../memory/memory.ts";
import { shownGraph } from "../../memory/vault/links.ts";
import { notFound } from "../outcome.ts";
import { type Data, defineRoute, done, type Reply, type Route } from "../route.ts";
import { flag, graphItem, graphPart } from "../shapes.ts";

const all = { all: flag };
const some = { limit: z.int().min(1).max(HTTP_PAGE_ITEMS_MAX).optional(), ...all };
const depth = z.int().min(1).max(10).optional();
const linked = graphItem.extend({ relation: z.string() });

export const queryGraphRoute = defineRoute({
  method: "GET",
  path: "/graph/query",
  name: "queryGraph",
  summary:
    "Which notes match a query by key, tag, time, link and words, as `sage graph query` asks",
  input: z.strictObject({ query: z.string().trim().min(1).max(2000), ...all }),
  output: z.looseObject({
    items: z.array(graphItem),
    total: z.number(),
    groups: z.array(
      z.looseObject({ key: z.string(), count: z.number(), ids: z.array(z.string()) }),
    ).optional(),
  }),
  run: ({ memory, input: { query, all } }) =>
    inGraph(memory, all, (graph) => done({ ...foundBy(memory, graph, query) })),
});

export const drawGraphRoute = defineRoute({
  method: "GET",
  path: "/graph/part",
  name: "drawGraph",
  summary: "Notes around one, those that a query finds, or the most linked; and the links between",
  input: z.strictObject({
    /** A note, or a query with a field in it. */
    of: z.string().max(2000).optional(),
    depth,
    limit: z.int().min(1).max(SUBGRAPH_NODES_MAX).optional(),
    ...all,
  }),
  output: graphPart,
  run: ({ memory, input: { of = "", depth = 1, limit = SUBGRAPH_NODES_MAX, all } }) =>
    inGraph(memory, all, (graph) => {
      const part = chooseSubgraph(memory, graph, of.trim(), depth, limit);
      if ("kind" in part) return notFound(of, part);
      const { nodes, edges: links, left } = part;
      return done({ items: nodes.map(toGraphItem), links, left });
    }),
});

export const linksRoute = aroundRoute({
  path: "links",
  name: "listLinks",
  summary: "What a note links to, and its links that lead nowhere",
  item: linked,
  more: { unresolved: z.array(z.string()), vault: z.array(z.string()).optional() },
  answer: (graph, node) => ({ ...linksOf(graph, node) }),
});

export const backlinksRoute = aroundRoute({
  path: "backlinks",
  name: "listBacklinks",
  summary: "What links to a note",
  item: linked,
  answer: (_, node) => ({ ...backlinksOf(node) }),
});

export const nearRoute = aroundRoute({
  path: "near",
  name: "listNear",
  summary: "The notes around one, by how many links they are away",
  item: graphItem.extend({ distance: z.number() }),
  input: { depth },
  answer: (_, node, depth) => ({ ...notesNear(node, depth) }),
});

export const pathRoute = defineRoute({
  method: "GET",
  path: "/graph/{id}/path/{other}",
  name: "findPath",
  summary: "How two notes hang together: a shortest way, empty where none leads there",
  input: z.strictObject(all),
  output: z.looseObject({
    items: z.array(
      graphItem.extend({ relation: z.string().optional(), direction: z.string().optional() }),
    ),
  }),
  run: ({ memory, params: { id = "", other = "" }, input }) =>
    inGraph(
      memory,
      input.all,
      (graph) =>
        withNode(memory, graph, id, (from) =>
          withNode(memory, graph, other, (to) =>
            done({ items: pathBetween(from, to) }))),
    ),
});

export const orphansRoute = defineRoute({
  method: "GET",
  path: "/graph/orphans",
  name: "listOrphans",
  summary: "Knowledge and topics that no link leads to or from",
  input: z.strictObject(some),
  output: z.looseObject({ items: z.array(graphItem), total: z.number() }),
  run: ({ memory, input: { limit, all } }) =>
    inGraph(memory, all, (graph) => done(firstOf(orphanItems(graph), limit))),
});

export const unresolvedRoute = defineRoute({
  method: "GET",
  path: "/graph/unresolved",
  name: "listUnresolved",
  summary: "Links that lead to no note",
  input: z.strictObject(some),
  output: z.looseObject({
    items: z.array(z.looseObject({
      target: z.string(),
      relation: z.string(),
      from: z.looseObject({ id: z.string(), title: z.string() }),
      removed: z.looseObject({ short_id: z.string(), removed: z.string() }).optional(),
    })),
    total: z.number(),
  }),
  run: ({ memory, input: { limit, all } }) =>
    inGraph(
      memory,
      all,
      async (graph) => done(firstOf(await unresolvedItems(memory, graph), limit)),
    ),
});

interface AroundRoute {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly item: z.ZodObject;
  readonly input?: { readonly depth: typeof depth };
  readonly more?: z.ZodRawShape;
  answer(
    graph: Graph,
    node: GraphNode,
    depth?: number,
  ): Data & { readonly items: readonly unknown[] };
}

/** A route about one note that answers with others. */
function aroundRoute({ path, name, summary, item, input, more, answer }: AroundRoute): Route {
  return defineRoute({
    method: "GET",
    path: `/graph/{id}/${path}`,
    name,
    summary,
    input: z.strictObject({ ...some, ...input }),
    output: z.looseObject({
      note: graphItem,
      items: z.array(item),
      total: z.number(),
      ...more,
    }),
    run: ({ memory, params: { id = "" }, input }) => {
      const { limit, all, depth } = input as z.output<z.ZodObject<typeof some>> & {
        readonly depth?: number;
      };
      return inGraph(memory, all, (graph) =>
        withNode(memory, graph, id, (node) => {
          const found = answer(graph, node, depth);
          return done({ ...found, ...firstOf(found.items, limit) });
        }));
    },
  });
}

function firstOf<T>(items: readonly T[], limit = HTTP_PAGE_ITEMS_MAX) {
  return { items: items.slice(0, limit), total: items.length };
}

async function inGraph(
  memory: Memory,
  all: boolean | undefined,
  answer: (graph: Graph) => Reply | Promise<Reply>,
): Promise<Reply> {
  return await answer(await shownGraph(memory, { all: all === true }));
}

function withNode(
  memory: Memory,
  graph: Graph,
  ref: string,
  answer: (node: GraphNode) => Reply,
): Reply {
  const found = locate(memory, graph, ref);
  return found.kind === "one" ? answer(found.node) : notFound(ref, found);
}
