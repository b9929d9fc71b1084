/** How notes hang together, and which ones fit a question about keys, tags, times, links and words. */
import { z } from "zod";
import { nearestNotes } from "../../memory/find.ts";
import { type Graph, openGraph, toGraphItem } from "../../memory/graph/graph.ts";
import { askGraph } from "../../memory/graph/query.ts";
import { neighbours, orphans, shortestPath } from "../../memory/graph/walk.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, failed, unknown } from "../answer.ts";
import { defineTool, READS } from "../tool.ts";
import { count, label, listing, notesShape } from "./shapes.ts";

const input = z.strictObject({
  action: z.enum(["links", "backlinks", "path", "near", "orphans", "unresolved", "query"]),
  note: label.optional(),
  to: label.optional(),
  query: z.string().trim().min(1).max(2000).optional(),
  depth: z.int().min(1).max(10).optional(),
  limit: z.int().min(1).max(200).optional(),
});

type Input = z.output<typeof input>;

const LIMIT = 50;
const NEAR_LINKS = 2;

/** A note in an answer, and what of the graph is said of it. */
interface Found {
  readonly node: number;
  readonly said: string;
}

export const graphTool = defineTool({
  name: "sage_graph",
  title: "Graph",
  description:
    "How notes are linked: links, backlinks, near {note}; path {note, to}; orphans; unresolved; query {query}, such as " +
    "type:knowledge tag:git updated:<30d to:git-worktrees -is:archived sort:-links group:tag.",
  input,
  output: notesShape,
  annotations: READS,
  async run(memory, args) {
    const graph = await openGraph(memory);
    switch (args.action) {
      case "query":
        return ask(memory, graph, args);
      case "orphans":
        return told(
          memory,
          graph,
          args,
          orphans(graph).map((node) => ({ node, said: "" })),
          "without links",
        );
      case "unresolved": {
        const found = graph.unresolved.map(({ from, target }) => ({
          node: from,
          said: `names ${target}`,
        }));
        return told(memory, graph, args, found, "with links to nothing");
      }
      default:
        return around(memory, graph, args);
    }
  },
});

function ask(memory: Memory, graph: Graph, args: Input): Answer {
  if (args.query === undefined) return failed('sage_graph: to query, give "query".');
  const limited = args.limit === undefined ? args.query : `${args.query} limit:${args.limit}`;
  const { nodes, total, groups } = askGraph(memory, graph, limited);
  const said = new Map<number, string>();
  for (const { key, nodes: members } of groups ?? []) {
    for (const node of members) {
      said.set(node, [said.get(node), key || "(none)"].filter(Boolean).join(", "));
    }
  }
  const found = nodes.map((node) => ({ node, said: said.get(node) ?? "" }));
  const sizes = groups === undefined
    ? {}
    : { groups: groups.map(({ key, nodes: members }) => ({ key, count: members.length })) };
  return told(memory, graph, { ...args, limit: nodes.length || 1 }, found, "that fit", {
    total,
    ...sizes,
  });
}

function around(memory: Memory, graph: Graph, args: Input): Answer {
  const { action, note, to, depth = NEAR_LINKS } = args;
  if (note === undefined) {
    return failed(`sage_graph: for ${action}, give "note": an id or a title.`);
  }
  const node = graph.find(note);
  if (node === undefined) return unknown("note", note, nearestNotes(note, graph.nodes));
  switch (action) {
    case "links":
      return told(memory, graph, args, named(graph.out[node] ?? [], "to"), "it links to");
    case "backlinks":
      return told(memory, graph, args, named(graph.into[node] ?? [], "from"), "that link to it");
    case "near": {
      const near = [...neighbours(graph, node, depth)].filter(([, away]) => away > 0);
      const found = near.map(([other, away]) => ({ node: other, said: `${away} away` }));
      return told(memory, graph, args, found, `within ${depth} links`);
    }
    default: {
      if (to === undefined) return failed('sage_graph: for path, give "note" and "to".');
      const end = graph.find(to);
      if (end === undefined) return unknown("note", to, nearestNotes(to, graph.nodes));
      const steps = shortestPath(graph, node, end) ?? [];
      const found = steps.map(({ node: step, edge }) => ({
        node: step,
        said: edge === undefined ? "start" : `${edge.to === step ? "→" : "←"} ${edge.relation}`,
      }));
      return told(memory, graph, { ...args, limit: found.length || 1 }, found, "on the way");
    }
  }
}

function named(
  edges: readonly { readonly from: number; readonly to: number; readonly relation: string }[],
  end: "from" | "to",
): Found[] {
  return edges.map((edge) => ({ node: edge[end], said: edge.relation }));
}

/** Titles and what else notes say of themselves go into the fence; ids and numbers stand outside. */
function told(
  memory: Memory,
  graph: Graph,
  { limit = LIMIT }: Input,
  found: readonly Found[],
  what: string,
  data: Readonly<Record<string, unknown>> = {},
): Answer {
  const notes = found.slice(0, limit).map(({ node, said }) => {
    const item = toGraphItem(graph, node);
    const tags = item.tags.length === 0 ? "" : `tags: ${item.tags.join(", ")}`;
    return {
      ...item,
      text: [said, tags].filter((part) => part !== "").join(" · "),
      facts: { type: item.type, links: item.links, backlinks: item.backlinks },
    };
  });
  const total = Number(data["total"] ?? found.length);
  return listing(memory, notes, (shown) => {
    if (shown === 0) return `No note ${what}.`;
    const more = total > shown ? ` ${total - shown} more: narrow the query, or raise limit.` : "";
    return `${count(shown, "note")} ${what}.${more}`;
  }, { total, ...data });
}
