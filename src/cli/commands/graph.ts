/** `sage graph`: what links to what, how two notes hang together, and any question about both. */
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import { draw as drawPart, DRAWING_FORMS } from "../../memory/graph/draw.ts";
import { chooseSubgraph } from "../../memory/graph/subgraph.ts";
import {
  backlinksOf,
  foundBy,
  linksOf,
  locate,
  notesNear,
  orphanItems,
  pathBetween,
  unresolvedItems,
} from "../../memory/graph/answer.ts";
import {
  type Graph,
  type GraphItem,
  type GraphNode,
  toGraphItem,
} from "../../memory/graph/graph.ts";
import { writeExport } from "../../memory/checkpoint/export.ts";
import type { Memory } from "../../memory/memory.ts";
import { removedHint } from "../../memory/removal/trashed.ts";
import { shownGraph } from "../../memory/vault/links.ts";
import { type Answer, bold, dim, failed, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb, type Input } from "../command.ts";
import { absolute } from "../folder.ts";
import type { Io } from "../io.ts";
import { noneAnswer } from "../outcome.ts";
import { chosen } from "../terminal/choice.ts";
import { firstRows, when } from "../terminal/print.ts";
import { recalledPage } from "../recalled.ts";
import { listing, table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const ALL = { type: "boolean", summary: "also notes of other projects in your own store" } as const;

type Asked = Input & {
  readonly options: { readonly all: boolean };
};

/** Runs `body` with the graph. */
function withGraph(
  input: Asked,
  io: Io,
  body: (memory: Memory, graph: Graph) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { all } = input.options;
  return withMemory(
    input,
    io,
    async (memory) => await body(memory, await shownGraph(memory, { all })),
  );
}

/** Runs a query about the note that the operands name. */
function withNode(
  input: Asked,
  io: Io,
  body: (memory: Memory, graph: Graph, node: GraphNode) => Answer | Promise<Answer>,
): Promise<Answer> {
  return withGraph(
    input,
    io,
    (memory, graph) =>
      at(
        { memory, graph, io, json: input.json },
        input.rest.join(" "),
        (node) => body(memory, graph, node),
      ),
  );
}

interface Around {
  readonly memory: Memory;
  readonly graph: Graph;
  readonly io: Io;
  readonly json: boolean;
}

/** Runs `then` with the note that an operand names, of several with the chosen one. */
async function at(
  around: Around,
  ref: string,
  then: (node: GraphNode) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { memory, graph, io, json } = around;
  const found = locate(memory, graph, ref);
  switch (found.kind) {
    case "one":
      return await then(found.node);
    case "none":
      return noneAnswer("note", ref, found);
    case "many":
      return await chosen(
        io,
        found.items,
        { ref, nowMs: memory.now(), json },
        (id) => at(around, id, then),
      );
  }
}

function linksVerb(direction: "links" | "backlinks") {
  return defineVerb({
    summary: direction === "links" ? "what a note links to" : "what links to a note",
    usage: `sage graph ${direction} <id>`,
    operands: [1, Infinity],
    options: { all: ALL },
    run(input, io) {
      return withNode(input, io, async (memory, graph, node) => {
        const found = direction === "links" ? linksOf(graph, node) : backlinksOf(node);
        const { vault = [] } = found;
        const nothing = direction === "backlinks"
          ? "No note links to it."
          : vault.length === 0
          ? "It links to no note."
          : "It links to no note of Sage's.";
        const unresolved = graph.unresolved.filter(({ from }) =>
          direction === "links" && from === node
        );
        const lines = [
          ...itemLines(io, memory, found.items, nothing),
          ...vault.map((target) => dim(`  "${target}" is in the vault, and no note of Sage's`)),
          ...(await unresolvedItems(memory, { ...graph, unresolved })).map(
            ({ target, removed }): Line => {
              const why = removed === undefined ? "" : `: ${removedHint(removed)}`;
              return dim(`  no note is called "${target}"${why}`);
            },
          ),
        ];
        return answer(memory, io, found.note, lines, { ...found });
      });
    },
  });
}

const path = defineVerb({
  summary: "how two notes are connected",
  usage: "sage graph path <id> <id>",
  operands: [2, 2],
  options: { all: ALL },
  run(input, io) {
    const [a = "", b = ""] = input.rest;
    return withGraph(input, io, (memory, graph) => {
      const around = { memory, graph, io, json: input.json };
      return at(around, a, (from) => at(around, b, (to) => pathAnswer(memory, io, from, to)));
    });
  },
});

function pathAnswer(memory: Memory, io: Io, from: GraphNode, to: GraphNode): Answer {
  const items = pathBetween(from, to);
  const start = toGraphItem(from);
  if (items.length === 0) {
    const message = `No path leads from "${start.title}" to "${toGraphItem(to).title}"`;
    const hint = `sage graph near ${start.short_id} shows what is around it`;
    return failed({ code: "not_found", message, hint }, { json: { items } });
  }
  const lines = items.map(({ short_id, title, type, relation, direction }): Line => {
    const arrow = direction === undefined ? "   " : direction === "forward" ? " → " : " ← ";
    const said = relation === undefined || relation === "link" ? "" : `  [${relation}]`;
    return [dim(short_id), arrow, title, dim(`  ${type}${said}`)];
  });
  return answer(memory, io, start, lines, { items });
}

const near = defineVerb({
  summary: "the notes around one, nearest first",
  usage: "sage graph near <id> [--depth <n>]",
  operands: [1, Infinity],
  options: {
    depth: {
      type: "number",
      min: 1,
      max: 10,
      summary: "at most this many links away, 2 by default",
    },
    all: ALL,
  },
  run(input, io) {
    return withNode(input, io, (memory, _, node) => {
      const found = notesNear(node, input.options.depth);
      const lines = itemLines(io, memory, found.items, "No note is near it.");
      return answer(memory, io, found.note, lines, { ...found });
    });
  },
});

const orphans = defineVerb({
  summary: "knowledge and topics that no link leads to or from",
  usage: "sage graph orphans",
  options: { all: ALL },
  run(input, io) {
    return withGraph(input, io, (memory, graph) => {
      const items = orphanItems(graph);
      const lines = itemLines(
        io,
        memory,
        items,
        "Every knowledge note and every topic has a link.",
      );
      return answer(memory, io, items[0], lines, { items, total: items.length });
    });
  },
});

const unresolved = defineVerb({
  summary: "links that lead to no note",
  usage: "sage graph unresolved",
  options: { all: ALL },
  run(input, io) {
    return withGraph(input, io, async (memory, graph) => {
      const items = await unresolvedItems(memory, graph);
      const { shown, more } = firstRows(io, items, "link");
      const rows = shown.map(({ target, relation, from, removed }): Span[] => [
        dim(from.short_id),
        target,
        dim(relation),
        removed === undefined ? from.title : `${from.title} (${removedHint(removed)})`,
      ]);
      const heading = ["id", "leads to", "as", "in"];
      const lines = listing(io, heading, rows, "Every link leads to a note.");
      const first = graph.unresolved[0];
      const item = first === undefined ? undefined : toGraphItem(first.from);
      return answer(memory, io, item, [...lines, ...more], { items, total: items.length });
    });
  },
});

const query = defineVerb({
  summary: "which notes match: by key, tag, time, link and words",
  usage: "sage graph query <query>",
  operands: [1, Infinity],
  options: { all: ALL },
  details:
    "All clauses must hold; commas are alternatives, a minus in front negates. Any key of the front matter is a field; type, tag, status, project, title, author, created, updated, links, backlinks, to, from, near, is and has are Sage's. sort:, limit: and group: order the answer. Quote the query, because the shell interprets < and >; put one that begins with a minus after --. The grammar: docs/reference/query.md of the sources.",
  examples: [
    "sage graph query 'type:knowledge tag:architecture updated:<30d sort:-updated'",
    "sage graph query 'to:git-worktrees -type:session'",
    "sage graph query 'is:orphan created:2026-01 group:tag'",
  ],
  run(input, io) {
    return withGraph(input, io, (memory, graph) => {
      const { items, total, groups } = foundBy(memory, graph, input.rest.join(" "));
      if (total === 0) {
        return failed(
          { code: "not_found", message: "No note matches", hint: "sage help graph query" },
          { json: { items, total, groups } },
        );
      }
      const byId = new Map(items.map((item) => [item.id, item]));
      const lines = groups === undefined
        ? itemLines(io, memory, items, "")
        : groups.flatMap(({ key, count, ids }, i): Line[] => [
          ...(i === 0 ? [] : [""]),
          [bold(key === "" ? "(none)" : key), dim(`  ${count}`)],
          ...itemLines(io, memory, ids.flatMap((id) => byId.get(id) ?? []), ""),
        ]);
      return {
        ...answer(memory, io, items[0], lines, { items, total, groups }),
        notices: total > items.length
          ? [`${count(total - items.length, "more note")}: limit:${total} in the query shows all`]
          : [],
      };
    });
  },
});

const draw = defineVerb({
  summary: "draw a note with what is around it, or what a query finds",
  usage: "sage graph draw [<id>|<query>] [--output <file.svg>] [--depth <n>]",
  operands: [0, Infinity],
  options: {
    output: { type: "string", short: "o", value: "file", summary: "write a new SVG file" },
    form: {
      type: "string",
      choices: DRAWING_FORMS,
      summary: "svg or text; text by default, svg into a file",
    },
    depth: {
      type: "number",
      min: 1,
      max: 10,
      summary: "this many links around a note, 2 by default",
    },
    all: ALL,
  },
  details:
    "The picture is one file without scripts that loads nothing. Of more than 120 notes the most linked are drawn.",
  examples: [
    "sage graph draw git-worktrees -o worktrees.svg",
    "sage graph draw type:knowledge,topic",
  ],
  run(input, io) {
    const { output, depth, form } = input.options;
    return withGraph(input, io, (memory, graph) => {
      const around = { memory, graph, io, json: input.json };
      return drawn(input.rest.join(" "));

      async function drawn(wanted: string): Promise<Answer> {
        const part = chooseSubgraph(memory, graph, wanted, depth ?? 2);
        if ("kind" in part) {
          return await at(around, wanted, (node) => drawn(toGraphItem(node).path));
        }
        if (part.nodes.length === 0) throw new SageError("not_found", "There is no note to draw");
        const text = drawPart(part, form ?? (output === undefined ? "text" : "svg"));
        const json = { notes: part.nodes.length, links: part.edges.length, left: part.left };
        if (output !== undefined) {
          const file = absolute(io, output);
          writeExport(memory, file, text);
          return {
            json: { ...json, path: file },
            text: [
              `Wrote ${file}: ${count(part.nodes.length, "note")}, ${
                count(part.edges.length, "link")
              }`,
            ],
          };
        }
        const lines = text.replace(/\n$/, "").split("\n");
        if (text.startsWith("<svg")) return { json: { ...json, svg: text }, text: lines };
        const [first] = part.nodes;
        const item = first === undefined ? undefined : toGraphItem(first);
        return answer(memory, io, item, lines, { ...json, text });
      }
    });
  },
});

function itemLines(
  io: Io,
  memory: Memory,
  items: readonly (GraphItem & { readonly relation?: string; readonly distance?: number })[],
  nothing: string,
): readonly Line[] {
  if (items.length === 0) return nothing === "" ? [] : [nothing];
  const { shown, more } = firstRows(io, items, "note");
  const rows = shown.map((item): Span[] => [
    dim(item.short_id),
    when(io, item.updated, memory.now()),
    ...(item.distance === undefined ? [] : [`${count(item.distance, "link")} away`]),
    item.type,
    ...(item.relation === undefined ? [] : [dim(item.relation === "link" ? "" : item.relation)]),
    item.title,
  ]);
  return [...table(io, rows), ...more];
}

/** Titles are words of notes: an agent's shell gets them fenced. */
function answer(
  memory: Memory,
  io: Io,
  about: GraphItem | undefined,
  lines: readonly Line[],
  json: Answer["json"],
): Answer {
  return { json, text: about === undefined ? lines : recalledPage(memory, io, about, lines) };
}

export const command: CommandGroup = {
  verbs: {
    query,
    links: linksVerb("links"),
    backlinks: linksVerb("backlinks"),
    path,
    near,
    orphans,
    unresolved,
    draw,
  },
};
