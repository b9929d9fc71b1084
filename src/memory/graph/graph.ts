/**
 * Notes and the links between them, derived from the index: nothing is read from the notes themselves.
 * A link is resolved as Obsidian does it, by path, file name or alias, and before that by id.
 */
import { assert } from "../../base/errors.ts";
import { shortId } from "../../base/id.ts";
import { isAscii } from "../../base/pattern.ts";
import type { IndexedNote, Relations } from "../../search/document.ts";
import type { Store } from "../../store/handle.ts";
import { listRedirects, type Redirect } from "../../store/redirects.ts";
import { isHere } from "../entries.ts";
import { indexedItem, type NoteItem } from "../item.ts";
import { type Memory, storesThere } from "../memory.ts";
import { refreshAll } from "../reindex.ts";

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
}

/** Relations whose target must be a note; a source may as well be a file or an address. */
const OF_NOTES = ["link", "parent", "supersedes", "recalled", "checkpoints"];
/** What Obsidian shows in a note and is none; `Node.js` may be one. */
const ATTACHMENT =
  /\.(?:avif|bmp|gif|jpe?g|png|svg|webp|flac|m4a|mp3|ogg|wav|webm|3gp|mkv|mov|mp4|ogv|pdf|canvas|base)$/i;

/** The graph of what is in reach: of this project, or of every one. */
export async function openGraph(
  memory: Memory,
  options: { readonly all?: boolean } = {},
): Promise<Graph> {
  await refreshAll(memory);
  const stores = storesThere(memory);
  const { project } = memory;
  // Of a clone that nobody vouched for they would lead its links to whatever they name.
  const redirects = project === undefined || project.trust === "unknown"
    ? []
    : listRedirects(project);
  const key = JSON.stringify([
    options.all === true,
    memory.places.projectIds,
    ...stores.map((store) => [store.root, store.trust, memory.index(store).check ?? ""]),
    redirects,
  ]);
  const known = kept.find((one) => one.key === key);
  if (known !== undefined) return known.graph;
  const nodes = stores.flatMap((store) =>
    memory.index(store).relations().map((related) => ({ store, ...related }))
  );
  const graph = buildGraph(
    options.all === true ? nodes : nodes.filter((node) => isHere(memory, node)),
    redirects,
  );
  kept = [{ key, graph }, ...kept].slice(0, KEPT_MAX);
  return graph;
}

/** A server is asked again and again while nothing changes, of this project and of every one. */
let kept: readonly { readonly key: string; readonly graph: Graph }[] = [];
const KEPT_MAX = 2;

