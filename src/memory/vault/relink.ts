/**
 * Rewrites links to notes that were moved, so that each leads to the file's new name. A link that leads
 * there already stays as it was written.
 */
import { basename } from "../../base/path.ts";
import { SageError } from "../../base/errors.ts";
import { fileLinksTo } from "../../note/links.ts";
import { withTargets } from "../../note/markdown.ts";
import { statedId } from "../../note/parse.ts";
import type { Store } from "../../store/handle.ts";
import { stemOf } from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import { replaceNote } from "../../store/store.ts";
import { type Graph, type GraphNode, openGraph } from "../graph/graph.ts";
import type { Memory } from "../memory.ts";
import { rewroteNote } from "../session/own_bytes.ts";
import { openLinker, renamed } from "./links.ts";
import { stemThere } from "./names.ts";

/** After a store came into a vault. */
export async function relink(memory: Memory, store: Store): Promise<void> {
  const graph = await openGraph(memory, { all: true });
  const link = await openLinker(memory, store);
  await rewrite(memory, store, graph, (text, from) => link(text, { from }));
}

/** Before a store leaves its vault: by the files' future names, which are ids. */
export async function unlink(memory: Memory, store: Store): Promise<void> {
  const graph = await openGraph(memory, { all: true });
  const later = await laterNames(graph, store);
  await rewrite(memory, store, graph, (text, from) => {
    const nameOf = (target: string): string | undefined => {
      const node = graph.find(target, from);
      return node && later.get(node);
    };
    const linked = withTargets(text, ({ target }) => {
      const name = nameOf(target);
      return name === undefined ? undefined : { target: stemOf(name) };
    });
    return fileLinksTo(linked, (path) => {
      const name = nameOf(path);
      return name === undefined ? undefined : renamed(path, name);
    });
  });
}

/** The files' future names, where they change. */
async function laterNames(graph: Graph, store: Store): Promise<Map<GraphNode, string>> {
  const later = new Map<GraphNode, string>();
  for (const node of graph.nodes) {
    if (node.store.root !== store.root || node.note.problem) continue;
    const loaded = await loadNote(store, node.note.path).catch(() => undefined);
    const stem = loaded === undefined || statedId(loaded.note.front) === undefined
      ? undefined
      : stemThere(loaded.note, stemOf(basename(node.note.path)), false);
    if (stem !== undefined) later.set(node, `${stem}.md`);
  }
  return later;
}

async function rewrite(
  memory: Memory,
  store: Store,
  graph: Graph,
  change: (text: string, from: GraphNode) => string,
): Promise<void> {
  for (const node of graph.nodes) {
    if (node.store.root !== store.root || node.note.problem || node.relations.links.length === 0) {
      continue;
    }
    try {
      const loaded = await loadNote(store, node.note.path);
      const next = change(loaded.text, node);
      if (next === loaded.text) continue;
      const outcome = await replaceNote(store, loaded, next, { keepVersion: false });
      if (outcome.kind === "written") rewroteNote(memory, loaded, next);
    } catch (error) {
      // In use, or not writable: Sage finds its links all the same.
      if (!(error instanceof SageError)) throw error;
    }
  }
}
