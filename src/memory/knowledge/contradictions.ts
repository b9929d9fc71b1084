/**
 * Statements that contradict each other while both are active: in pairs, with dates and texts, the older
 * first, for a person to say which one holds. What was archived or replaced has been decided.
 */
import { compareText } from "../../base/text/text.ts";
import { readEntry } from "../index/entries.ts";
import { type GraphNode, openGraph } from "../graph/graph.ts";
import { type NoteItem, publicItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { publicText } from "./related.ts";
import { saidAt } from "./contradicting.ts";

interface Statement extends NoteItem {
  /** Without private text and history. */
  readonly content: string;
  /** SHA-256 of the file. */
  readonly hash: string;
}

interface Contradiction {
  readonly older: Statement;
  readonly newer: Statement;
}

/** The pair with the newest statement first. */
export async function listContradictions(
  memory: Memory,
  options: { readonly all?: boolean; readonly limit?: number } = {},
): Promise<{ readonly items: readonly Contradiction[]; readonly total: number }> {
  const graph = await openGraph(memory, options);
  const pairs = new Map<string, readonly [GraphNode, GraphNode]>();
  for (const { from, to, relation } of graph.nodes.flatMap(({ out }) => out)) {
    if (relation !== "contradicts" || ![from, to].every(stands)) continue;
    const name = [from, to].map(({ store, note }) => `${store.id} ${note.path}`).sort().join("\n");
    // Of two written in the same second, the one with the link came later.
    pairs.set(name, bySaid(to, from) > 0 ? [from, to] : [to, from]);
  }
  const ordered = [...pairs.values()].sort((a, b) => bySaid(b[1], a[1]));
  const items: Contradiction[] = [];
  for (const pair of ordered.slice(0, options.limit ?? ordered.length)) {
    const [older, newer] = await Promise.all(pair.map(statementOf));
    if (older !== undefined && newer !== undefined) items.push({ older, newer });
  }
  return { items, total: ordered.length };
}

function bySaid(a: GraphNode, b: GraphNode): number {
  return compareText(saidAt(a), saidAt(b));
}

function stands({ note }: GraphNode): boolean {
  return note.status !== "archived" && note.supersededBy === undefined;
}

async function statementOf(node: GraphNode): Promise<Statement | undefined> {
  const stored = await readEntry(node);
  if (stored === undefined) return undefined;
  return { ...publicItem(stored), content: publicText(stored), hash: stored.hash };
}
