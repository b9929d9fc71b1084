/**
 * Notes and the links between them, derived from the index without reading notes. A link is resolved by id,
 * and then as Obsidian does: by path, file name or alias.
 */
import { SageError } from "../../base/errors.ts";
import { basename, join } from "../../base/path.ts";
import { shortId } from "../../base/id.ts";
import { lazy } from "../../base/memoize.ts";
import { isAscii } from "../../base/text/pattern.ts";
import { stemOf } from "../../store/layout.ts";
import { listRedirects, type Redirect } from "../../store/redirects.ts";
import { relatedCatalogued, type RelatedEntry } from "../catalogue.ts";
import { isHere } from "../index/entries.ts";
import { indexedItem, type NoteItem } from "../item.ts";
import { CHOICES_MAX, idBegins, nameTyped } from "../find.ts";
import { type Memory, storesThere } from "../memory.ts";
import { readFresh } from "../index/reindex.ts";

export interface GraphNode extends RelatedEntry {
  /** Links from it in the order of its text, and links to it. */
  readonly out: readonly Edge[];
  readonly into: readonly Edge[];
}

export interface Edge {
  readonly from: GraphNode;
  readonly to: GraphNode;
  /** `link`, or the relation in the front matter: `supports`, `parent`, `supersedes`, `contradicts`, … */
  readonly relation: string;
}

export interface Unresolved {
  readonly from: GraphNode;
  readonly target: string;
  readonly relation: string;
}

export interface Graph {
  readonly nodes: readonly GraphNode[];
  readonly unresolved: readonly Unresolved[];
  /** Targets that are files of the vault but not Sage's notes, if they were looked for. */
  readonly vault?: readonly Unresolved[];
  /** The node with this id, short id, path, file name, alias or title; of several, the nearer one. */
  find(ref: string, from?: GraphNode): GraphNode | undefined;
  /** What a person may mean: all nodes of that name, or those whose id or short id begins so. */
  named(ref: string): readonly GraphNode[];
}

export interface GraphItem extends NoteItem {
  readonly links: number;
  readonly backlinks: number;
}

/** Relations whose target must be a note; a source may also be a file or an address. */
const OF_NOTES = ["link", "parent", "supersedes", "recalled", "checkpoints"];
/** Attachments, which Obsidian shows inside a note; `Node.js` may be a note. */
const ATTACHMENT =
  /\.(?:avif|bmp|gif|jpe?g|png|svg|webp|flac|m4a|mp3|ogg|wav|webm|3gp|mkv|mov|mp4|ogv|pdf|canvas|base)$/i;

/** The graph of all notes in reach: of this project, or of every project. */
export async function openGraph(
  memory: Memory,
  options: { readonly all?: boolean } = {},
): Promise<Graph> {
  return await readFresh(memory, () => graphOf(memory, options.all === true));
}

function graphOf(memory: Memory, isAll: boolean): Graph {
  const { project } = memory;
  // Redirects of a store that nobody vouched for could lead its links anywhere.
  const redirects = project === undefined || project.trust === "unknown"
    ? []
    : listRedirects(project);
  const restsOn = (): string =>
    JSON.stringify([
      isAll,
      memory.places.projectIds,
      ...storesThere(memory).map((store) => [
        store.root,
        store.trust,
        memory.index(store).check ?? "",
      ]),
      redirects,
    ]);
  const key = restsOn();
  const known = kept.find((one) => one.key === key);
  if (known !== undefined) return known.graph;
  const entries = relatedCatalogued(memory);
  const graph = buildGraph(
    isAll ? entries : entries.filter((entry) => isHere(memory, entry)),
    redirects,
  );
  // Else an index turned out to be damaged, and the same notes make the same key again.
  if (key === restsOn()) kept = [{ key, graph }, ...kept].slice(0, KEPT_MAX);
  return graph;
}

/** The last graphs, because a server asks again and again while nothing changes. */
let kept: readonly { readonly key: string; readonly graph: Graph }[] = [];
const KEPT_MAX = 2;

/** A node while its links are being resolved. */
interface Growing extends RelatedEntry {
  readonly out: Edge[];
  readonly into: Edge[];
}

/** All nodes of a name, of the first kind of name that any has. */
type FindAll = (ref: string, from?: Growing) => readonly Growing[];

/** `redirects`: from ids of the project's store to notes that are in the person's own now. */
export function buildGraph(
  entries: readonly RelatedEntry[],
  redirects: readonly Redirect[] = [],
): Graph {
  const nodes = entries.map((entry): Growing => ({ ...entry, out: [], into: [] }));
  const findAll = followingRedirects(nodes, finder(nodes), redirects);
  const find = (ref: string, from?: Growing): Growing | undefined =>
    choose(findAll(ref, from), from);
  const unresolved: Unresolved[] = [];
  for (const from of nodes) {
    for (const [target, relation] of from.relations.links) {
      const to = find(target, from);
      if (to === undefined) {
        const isMissing = OF_NOTES.includes(relation) && !ATTACHMENT.test(target);
        if (isMissing && !isSource(from, target)) unresolved.push({ from, target, relation });
        continue;
      }
      const isKnown = to === from ||
        from.out.some((edge) => edge.to === to && edge.relation === relation);
      if (isKnown) continue;
      const edge = { from, to, relation };
      from.out.push(edge);
      to.into.push(edge);
    }
  }
  const named = (typed: string): readonly GraphNode[] => {
    const ref = nameTyped(typed);
    const file = nodes.find(({ store, note }) => join(store.root, note.path) === typed);
    const found = file === undefined ? findAll(ref) : [file];
    return found.length > 0 ? found : nodes.filter(({ note }) => idBegins(note.id, ref));
  };
  return { nodes, unresolved, find, named };
}

