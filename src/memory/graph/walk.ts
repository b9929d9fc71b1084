/** Ways through the graph. A link leads in both directions; what it says is told with it. */
import type { Edge, Graph } from "./graph.ts";

/** One step of a way: the node, and the link by which it was reached from the one before. */
export interface Step {
  readonly node: number;
  readonly edge: Edge | undefined;
}

/** Notes that somebody keeps: of sessions and todos most have no link, and need none. */
const KEPT = ["knowledge", "topic", "note"];

/** A shortest way from one note to another, both included; undefined where none leads there. */
export function shortestPath(graph: Graph, from: number, to: number): Step[] | undefined {
  const cameBy = new Map<number, Edge | undefined>([[from, undefined]]);
  const queue = [from];
  for (let i = 0; i < queue.length && !cameBy.has(to); i++) {
    const node = queue[i] ?? from;
    for (const edge of edgesOf(graph, node)) {
      const next = otherEnd(edge, node);
      if (cameBy.has(next)) continue;
      cameBy.set(next, edge);
      queue.push(next);
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
export function neighbours(graph: Graph, start: number, depth: number): Map<number, number> {
  const distance = new Map([[start, 0]]);
  let ring = [start];
  for (let away = 1; away <= depth && ring.length > 0; away++) {
    const next: number[] = [];
    for (const node of ring) {
      for (const edge of edgesOf(graph, node)) {
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
export function orphans(graph: Graph): number[] {
  return graph.nodes.flatMap(({ note }, node) =>
    KEPT.includes(note.kind) && note.status !== "archived" && isOrphan(graph, node) ? [node] : []
  );
}

export function isOrphan(graph: Graph, node: number): boolean {
  return edgesOf(graph, node).length === 0;
}

/** The links from and to a node. */
export function edgesOf(graph: Graph, node: number): Edge[] {
  return [...graph.out[node] ?? [], ...graph.into[node] ?? []];
}

export function otherEnd({ from, to }: Edge, node: number): number {
  return from === node ? to : from;
}
