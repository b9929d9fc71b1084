/**
 * Topics: pages of links that people curate. Sage suggests them where knowledge clusters by tag or by
 * link, and writes between its own two marks only.
 */
import { firstOfEach } from "../base/first_of_each.ts";
import { join } from "../base/path.ts";
import { rfc3339 } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { collapse, compareText, fold, slug } from "../base/text/text.ts";
import { parseNote } from "../note/parse.ts";
import {
  readTopic,
  renderLinks,
  renderTopic,
  replaceRegion,
  type TopicLink,
} from "../note/topic.ts";
import { updateNote } from "../store/store.ts";
import { cleanDraft } from "./write/clean_draft.ts";
import { type Graph, type GraphNode, openGraph, severalNamed } from "./graph/graph.ts";
import { edgesOf, otherEnd } from "./graph/walk.ts";
import { homeStore, type Memory } from "./memory.ts";
import { type NoteRef, refOf } from "./item.ts";
import { type Author, generatedBy, type SaveOutcome } from "./write/outcome.ts";
import { indexSaved } from "./index/reindex.ts";
import { linkedText } from "./vault/links.ts";
import { writeNote } from "./write/write.ts";

interface TopicSuggestion {
  readonly title: string;
  /** `tag git`, or `linked with each other`. */
  readonly why: string;
  readonly nodes: readonly GraphNode[];
}

export type TopicOutcome =
  | SaveOutcome
  | NoteRef & {
    readonly kind: "updated";
    readonly path: string;
    /** Links that were not there before. */
    readonly added: number;
  };

/** Fewer notes are found without a page of their own. */
const CLUSTER_MIN = 3;
/** A page with more links says nothing. */
const CLUSTER_MAX = 40;
const SUGGESTIONS_MAX = 20;
/** Two clusters with this share of notes in common are one topic. */
const SAME_CLUSTER = 0.6;

/** Clusters of knowledge that no topic lists yet, the largest first. */
export function suggestTopics(graph: Graph): TopicSuggestion[] {
  const listed = graph.nodes.flatMap(({ note, out }) =>
    note.kind === "topic" ? [new Set(out.map(({ to }) => to))] : []
  );
  const isListed = (nodes: readonly GraphNode[]): boolean =>
    listed.some((links) =>
      nodes.filter((node) => links.has(node)).length >= nodes.length * SAME_CLUSTER
    );
  const found = [...byTag(graph), ...byLink(graph)]
    .filter(({ nodes }) =>
      nodes.length >= CLUSTER_MIN && nodes.length <= CLUSTER_MAX && !isListed(nodes)
    )
    .sort((a, b) => b.nodes.length - a.nodes.length || compareText(a.title, b.title));
  const kept: TopicSuggestion[] = [];
  for (const one of found) {
    if (!kept.some((other) => overlap(one.nodes, other.nodes) >= SAME_CLUSTER)) kept.push(one);
  }
  return kept.slice(0, SUGGESTIONS_MAX);
}

function isKnowledge({ note }: GraphNode): boolean {
  return note.kind === "knowledge" && note.status !== "archived" &&
    note.supersededBy === undefined;
}

function byTag({ nodes }: Graph): TopicSuggestion[] {
  const tagged = new Map<string, GraphNode[]>();
  for (const node of nodes.filter(isKnowledge)) {
    for (const tag of new Set(node.note.tags.map(fold))) {
      tagged.set(tag, [...tagged.get(tag) ?? [], node]);
    }
  }
  return [...tagged].map(([tag, nodes]) => ({
    title: tag.charAt(0).toUpperCase() + tag.slice(1).replaceAll(/[-_/]+/g, " "),
    why: `tag ${tag}`,
    nodes,
  }));
}

/** Knowledge connected by links, named after the note with the most links to it. */
function byLink(graph: Graph): TopicSuggestion[] {
  const seen = new Set<GraphNode>();
  const place = new Map(graph.nodes.map((node, i) => [node, i]));
  const order = (node: GraphNode): number => place.get(node) ?? 0;
  const weight = (node: GraphNode): number => edgesOf(node).length;
  return graph.nodes.filter(isKnowledge).flatMap((start): TopicSuggestion[] => {
    if (seen.has(start)) return [];
    seen.add(start);
    const nodes = [start];
    // The list grows while it is walked.
    for (const node of nodes) {
      for (const edge of edgesOf(node)) {
        const next = otherEnd(edge, node);
        if (seen.has(next) || !isKnowledge(next)) continue;
        seen.add(next);
        nodes.push(next);
      }
    }
    const [first = start] = nodes.toSorted((a, b) => weight(b) - weight(a) || order(a) - order(b));
    return [{ title: first.note.title, why: "linked with each other", nodes }];
  });
}

function overlap(a: readonly GraphNode[], b: readonly GraphNode[]): number {
  const common = a.filter((node) => b.includes(node)).length;
  return common / Math.min(a.length, b.length);
}

/** Makes a page with links to the notes; an existing topic of that title gets those it lacks. */
export async function keepTopic(
  memory: Memory,
  typed: string,
  refs: readonly string[],
  author: Author,
): Promise<TopicOutcome> {
  const cleaned = await cleanDraft(memory, { title: collapse(typed) }, author);
  if (cleaned.kind === "refused") return cleaned;
  const { title } = cleaned.draft;
  if (title === "") return { kind: "thin", missing: ["title"] };
  const graph = await openGraph(memory);
  const named = refs.map((ref): TopicLink => {
    const [node, ...others] = graph.named(ref);
    if (node === undefined) {
      throw new SageError("not_found", `No note is called "${ref}"`, {
        hint: "sage search finds one",
      });
    }
    if (others.length > 0) throw severalNamed(`"${ref}"`, [node, ...others]);
    const { id, title: name } = node.note;
    return { target: id, ...(id === name ? {} : { alias: name }) };
  });
  const links = firstOfEach(named, ({ target }) => target);
  const there = graph.nodes.find(({ note }) =>
    note.kind === "topic" && fold(collapse(note.title)) === fold(title)
  );
  if (there !== undefined) return await addLinks(memory, graph, there, links);
  const created = rfc3339(memory.now());
  const project = memory.places.projectId;
  return await writeNote(memory, {
    store: homeStore(memory),
    kind: "topic",
    stem: slug(title),
    title,
    render: (id) =>
      renderTopic({
        title,
        links,
        ...(author.by === "person" ? {} : { generated: generatedBy(author, created) }),
      }, { id, created, project }),
    author,
    redactions: 0,
  });
}

/** The list between the marks, without what the person has linked elsewhere on the page. */
async function addLinks(
  memory: Memory,
  graph: Graph,
  { store, note }: GraphNode,
  links: readonly TopicLink[],
): Promise<TopicOutcome> {
  let added = 0;
  const result = await updateNote(store, note.path, async ({ text }) => {
    const topic = readTopic(await parseNote(text, note.path));
    const known = new Set(topic.targets.map((target) => graph.find(target)));
    const missing = links.filter(({ target }) => !known.has(graph.find(target)));
    added = missing.length;
    if (missing.length === 0) return undefined;
    const before = topic.region ?? "";
    const next = replaceRegion(
      text,
      [before, renderLinks(missing)].filter((part) => part !== "").join("\n"),
    );
    return await linkedText(memory, store, next, text);
  });
  if (result.kind === "conflict") {
    throw new SageError("conflict", `Cannot change "${note.title}": it changed meanwhile`, {
      hint: "look at it, then repeat",
    });
  }
  await indexSaved(memory, store, note.path);
  return { kind: "updated", ...refOf(note), path: join(store.root, note.path), added };
}
