/** Answers a query over the graph: which notes match, in which order and groups. */
import { SageError } from "../../base/errors.ts";
import { parseTime } from "../../base/clock.ts";
import { compareText, fold, nearest } from "../../base/text/text.ts";
import { attributed } from "../item.ts";
import type { Memory } from "../memory.ts";
import { type Graph, type GraphNode, severalNamed } from "./graph.ts";
import {
  type Clause,
  type GraphQuery,
  momentOf,
  type Operator,
  parseGraphQuery,
  type Word,
} from "./query_syntax.ts";
import { edgesOf, isOrphan, NEAR_LINKS, neighbours, otherEnd } from "./walk.ts";

interface QueryAnswer {
  /** In order. */
  readonly nodes: readonly GraphNode[];
  /** How many match without the limit. */
  readonly total: number;
  /** Undefined if no group was asked for; a note with several values is in several. */
  readonly groups:
    | readonly { readonly key: string; readonly nodes: readonly GraphNode[] }[]
    | undefined;
}

type Test = (node: GraphNode) => boolean;
const NEAR_LINKS_MAX = 10;
const LIMIT = 100;

export function askGraph(memory: Memory, graph: Graph, typed: string): QueryAnswer {
  const query = parseGraphQuery(typed);
  const tests = [
    ...query.clauses.map((clause) => testOf(memory, graph, clause)),
    ...wordTests(memory, query.words),
  ];
  const found = graph.nodes.filter((node) => tests.every((test) => test(node)));
  const nodes = sorted(found, query).slice(0, query.limit ?? LIMIT);
  return { nodes, total: found.length, groups: grouped(nodes, query.group) };
}

/** Words are searched in the text of all notes at once, once for each store. */
function wordTests(memory: Memory, words: readonly Word[]): Test[] {
  const wanted = words.filter(({ not }) => !not).map(({ text }) => text);
  const unwanted = words.filter(({ not }) => not).map(({ text }) => text);
  const holds = (texts: readonly string[]): Test => {
    // By id, because the graph may be older than the memory.
    const paths = new Map(
      memory.stores.map((store) => [store.id, memory.index(store).holding(texts)]),
    );
    return ({ store, note }) => paths.get(store.id)?.has(note.path) ?? false;
  };
  return [
    ...(wanted.length === 0 ? [] : [holds(wanted)]),
    ...unwanted.map((word): Test => {
      const test = holds([word]);
      return (node) => !test(node);
    }),
  ];
}

function testOf(memory: Memory, graph: Graph, { field, operator, values, not }: Clause): Test {
  const any = (test: (value: string) => Test): Test => {
    const tests = values.map(test);
    return (node) => tests.some((one) => one(node)) !== not;
  };
  switch (field) {
    case "to":
    case "from": {
      const side = field === "to" ? "out" : "into";
      return any((ref) => {
        const other = named(graph, ref);
        return (node) => node[side].some((edge) => otherEnd(edge, node) === other);
      });
    }
    // `near:x/3` says how far.
    case "near":
      return any((value) => {
        const [, ref = value, links] = /^(.*)\/(\d{1,2})$/.exec(value) ?? [];
        const depth = Math.min(NEAR_LINKS_MAX, Number(links ?? NEAR_LINKS));
        const reached = neighbours(named(graph, ref), depth);
        return (node) => (reached.get(node) ?? 0) > 0;
      });
    case "relation":
      return any((value) => (node) =>
        edgesOf(node).some(({ relation }) => compares(relation, operator, value))
      );
    case "links":
    case "backlinks": {
      const side = field === "links" ? "out" : "into";
      return any((value) => (node) => ordered(node[side].length, operator, Number(value)));
    }
    case "is":
      return any((value) => (node) => isSo(graph, node, value.toLowerCase()));
    case "has":
      return any((value) => (node) => valuesOf(node, value).some((one) => one !== ""));
    case "created":
    case "updated":
      return any((value) => timeTest(field, operator, value, memory.now()));
    default:
      return any((value) => (node) =>
        valuesOf(node, field).some((one) => compares(one, operator, value))
      );
  }
}

function named(graph: Graph, ref: string): GraphNode {
  const [node, ...others] = graph.named(ref);
  if (node !== undefined && others.length === 0) return node;
  if (node !== undefined) throw severalNamed(`"${ref}" in the query`, [node, ...others]);
  const meant = nearest(ref, graph.nodes.map(({ note }) => note.id));
  throw new SageError("not_found", `The query names "${ref}", but no note has that name`, {
    ...(meant === undefined ? {} : { hint: `did you mean "${meant}"?` }),
  });
}

function isSo(graph: Graph, node: GraphNode, what: string): boolean {
  const { note, store } = node;
  switch (what) {
    case "orphan":
      return isOrphan(node);
    case "pinned":
      return note.pinned;
    case "always":
      return note.always;
    case "archived":
      return note.status === "archived";
    case "superseded":
      return note.supersededBy !== undefined;
    case "untrusted":
      return store.trust === "unknown";
    default:
      return graph.unresolved.some(({ from }) => from === node);
  }
}

