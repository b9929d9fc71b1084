/**
 * Links as a vault's editor resolves them: by a file's name or path, and by nothing else. Ids, titles
 * and aliases, which Sage accepts as well, are rewritten to the file that they mean.
 */
import { basename, dirname } from "../../base/path.ts";
import { splitFrontMatter } from "../../note/front_matter.ts";
import { fileLinksTo } from "../../note/links.ts";
import { type Retarget, withTargets } from "../../note/markdown.ts";
import type { Store } from "../../store/handle.ts";
import { foldName, stemOf } from "../../store/layout.ts";
import { type VaultNames, vaultNames } from "../../store/vault_names.ts";
import { type Graph, type GraphNode, openGraph, type Unresolved } from "../graph/graph.ts";
import type { Memory } from "../memory.ts";

type Linker = (text: string, options?: {
  /** The former text, whose links stay as they are. */
  readonly before?: string;
  /** The linking note's node in the graph: of two targets with one name the nearer one is meant. */
  readonly from?: GraphNode | undefined;
}) => string;

/** Rewrites the new links of a text so that the vault's editor finds their targets. */
export async function linkedText(
  memory: Memory,
  store: Store,
  text: string,
  before: string,
): Promise<string> {
  if (store.vault === undefined || !hasNewLink(text, before)) return text;
  const link = await openLinker(memory, store);
  return link(text, { before });
}

export async function openLinker(memory: Memory, store: Store): Promise<Linker> {
  const { vault } = store;
  if (vault === undefined) return (text) => text;
  const graph = await openGraph(memory, { all: true });
  const names = vaultNames(memory.fs, vault.root);
  return (text, { before = "", from } = {}) =>
    withBody(text, (body) => {
      const linked = withTargets(body, ({ target, raw }) => {
        if (before.includes(raw)) return undefined;
        return vaultTarget(graph, names, target, from);
      });
      return fileLinksTo(linked, (path) => {
        const node = before.includes(path) ? undefined : graph.find(path, from);
        return node?.store.vault && renamed(path, basename(node.note.path));
      });
    });
}

/** Checked first, because most changes have no new link, and resolving needs the whole graph. */
function hasNewLink(text: string, before: string): boolean {
  if (!mayLink(text)) return false;
  let isNew = false;
  const look = (raw: string): undefined => void (isNew ||= !before.includes(raw));
  withTargets(text, ({ raw }) => look(raw));
  fileLinksTo(text, look);
  return isNew;
}

/** Whether a text may have a link to a note. */
export function mayLink(text: string): boolean {
  return text.includes("[[") || text.includes(".md");
}

/** A link by a file's former path: kinds have the same folders everywhere. */
export function renamed(path: string, name: string): string | undefined {
  const next = path.includes("/") ? `${dirname(path)}/${name}` : name;
  return next === path ? undefined : next;
}

function vaultTarget(
  graph: Graph,
  names: VaultNames,
  target: string,
  from: GraphNode | undefined,
): Retarget | undefined {
  const node = graph.find(target, from);
  const place = node?.store.vault;
  if (node === undefined || place === undefined) return undefined;
  const path = `${place.path}/${node.note.path}`;
  const found = filesCalled(names, target);
  const isFound = target === stemOf(path) || (found.length === 1 && found[0] === path);
  return isFound ? undefined : linkTo(names, path);
}

/** Paths of the vault that a link without `.md` can mean. Its editor does not take ß for ss, as disks may. */
function filesCalled(names: VaultNames, target: string): string[] {
  const lower = (path: string): string => `/${path}`.normalize("NFC").toLowerCase();
  const wanted = lower(`${target}.md`);
  return (names.get(foldName(`${basename(target)}.md`)) ?? [])
    .filter((one) => lower(one).endsWith(wanted));
}

/** The graph for people, in which links to other files of the vault lead there. */
export async function shownGraph(
  memory: Memory,
  options: { readonly all?: boolean } = {},
): Promise<Graph> {
  const graph = await openGraph(memory, options);
  const { fs, places: { vault } } = memory;
  if (vault === undefined || graph.unresolved.length === 0) return graph;
  const names = vaultNames(fs, vault.root);
  const isInVault = ({ from, target }: Unresolved): boolean => {
    const name = stemOf(target).replace(/^(?:\.{0,2}\/)+/, "");
    return from.store.vault !== undefined && filesCalled(names, name).length > 0;
  };
  const found = Map.groupBy(graph.unresolved, isInVault);
  return { ...graph, unresolved: found.get(false) ?? [], vault: found.get(true) ?? [] };
}

/** By the name alone where no other file in the vault has it. */
export function linkTo(names: VaultNames, path: string): Retarget {
  const name = stemOf(basename(path));
  return names.get(foldName(`${name}.md`))?.length === 1
    ? { target: name }
    : { target: stemOf(path), shown: name };
}

/**
 * In front matter too, where links are followed as well. They stand in quotes there, which a name with
 * a quote would end.
 */
function withBody(text: string, change: (part: string) => string): string {
  const { bodyStart } = splitFrontMatter(text);
  const front = text.slice(0, bodyStart);
  const changed = change(front);
  const quotes = (part: string): number => part.split(/["']/).length;
  const head = quotes(changed) === quotes(front) ? changed : front;
  return head + change(text.slice(bodyStart));
}
