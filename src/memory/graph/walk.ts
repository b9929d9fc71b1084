/** Ways through the graph. A link leads in both directions; what it says is told with it. */
import type { Edge, Graph, GraphNode } from "./graph.ts";

/** One step of a way: the node, and the link by which it was reached from the one before. */
export interface Step {
  readonly node: GraphNode;
  readonly edge: Edge | undefined;
}

/** Notes that somebody keeps: of sessions and todos most have no link, and need none. */
const KEPT = ["knowledge", "topic", "note"];

/** A shortest way from one note to another, both included; undefined where none leads there. */
export function shortestPath(from: GraphNode, to: GraphNode): Step[] | undefined {
  const cameBy = new Map<GraphNode, Edge | undefined>([[from, undefined]]);
  // A map goes on with what is added while it is walked through.
  for (const node of cameBy.keys()) {
    if (cameBy.has(to)) break;
    for (const edge of edgesOf(node)) {
      const next = otherEnd(edge, node);
      if (!cameBy.has(next)) cameBy.set(next, edge);
    }
  }
  if (!cameBy.has(to)) return undefined;
  const steps: Step[] = [];
  for (let node = to;;) {
    const edge = cameBy.get(node);
    steps.unshift({ node, edge });
    if (edge === undefined) return steps;
    node = otherEnd(edge, node);
  }
}

/** What is near goes so far where nobody says. */
export const NEAR_LINKS = 2;

/** Every note at most `depth` links away, with its distance; the note itself is 0. */
export function neighbours(start: GraphNode, depth: number): Map<GraphNode, number> {
  const distance = new Map([[start, 0]]);
  let ring = [start];
  for (let away = 1; away <= depth && ring.length > 0; away++) {
    const next: GraphNode[] = [];
    for (const node of ring) {
      for (const edge of edgesOf(node)) {
        const other = otherEnd(edge, node);
        if (distance.has(other)) continue;
        distance.set(other, away);
        next.push(other);
      }
    }
    ring = next;
  }
  return distance;
}

/** Kept notes that no link leads to or from. */
export function orphans({ nodes }: Graph): GraphNode[] {
  return nodes.filter((node) =>
    KEPT.includes(node.note.kind) && node.note.status !== "archived" && isOrphan(node)
  );
}

export function isOrphan(node: GraphNode): boolean {
  return edgesOf(node).length === 0;
}

/** The links from and to a node. */
export function edgesOf({ out, into }: GraphNode): Edge[] {
  return [...out, ...into];
}

export function otherEnd({ from, to }: Edge, node: GraphNode): GraphNode {
  return from === node ? to : from;
}