/** `<30d` is younger than thirty days, `>30d` older; `<2026-01-01` is before that day. */
function timeTest(
  field: "created" | "updated",
  operator: Operator,
  value: string,
  nowMs: number,
): Test {
  const [first = "", last] = value.split("..");
  const from = momentOf(first, nowMs);
  const to = last === undefined ? from : momentOf(last, nowMs);
  const timeOf = ({ note }: GraphNode): number => parseTime(note[field]) ?? NaN;
  if (last !== undefined) {
    const [start, end] = [from?.start ?? -Infinity, to === undefined ? Infinity : to.end];
    return (node) => timeOf(node) >= start && timeOf(node) < end;
  }
  if (from === undefined) return () => false;
  const { start, end, isSpan } = from;
  const later = isSpan ? "<" : ">";
  switch (operator) {
    case "=":
    case "~":
      return isSpan
        ? (node) => timeOf(node) >= start
        : (node) => timeOf(node) >= start && timeOf(node) < end;
    case later:
      return isSpan ? (node) => timeOf(node) > start : (node) => timeOf(node) >= end;
    case `${later}=`:
      return (node) => timeOf(node) >= start;
    case "<":
    case ">":
      return (node) => timeOf(node) < start;
    default:
      return isSpan ? (node) => timeOf(node) <= start : (node) => timeOf(node) < end;
  }
}

function compares(one: string, operator: Operator, value: string): boolean {
  const [a, b] = [fold(one), fold(value)];
  if (operator === "~") return a.includes(b);
  if (operator === "=") return b.includes("*") ? matches(a, b) : a === b;
  const [x, y] = [Number(one), Number(value)];
  const isNumeric = one.trim() !== "" && !Number.isNaN(x) && !Number.isNaN(y);
  return isNumeric ? ordered(x, operator, y) : ordered(compareText(a, b), operator, 0);
}

/** `*` matches anything; matched part by part, so that no pattern can take long. */
function matches(text: string, wanted: string): boolean {
  const parts = wanted.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) {
    return false;
  }
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    at = text.indexOf(part, at);
    if (at < 0) return false;
    at += part.length;
  }
  return at <= text.length - last.length;
}

function ordered(a: number, operator: Operator, b: number): boolean {
  switch (operator) {
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      return a === b;
  }
}

/** A note's values for a field: one of Sage's, or any key of its front matter. */
function valuesOf(node: GraphNode, field: string): readonly string[] {
  const { note, relations, store } = node;
  switch (field) {
    case "id":
    case "title":
    case "status":
    case "path":
    case "created":
    case "updated":
      return [note[field]];
    case "type":
      return [note.kind];
    case "scope":
      return [store.scope];
    case "project":
    case "subject":
      return [note[field] ?? ""];
    case "author":
      return [attributed(store, note.author)];
    case "tag":
      return [...note.tags, ...inText(relations.fields)];
    case "keyword":
      return note.keywords;
    case "skill":
      return note.skills;
    case "alias":
      return relations.aliases;
    case "supersedes":
      return note.supersedes;
    case "pinned":
    case "always":
      return [String(note[field])];
    case "month":
      return [note.updated.slice(0, 7)];
    case "links":
      return node.out.map(({ to }) => to.note.id);
    case "backlinks":
      return node.into.map(({ from }) => from.note.id);
    default:
      return relations.fields.filter(([key]) => key.toLowerCase() === field)
        .flatMap((
          [, value],
        ) => [value, ...(value.includes(",") ? value.split(",").map((one) => one.trim()) : [])]);
  }
}

/** `#tags` in the text, which the index stores under a name that no key has. */
function inText(fields: readonly (readonly [string, string])[]): string[] {
  return fields.filter(([key]) => key === "#").flatMap(([, value]) => value.split(","));
}

function sorted(found: readonly GraphNode[], { sort }: GraphQuery): GraphNode[] {
  const keys = sort.length === 0 ? [{ key: "updated", descending: true }] : sort;
  const keyed = found.map((node) => ({ node, by: keys.map(({ key }) => sortKey(node, key)) }));
  return keyed.sort((a, b) => {
    for (const [i, { descending }] of keys.entries()) {
      const [x, y] = [a.by[i] ?? "", b.by[i] ?? ""];
      const order = typeof x === "number" && typeof y === "number"
        ? x - y
        : compareText(String(x), String(y));
      if (order !== 0) return descending ? -order : order;
    }
    return compareText(a.node.note.path, b.node.note.path);
  }).map(({ node }) => node);
}

function sortKey(node: GraphNode, key: string): string | number {
  if (key === "links") return node.out.length;
  if (key === "backlinks") return node.into.length;
  const value = valuesOf(node, key)[0] ?? "";
  const number = Number(value);
  return value.trim() !== "" && !Number.isNaN(number) ? number : fold(value);
}

function grouped(nodes: readonly GraphNode[], group: string | undefined): QueryAnswer["groups"] {
  if (group === undefined) return undefined;
  const groups = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const values = valuesOf(node, group).filter((value) => value !== "");
    for (const key of values.length === 0 ? [""] : new Set(values)) {
      groups.set(key, [...groups.get(key) ?? [], node]);
    }
  }
  return [...groups].map(([key, members]) => ({ key, nodes: members }))
    .sort((a, b) => b.nodes.length - a.nodes.length || compareText(a.key, b.key));
}
