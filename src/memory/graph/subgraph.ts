/**
 * The part of a graph to draw: a note with its neighbours, what a query finds, or the most linked notes; and
 * their labels.
 */
import { shortId } from "../../base/id.ts";
import { neutralize } from "../../base/text/printable.ts";
import { collapse, cut } from "../../base/text/text.ts";
import type { Memory } from "../memory.ts";
import { locate, type NotLocated } from "./answer.ts";
import type { Graph, GraphNode } from "./graph.ts";
import { askGraph } from "./query.ts";
import { edgesOf, neighbours } from "./walk.ts";

/** Notes and the links among them. */
export interface Subgraph {
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly SubgraphEdge[];
  /** How many more notes matched than are drawn. */
  readonly left: number;
}

/** `from` and `to` are indexes in `nodes`. */
export interface SubgraphEdge {
  readonly from: number;
  readonly to: number;
  readonly relation: string;
}

/** More labels cannot be read on one page. */
export const SUBGRAPH_NODES_MAX = 120;

/** Around the note of that name, if there is one; a text with a colon that names none is a query. */
export function chooseSubgraph(
  memory: Memory,
  graph: Graph,
  wanted: string,
  depth: number,
  most = SUBGRAPH_NODES_MAX,
): Subgraph | NotLocated {
  const degree = (node: GraphNode): number => edgesOf(node).length;
  if (wanted === "") return subgraphOf(byDegree(graph.nodes), most);
  const isQuery = wanted.includes(":") && graph.named(wanted).length === 0;
  const found = isQuery ? undefined : locate(memory, graph, wanted);
  if (found?.kind === "one") {
    const near = [...neighbours(found.node, depth)].sort((a, b) =>
      a[1] - b[1] || degree(b[0]) - degree(a[0])
    );
    return subgraphOf(near.map(([node]) => node), most);
  }
  if (found !== undefined) return found;
  const query = /(?:^|\s)limit:/.test(wanted) ? wanted : `${wanted} limit:100000`;
  return subgraphOf(byDegree(askGraph(memory, graph, query).nodes), most);

  function byDegree(nodes: readonly GraphNode[]): GraphNode[] {
    return nodes.toSorted((a, b) => degree(b) - degree(a));
  }
}

/** The first of them, with the links between these. */
function subgraphOf(wanted: readonly GraphNode[], most: number): Subgraph {
  const nodes = wanted.slice(0, most);
  const places = new Map(nodes.map((node, place) => [node, place]));
  const edges = nodes.flatMap(({ out }) => out).flatMap((edge): SubgraphEdge[] => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    return from === undefined || to === undefined ? [] : [{ from, to, relation: edge.relation }];
  });
  return { nodes, edges, left: wanted.length - nodes.length };
}

/** How many of its links lead to a note. */
export function backlinksTo({ edges }: Subgraph, node: number): number {
  return edges.filter(({ to }) => to === node).length;
}

/** A title for a picture, without invisible characters. */
export function labelOf({ note }: GraphNode, charactersMax: number): string {
  return cut(collapse(neutralize(note.title)), charactersMax) || shortId(note.id);
}
