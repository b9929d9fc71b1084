/**
 * The part of a graph that is drawn: a note with what is around it, what a query finds, or the most linked;
 * and what its notes are called there.
 */
import { shortId } from "../../base/id.ts";
import { neutralize } from "../../base/printable.ts";
import { collapse, cut } from "../../base/text.ts";
import type { Memory } from "../memory.ts";
import type { Edge, Graph, GraphNode } from "./graph.ts";
import { askGraph } from "./query.ts";
import { edgesOf, neighbours } from "./walk.ts";

/** Links between its notes only. */
export interface Drawn {
  readonly nodes: readonly GraphNode[];
  /** Where each of them stands in the graph. */
  readonly places: readonly number[];
  /** Places in `nodes`. */
  readonly edges: readonly Edge[];
  /** Notes that fit and are not shown, because a picture of more says nothing. */
  readonly left: number;
}

/** More labels than this cannot be read on one page. */
export const DRAWN_MAX = 120;

/** Undefined where neither a note nor a query is meant. */
export function choosePart(
  memory: Memory,
  graph: Graph,
  wanted: string,
  depth: number,
  most = DRAWN_MAX,
): Drawn | undefined {
  const degree = (node: number): number => edgesOf(graph, node).length;
  if (wanted === "") return partOf(graph, byDegree(graph.nodes.map((_, node) => node)), most);
  const start = graph.find(wanted);
  if (start !== undefined) {
    const near = [...neighbours(graph, start, depth)].sort((a, b) =>
      a[1] - b[1] || degree(b[0]) - degree(a[0])
    );
    return partOf(graph, near.map(([node]) => node), most);
  }
  if (!wanted.includes(":")) return undefined;
  const query = /(?:^|\s)limit:/.test(wanted) ? wanted : `${wanted} limit:100000`;
  return partOf(graph, byDegree(askGraph(memory, graph, query).nodes), most);

  function byDegree(nodes: readonly number[]): number[] {
    return [...nodes].sort((a, b) => degree(b) - degree(a));
  }
}

/** The first of them, with the links between these. */
function partOf(graph: Graph, wanted: readonly number[], most: number): Drawn {
  const places = wanted.slice(0, most);
  const drawn = new Map(places.map((node, place) => [node, place]));
  const edges = places.flatMap((node) => graph.out[node] ?? []).flatMap((edge): Edge[] => {
    const [from, to] = [drawn.get(edge.from), drawn.get(edge.to)];
    return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
  });
  const nodes = places.flatMap((node) => graph.nodes[node] ?? []);
  return { nodes, places, edges, left: wanted.length - places.length };
}

/** How many of its links lead to a note. */
export function backlinksTo({ edges }: Drawn, node: number): number {
  return edges.filter(({ to }) => to === node).length;
}

/** A title as it may stand in a picture: what cannot be seen is gone. */
export function labelOf({ note }: GraphNode, charactersMax: number): string {
  return cut(collapse(neutralize(note.title)), charactersMax) || shortId(note.id);
}
