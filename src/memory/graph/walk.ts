/**
 * Traversals of the graph. A link leads in both directions; its relation and direction are returned with it.
 */
import type { Edge, Graph, GraphNode } from "./graph.ts";

/** One step of a path: a node, and the link by which it was reached. */
interface Step {
  readonly node: GraphNode;
  readonly edge: Edge | undefined;
}

/** Kinds that should have links: most sessions and todos have none, and need none. */
const LINKED_KINDS = ["knowledge", "topic", "note"];

/** A shortest path between two notes, both included; undefined if there is none. */
export function shortestPath(from: GraphNode, to: GraphNode): Step[] | undefined {
  const cameBy = new Map<GraphNode, Edge | undefined>([[from, undefined]]);
  // Iterating a Map includes entries added on the way: breadth-first search.
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

/** The default depth of `near`. */
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

/** Notes of the kinds that should have links, and have none. */
export function orphans({ nodes }: Graph): GraphNode[] {
  return nodes.filter((node) =>
    LINKED_KINDS.includes(node.note.kind) && node.note.status !== "archived" && isOrphan(node)
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
