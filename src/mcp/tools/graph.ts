/** The tool for links between notes, and for queries by keys, tags, times, links and words. */
import { count } from "../../base/text/text.ts";
import { z } from "zod";
import {
  backlinksOf,
  foundBy,
  linksOf,
  locate,
  notesNear,
  orphanItems,
  pathBetween,
} from "../../memory/graph/answer.ts";
import { type Graph, type GraphItem, toGraphItem } from "../../memory/graph/graph.ts";
import type { Memory } from "../../memory/memory.ts";
import { shownGraph } from "../../memory/vault/links.ts";
import { type Answer, failed, notFound } from "../answer.ts";
import { quoted } from "../fenced.ts";
import { defineTool, READS } from "../tool.ts";
import { label, listing, notesShape } from "./shapes.ts";

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
/** Groups whose sizes are listed; by id or title there are as many groups as notes. */
const GROUPS_MAX = 100;

/** How many of a note's links to other targets than notes are named; the rest are counted. */
const TARGETS_MAX = 20;

/** A note in an answer, with its facts from the graph. */
interface Found {
  readonly item: GraphItem;
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
    const graph = await shownGraph(memory);
    switch (args.action) {
      case "query":
        return ask(memory, graph, args);
      case "orphans":
        return told(
          memory,
          args,
          orphanItems(graph).map((item) => ({ item, said: "" })),
          "without links",
        );
      case "unresolved": {
        const found = graph.unresolved.map(({ from, target }) => ({
          item: toGraphItem(from),
          said: `names ${target}`,
        }));
        return told(memory, args, found, "with links to nothing");
      }
      default:
        return around(memory, graph, args);
    }
  },
});

function ask(memory: Memory, graph: Graph, args: Input): Answer {
  if (args.query === undefined) return failed('sage_graph: to query, give "query".');
  const limited = args.limit === undefined ? args.query : `${args.query} limit:${args.limit}`;
  const { items, total, groups } = foundBy(memory, graph, limited);
  const said = new Map<string, string>();
  for (const { key, ids } of groups ?? []) {
    for (const id of ids) said.set(id, [said.get(id), key || "(none)"].filter(Boolean).join(", "));
  }
  const found = items.map((item) => ({ item, said: said.get(item.id) ?? "" }));
  const sizes = groups === undefined ? {} : {
    groups: groups.slice(0, GROUPS_MAX).map(({ key, count }) => ({ key, count })),
    groups_total: groups.length,
  };
  return told(memory, { ...args, limit: items.length || 1 }, found, "matching the query", {
    total,
    ...sizes,
  });
}

function around(memory: Memory, graph: Graph, args: Input): Answer {
  const { action, note, to, depth } = args;
  if (note === undefined) {
    return failed(`sage_graph: for ${action}, give "note": an id or a title.`);
  }
  const found = locate(memory, graph, note);
  if (found.kind !== "one") return notFound("note", note, found);
  const { node } = found;
  switch (action) {
    case "links": {
      const { items, unresolved = [], vault = [] } = linksOf(graph, node);
      const elsewhere = [
        leading(vault, "in the vault, and no note of Sage's"),
        leading(unresolved, "no note has that name"),
      ].join("");
      return told(memory, args, items.map(byRelation), "it links to", {}, elsewhere);
    }
    case "backlinks":
      return told(memory, args, backlinksOf(node).items.map(byRelation), "linking to it");
    case "near": {
      const { items } = notesNear(node, depth);
      const found = items.map((item) => ({ item, said: `${item.distance} away` }));
      return told(memory, args, found, depth === undefined ? "near it" : `within ${depth} links`);
    }
    default: {
      if (to === undefined) return failed('sage_graph: for path, give "note" and "to".');
      const end = locate(memory, graph, to);
      if (end.kind !== "one") return notFound("note", to, end);
      const path = pathBetween(node, end.node).map((item) => ({
        item,
        said: item.relation === undefined
          ? "start"
          : `${item.direction === "forward" ? "→" : "←"} ${item.relation}`,
      }));
      return told(memory, { ...args, limit: path.length || 1 }, path, "on the way");
    }
  }
}

/** A sentence about links that lead to no note of Sage's. The targets are words of the note. */
function leading(targets: readonly string[], where: string): string {
  if (targets.length === 0) return "";
  const named = targets.slice(0, TARGETS_MAX).map(quoted).join(", ");
  const more = targets.length > TARGETS_MAX ? ` and ${targets.length - TARGETS_MAX} more` : "";
  return ` It names ${named}${more}: ${where}.`;
}

function byRelation(item: GraphItem & { readonly relation: string }): Found {
  return { item, said: item.relation };
}

/** Titles and other words of notes go into the fence; ids and numbers stand outside. */
function told(
  memory: Memory,
  { limit = LIMIT }: Input,
  found: readonly Found[],
  what: string,
  data: Readonly<Record<string, unknown>> = {},
  elsewhere = "",
): Answer {
  const notes = found.slice(0, limit).map(({ item, said }) => {
    const tags = item.tags.length === 0 ? "" : `tags: ${item.tags.join(", ")}`;
    return {
      ...item,
      text: [said, tags].filter((part) => part !== "").join(" · "),
      facts: { type: item.type, links: item.links, backlinks: item.backlinks },
    };
  });
  const total = Number(data["total"] ?? found.length);
  return listing(memory, notes, (shown) => {
    if (shown === 0) return `No note ${what}.${elsewhere}`;
    const more = total > shown ? ` ${total - shown} more: narrow the query, or raise limit.` : "";
    return `${count(shown, "note")} ${what}.${more}${elsewhere}`;
  }, { total, ...data });
}
