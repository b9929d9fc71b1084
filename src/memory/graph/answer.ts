/**
 * The graph's answers as data, one function for each question. Command line, MCP and HTTP pass these values
 * on, so that the same question has one answer; words, limits and fences are each surface's own.
 */
import { defined } from "../../base/defined.ts";
import { CHOICES_MAX, type Missed, missed, nameTyped } from "../find.ts";
import type { Memory } from "../memory.ts";
import { type RemovedRef, trashedNames } from "../removal/trashed.ts";
import {
  type Edge,
  type Graph,
  type GraphItem,
  type GraphNode,
  toGraphItem,
  type Unresolved,
} from "./graph.ts";
import { askGraph } from "./query.ts";
import { NEAR_LINKS, neighbours, orphans, otherEnd, shortestPath } from "./walk.ts";

/** A note at the other end of a link. */
interface LinkedItem extends GraphItem {
  /** `link`, or the relation in the front matter. */
  readonly relation: string;
}

interface LinksAnswer {
  readonly note: GraphItem;
  readonly items: readonly LinkedItem[];
  /** Of links from the note: targets that are no note. */
  readonly unresolved?: readonly string[];
  /** Targets that are files of the vault, but not Sage's notes. */
  readonly vault?: readonly string[];
}

interface NearItem extends GraphItem {
  /** In links. */
  readonly distance: number;
}

interface NearAnswer {
  readonly note: GraphItem;
  readonly items: readonly NearItem[];
}

/** The first has no relation; the others have the link by which they were reached, and its direction. */
type PathItem =
  & GraphItem
  & Partial<{
    readonly relation: string;
    readonly direction: "forward" | "back";
  }>;

interface UnresolvedItem {
  readonly target: string;
  /** A removed note of that name, which is in the trash. */
  readonly removed?: RemovedRef;
  readonly relation: string;
  readonly from: Pick<GraphItem, "id" | "short_id" | "title" | "path">;
}

interface FoundAnswer {
  readonly items: readonly GraphItem[];
  /** How many match without the limit. */
  readonly total: number;
  /** The groups, if the query groups; a note with several values is in several. */
  readonly groups?: readonly GroupAnswer[];
}

interface GroupAnswer {
  readonly key: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/** The node that somebody named, those that it may be, or what is near. */
export type Located =
  | { readonly kind: "one"; readonly node: GraphNode }
  | { readonly kind: "many"; readonly items: readonly GraphItem[] }
  | { readonly kind: "none" } & Missed;

/** None, or several: who asked has to say which. */
export type NotLocated = Exclude<Located, { readonly kind: "one" }>;

export function locate(memory: Memory, graph: Graph, ref: string): Located {
  const [node, ...others] = graph.named(ref);
  if (node === undefined) return { kind: "none", ...missed(memory, { ref }, graph.nodes) };
  return others.length === 0
    ? { kind: "one", node }
    : { kind: "many", items: [node, ...others].slice(0, CHOICES_MAX).map(toGraphItem) };
}

export function linksOf(graph: Graph, node: GraphNode): LinksAnswer {
  const targets = (links: readonly Unresolved[]): string[] =>
    links.filter(({ from }) => from === node).map(({ target }) => target);
  const { unresolved, vault } = graph;
  return {
    note: toGraphItem(node),
    items: linked(node, node.out),
    unresolved: targets(unresolved),
    ...(vault === undefined ? {} : { vault: targets(vault) }),
  };
}

export function backlinksOf(node: GraphNode): LinksAnswer {
  return { note: toGraphItem(node), items: linked(node, node.into) };
}

/** Nearest first. */
export function notesNear(node: GraphNode, depth = NEAR_LINKS): NearAnswer {
  const items = [...neighbours(node, depth)].filter(([, distance]) => distance > 0)
    .map(([other, distance]) => ({ ...toGraphItem(other), distance }));
  return { note: toGraphItem(node), items };
}

/** A shortest path, both ends included; empty if there is none. */
export function pathBetween(from: GraphNode, to: GraphNode): PathItem[] {
  return (shortestPath(from, to) ?? []).map(({ node, edge }) => ({
    ...toGraphItem(node),
    ...(edge === undefined
      ? {}
      : { relation: edge.relation, direction: edge.to === node ? "forward" : "back" }),
  }));
}

export function orphanItems(graph: Graph): GraphItem[] {
  return orphans(graph).map(toGraphItem);
}

export async function unresolvedItems(memory: Memory, graph: Graph): Promise<UnresolvedItem[]> {
  if (graph.unresolved.length === 0) return [];
  const trashed = await trashedNames(memory);
  return graph.unresolved.map(({ from, target, relation }) => {
    const { id, short_id, title, path } = toGraphItem(from);
    const removed = trashed(nameTyped(target));
    return { target, relation, from: { id, short_id, title, path }, ...defined({ removed }) };
  });
}

export function foundBy(memory: Memory, graph: Graph, query: string): FoundAnswer {
  const { nodes, total, groups } = askGraph(memory, graph, query);
  return {
    items: nodes.map(toGraphItem),
    total,
    ...(groups === undefined ? {} : {
      groups: groups.map(({ key, nodes: members }) => (
        { key, count: members.length, ids: members.map(({ note }) => note.id) }
      )),
    }),
  };
}

function linked(node: GraphNode, edges: readonly Edge[]): LinkedItem[] {
  return edges.map((edge) => ({ ...toGraphItem(otherEnd(edge, node)), relation: edge.relation }));
}
