/**
 * Notes and the links between them, derived from the index: nothing is read from the notes themselves.
 * A link is resolved as Obsidian does it, by path, file name or alias, and before that by id.
 */
import { join } from "../../base/fs.ts";
import { shortId } from "../../base/id.ts";
import type { IndexedNote, Relations } from "../../search/document.ts";
import type { Store } from "../../store/handle.ts";
import { isHere } from "../entries.ts";
import { attributed, type NoteItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { refreshStore } from "../reindex.ts";

export interface GraphNode {
  readonly store: Store;
  readonly note: IndexedNote;
  readonly relations: Relations;
}

/** From and to are places in `nodes`. */
export interface Edge {
  readonly from: number;
  readonly to: number;
  /** `link`, or what the front matter says: `supports`, `parent`, `supersedes`, `contradicts`, … */
  readonly relation: string;
}

export interface Unresolved {
  readonly from: number;
  readonly target: string;
  readonly relation: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  /** Of each node, in the order of its text. */
  readonly out: readonly (readonly Edge[])[];
  readonly into: readonly (readonly Edge[])[];
  readonly unresolved: readonly Unresolved[];
  /** The node that is called so: by id, short id, path, file name, alias or title. */
  find(ref: string, from?: number): number | undefined;
}

export interface GraphItem extends NoteItem {
  readonly links: number;
  readonly backlinks: number;
  readonly author: string;
}

/** Relations whose target must be a note; a source may as well be a file or an address. */
const OF_NOTES = ["link", "parent", "supersedes", "recalled", "checkpoints"];

/** The graph of what is in reach: of this project, or of every one. */
export async function openGraph(
  memory: Memory,
  options: { readonly all?: boolean } = {},
): Promise<Graph> {
  const nodes: GraphNode[] = [];
  for (const store of memory.stores) {
    if (memory.fs.lstat(store.root) === undefined) continue;
    await refreshStore(memory, store);
    for (const related of memory.index(store).relations()) {
      const node = { store, ...related };
      if (options.all === true || isHere(memory, node)) nodes.push(node);
    }
  }
  return buildGraph(nodes);
}

export function buildGraph(nodes: readonly GraphNode[]): Graph {
  const find = finder(nodes);
  const out: Edge[][] = nodes.map(() => []);
  const into: Edge[][] = nodes.map(() => []);
  const unresolved: Unresolved[] = [];
  nodes.forEach(({ relations }, from) => {
    for (const { target, relation } of relations.links) {
      const to = find(target, from);
      if (to === undefined) {
        if (OF_NOTES.includes(relation)) unresolved.push({ from, target, relation });
        continue;
      }
      const isKnown = to === from ||
        out[from]?.some((edge) => edge.to === to && edge.relation === relation);
      if (isKnown) continue;
      const edge = { from, to, relation };
      out[from]?.push(edge);
      into[to]?.push(edge);
    }
  });
  return { nodes, out, into, unresolved, find };
}

/** Names of one sort, and who bears them; of several, the one in the linking note's store. */
type Names = Map<string, number | number[]>;

function finder(nodes: readonly GraphNode[]): Graph["find"] {
  // In the order in which they are asked: ids, paths, file names, aliases, titles.
  const sorts: Names[] = [new Map(), new Map(), new Map(), new Map(), new Map()];
  const add = (sort: number, name: string, node: number): void => {
    const names = sorts[sort];
    const key = keyOf(name);
    if (names === undefined || key === "") return;
    const there = names.get(key);
    if (there === undefined) names.set(key, node);
    else if (Array.isArray(there)) there.push(node);
    else if (there !== node) names.set(key, [there, node]);
  };
  nodes.forEach(({ note, relations }, i) => {
    const path = note.path.replace(/\.md$/i, "");
    add(0, note.id, i);
    add(1, path, i);
    add(2, path.slice(path.lastIndexOf("/") + 1), i);
    for (const alias of relations.aliases) add(3, alias, i);
    add(4, note.title, i);
  });
  let shorts: Map<string, number> | undefined;
  return (ref, from) => {
    const wanted = keyOf(ref.replace(/\.md$/i, ""));
    if (wanted === "") return undefined;
    for (const names of sorts) {
      const found = names.get(wanted);
      if (found !== undefined) return choose(nodes, found, from);
    }
    // `folder/Name`: the end of a path, as far as it was written.
    const slash = wanted.lastIndexOf("/");
    if (slash >= 0) {
      const named = sorts[2]?.get(wanted.slice(slash + 1));
      const end = wanted.replace(/^(?:\.\.?\/)+/, "");
      const fits = [named ?? []].flat().filter((node) =>
        `/${keyOf(nodes[node]?.note.path.replace(/\.md$/i, "") ?? "")}`.endsWith(`/${end}`)
      );
      if (fits.length > 0) return choose(nodes, fits, from);
    }
    if (!/^[0-9a-f]{8}$/.test(wanted) || from !== undefined) return undefined;
    shorts ??= new Map(nodes.map(({ note }, i) => [shortId(note.id), i]));
    return shorts.get(wanted);
  };
}

function choose(
  nodes: readonly GraphNode[],
  found: number | readonly number[],
  from: number | undefined,
): number | undefined {
  if (typeof found === "number") return found;
  const store = from === undefined ? undefined : nodes[from]?.store;
  return found.find((node) => nodes[node]?.store === store && node !== from) ?? found[0];
}

function keyOf(name: string): string {
  return name.trim().normalize("NFC").toLowerCase();
}

/** A node as lists and `--json` show it. */
export function toGraphItem(graph: Graph, at: number): GraphItem {
  const node = graph.nodes[at];
  if (node === undefined) throw new RangeError(`no node ${at}`);
  const { store, note } = node;
  const flags = [
    ...(store.trust === "unknown" ? ["untrusted"] : []),
    ...(note.status === "archived" ? ["archived"] : []),
    ...(note.supersededBy === undefined ? [] : ["superseded"]),
    ...(note.problem ? ["unparsable"] : []),
  ];
  return {
    id: note.id,
    short_id: shortId(note.id),
    type: note.kind,
    title: note.title,
    path: join(store.root, note.path),
    created: note.created,
    updated: note.updated,
    status: note.status,
    scope: store.scope,
    ...(note.project === undefined || note.project === "" ? {} : { project: note.project }),
    tags: note.tags,
    flags,
    author: attributed(store, note.author),
    links: graph.out[at]?.length ?? 0,
    backlinks: graph.into[at]?.length ?? 0,
  };
}