/** `redirects`: of the project's store, to notes that lie in the person's own by now. */
export function buildGraph(
  nodes: readonly GraphNode[],
  redirects: readonly Redirect[] = [],
): Graph {
  const find = following(nodes, finder(nodes), redirects);
  const out: Edge[][] = nodes.map(() => []);
  const into: Edge[][] = nodes.map(() => []);
  const unresolved: Unresolved[] = [];
  nodes.forEach(({ relations }, from) => {
    for (const [target, relation] of relations.links) {
      const to = find(target, from);
      if (to === undefined) {
        const isMissing = OF_NOTES.includes(relation) && !ATTACHMENT.test(target);
        if (isMissing) unresolved.push({ from, target, relation });
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

/** The same, but an id of the project's that moved on leads to where it is; other names only at last. */
function following(
  nodes: readonly GraphNode[],
  find: Graph["find"],
  redirects: readonly Redirect[],
): Graph["find"] {
  if (redirects.length === 0) return find;
  const there = (ref: string, names: (one: Redirect) => readonly string[]): number | undefined => {
    const wanted = keyOf(ref.replace(/\.md$/i, "").replace(/^(?:\.{0,2}\/)+/, ""));
    const to = redirects.find((one) => names(one).some((name) => keyOf(name) === wanted))?.to;
    const at = nodes.findIndex(({ store, note }) => store.scope === "user" && note.id === to);
    return at < 0 ? undefined : at;
  };
  return (ref, from) => {
    const isOfProject = from === undefined || nodes[from]?.store.scope === "project";
    const names = ({ id }: Redirect): string[] => from === undefined ? [id, shortId(id)] : [id];
    const moved = isOfProject ? there(ref, names) : undefined;
    return moved ?? find(ref, from) ??
      (isOfProject
        ? there(ref, ({ path, title }) => [title, fileName(path), path.replace(/\.md$/i, "")])
        : undefined);
  };
}

/** Names of one sort, and who bears them; of several, the one in the linking note's store. */
type Names = Map<string, number | number[]>;

function finder(nodes: readonly GraphNode[]): Graph["find"] {
  const ids = namesOf(nodes, ({ note }) => [note.id]);
  // Made when a link is not an id, as Sage's own are.
  const later: (() => Names)[] = [
    once(() => namesOf(nodes, ({ note }) => [fileName(note.path)])),
    once(() => namesOf(nodes, ({ relations }) => relations.aliases)),
    once(() => namesOf(nodes, ({ note }) => [note.title])),
  ];
  const shorts = once(() => namesOf(nodes, ({ note }) => [shortId(note.id)]));
  return (ref, from) => {
    const wanted = keyOf(ref.replace(/\.md$/i, ""));
    if (wanted === "") return undefined;
    const byId = ids.get(wanted);
    if (byId !== undefined) return choose(nodes, byId, from);
    if (wanted.includes("/")) {
      const there = byPath(nodes, [later[0]?.(), ids], wanted, from);
      if (there !== undefined) return there;
    }
    for (const names of later) {
      const found = names().get(wanted);
      if (found !== undefined) return choose(nodes, found, from);
    }
    // Nobody links by a short id; people type them.
    const typed = from === undefined ? shorts().get(wanted) : undefined;
    return typed === undefined ? undefined : choose(nodes, typed, from);
  };
}

/**
 * `folder/Name`: the end of a path, as far as it was written; in a vault from its root on. Where the file
 * is called otherwise by now, its name before was the id.
 */
function byPath(
  nodes: readonly GraphNode[],
  names: readonly (Names | undefined)[],
  wanted: string,
  from: number | undefined,
): number | undefined {
  const end = wanted.replace(/^(?:\.{0,2}\/)+/, "");
  for (const [i, named] of names.entries()) {
    const fits = [named?.get(fileName(end)) ?? []].flat().filter((node) => {
      const { store, note } = nodes[node] ?? {};
      const path = i === 0 ? note?.path ?? "" : `${folderOf(note?.path)}/${note?.id}`;
      const whole = store?.vault === undefined ? path : `${store.vault.path}/${path}`;
      return `/${keyOf(whole.replace(/\.md$/i, ""))}`.endsWith(`/${end}`);
    });
    if (fits.length > 0) return choose(nodes, fits, from);
  }
  return undefined;
}

function folderOf(path = ""): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function namesOf(
  nodes: readonly GraphNode[],
  of: (node: GraphNode) => readonly string[],
): Names {
  const names: Names = new Map();
  nodes.forEach((node, i) => {
    for (const name of of(node)) {
      const key = keyOf(name);
      const there = key === "" ? i : names.get(key);
      if (there === undefined) names.set(key, i);
      else if (Array.isArray(there)) there.push(i);
      else if (there !== i) names.set(key, [there, i]);
    }
  });
  return names;
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

function fileName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.md$/i, "");
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
  const text = name.trim();
  return isAscii(text) ? text.toLowerCase() : text.normalize("NFC").toLowerCase();
}

export function nodeAt(graph: Graph, at: number): GraphNode {
  const node = graph.nodes[at];
  assert(node !== undefined, `the graph has a node ${at}`);
  return node;
}

/** A node as lists and `--json` show it. */
export function toGraphItem(graph: Graph, at: number): GraphItem {
  const { store, note } = nodeAt(graph, at);
  return {
    ...indexedItem(store, note),
    links: graph.out[at]?.length ?? 0,
    backlinks: graph.into[at]?.length ?? 0,
  };
}