/** Whether the note names it as a source too: a list of sources in the text links all of them. */
function isSource({ relations }: Growing, target: string): boolean {
  return relations.links.some(([to, relation]) => to === target && !OF_NOTES.includes(relation));
}

/** Follows redirects of the project's ids; other names are tried last. */
function followingRedirects(
  nodes: readonly Growing[],
  find: FindAll,
  redirects: readonly Redirect[],
): FindAll {
  if (redirects.length === 0) return find;
  const users = firstBy(nodes.filter(({ store }) => store.scope === "user"), (node) => [
    [node.note.id, node],
  ]);
  const called = (names: (one: Redirect) => readonly string[]) =>
    firstBy(redirects, (one) => names(one).map((name) => [keyOf(name), users.get(one.to)]));
  const ids = called(({ id }) => [id]);
  const typed = lazy(() => called(({ id }) => [id, shortId(id)]));
  const others = lazy(() =>
    called(({ path, title }) => [title, stemOf(basename(path)), stemOf(path)])
  );
  return (ref, from) => {
    if (from !== undefined && from.store.scope !== "project") return find(ref, from);
    const wanted = keyOf(stemOf(ref).replace(/^(?:\.{0,2}\/)+/, ""));
    const moved = (from === undefined ? typed() : ids).get(wanted);
    if (moved !== undefined) return [moved];
    const found = find(ref, from);
    const other = found.length > 0 ? undefined : others().get(wanted);
    return other === undefined ? found : [other];
  };
}

/** The first of several with the same key. */
function firstBy<T, V>(
  items: readonly T[],
  of: (item: T) => readonly (readonly [string, V])[],
): Map<string, V> {
  return new Map(items.flatMap(of).reverse());
}

/** Nodes by a kind of name. */
type Names = Map<string, Growing[]>;

function finder(nodes: readonly Growing[]): FindAll {
  const ids = namesOf(nodes, ({ note }) => [note.id]);
  // Built only for links that are not ids; Sage's own are.
  const files = lazy(() => namesOf(nodes, ({ note }) => [stemOf(basename(note.path))]));
  const aliases = lazy(() => namesOf(nodes, ({ relations }) => relations.aliases));
  const titles = lazy(() => namesOf(nodes, ({ note }) => [note.title]));
  const shorts = lazy(() => namesOf(nodes, ({ note }) => [shortId(note.id)]));
  return (ref, from) => {
    const wanted = keyOf(stemOf(ref));
    if (wanted === "") return [];
    const byId = ids.get(wanted);
    if (byId !== undefined) return byId;
    const there = wanted.includes("/") ? byPath(files(), ids, wanted) : [];
    if (there.length > 0) return there;
    // Links do not use short ids; people type them.
    const typed = from === undefined ? [shorts] : [];
    for (const names of [files, aliases, titles, ...typed]) {
      const found = names().get(wanted);
      if (found !== undefined) return found;
    }
    return [];
  };
}

/**
 * `folder/Name`: the end of a path, as far as it was written; in a vault, a path from its root. A renamed
 * file is also found by its former name, which was the id.
 */
function byPath(files: Names, ids: Names, wanted: string): readonly Growing[] {
  const end = wanted.replace(/^(?:\.{0,2}\/)+/, "");
  const endsSo = ({ store: { vault } }: Growing, path: string): boolean => {
    const whole = vault === undefined ? path : `${vault.path}/${path}`;
    return `/${keyOf(stemOf(whole))}`.endsWith(`/${end}`);
  };
  const called = (names: Names): readonly Growing[] => names.get(stemOf(basename(end))) ?? [];
  const byFile = called(files).filter((node) => endsSo(node, node.note.path));
  return byFile.length > 0
    ? byFile
    : called(ids).filter((node) => endsSo(node, `${folderOf(node.note.path)}/${node.note.id}`));
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function namesOf(nodes: readonly Growing[], of: (node: Growing) => readonly string[]): Names {
  const names: Names = new Map();
  for (const node of nodes) {
    for (const key of of(node).map(keyOf)) {
      const there = names.get(key);
      if (there !== undefined) there.push(node);
      else if (key !== "") names.set(key, [node]);
    }
  }
  return names;
}

/** Of several with the name, the one in the linking note's store. */
function choose(found: readonly Growing[], from: Growing | undefined): Growing | undefined {
  return found.find((node) => node.store === from?.store && node !== from) ?? found[0];
}

function keyOf(name: string): string {
  const text = name.trim();
  return isAscii(text) ? text.toLowerCase() : text.normalize("NFC").toLowerCase();
}

/** For a name in the middle of something else, where nobody can be asked. */
export function severalNamed(what: string, nodes: readonly GraphNode[]): SageError {
  const ids = nodes.slice(0, CHOICES_MAX).map(({ note }) => note.id).join(", ");
  return new SageError("ambiguous", `${what} matches ${nodes.length} notes`, {
    hint: `name one of ${ids}`,
  });
}

/** A node as lists and `--json` show it. */
export function toGraphItem({ store, note, out, into }: GraphNode): GraphItem {
  return { ...indexedItem(store, note), links: out.length, backlinks: into.length };
}
