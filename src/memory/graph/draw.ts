/** What of the graph is drawn: a note with what is around it, what a query finds, or the most linked. */
import type { Memory } from "../memory.ts";
import { drawSvg } from "./draw_svg.ts";
import { drawText } from "./draw_text.ts";
import type { Drawn } from "./drawn.ts";
import type { Edge, Graph } from "./graph.ts";
import { askGraph } from "./query.ts";
import { edgesOf, neighbours } from "./walk.ts";

export const DRAWING_FORMS = ["text", "svg"] as const;
export type DrawingForm = typeof DRAWING_FORMS[number];

/** More labels than this cannot be read on one page. */
export const DRAWN_MAX = 120;

/** Undefined where neither a note nor a query is meant. */
export function choosePart(
  memory: Memory,
  graph: Graph,
  wanted: string,
  depth: number,
): Drawn | undefined {
  if (wanted === "") return partOf(graph, graph.nodes.map((_, node) => node));
  const start = graph.find(wanted);
  if (start !== undefined) {
    const near = [...neighbours(graph, start, depth)].sort((a, b) => a[1] - b[1]);
    return partOf(graph, near.map(([node]) => node), true);
  }
  if (!wanted.includes(":")) return undefined;
  const query = /(?:^|\s)limit:/.test(wanted) ? wanted : `${wanted} limit:100000`;
  return partOf(graph, askGraph(memory, graph, query).nodes);
}

export function draw(drawn: Drawn, form: DrawingForm): string {
  return form === "svg" ? drawSvg(drawn) : drawText(drawn);
}

/** Of too many, those with the most links, or those that stand first. */
function partOf(graph: Graph, wanted: readonly number[], isOrdered = false): Drawn {
  const degree = (node: number): number => edgesOf(graph, node).length;
  const chosen = (isOrdered ? wanted : [...wanted].sort((a, b) => degree(b) - degree(a)))
    .slice(0, DRAWN_MAX);
  const places = new Map(chosen.map((node, place) => [node, place]));
  const edges = chosen.flatMap((node) => graph.out[node] ?? []).flatMap((edge): Edge[] => {
    const [from, to] = [places.get(edge.from), places.get(edge.to)];
    return from === undefined || to === undefined ? [] : [{ ...edge, from, to }];
  });
  const nodes = chosen.flatMap((node) => graph.nodes[node] ?? []);
  return { nodes, edges, left: wanted.length - chosen.length };
}
