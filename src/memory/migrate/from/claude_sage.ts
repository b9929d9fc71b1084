/**
 * The first Sage, written in Python: checkpoints as YAML, as JSON with messages, or as Markdown; knowledge
 * as Markdown files with an `index.yaml` that says when each is recalled. In a folder that is a store of
 * ours Markdown is a note already; then what the index adds makes a note that replaces it.
 */
import { parseTime, rfc3339 } from "../../../base/clock.ts";
import { basename, join } from "../../../base/fs.ts";
import { PATTERNS_PER_NOTE_MAX } from "../../../base/limits.ts";
import { collapse, cut, slug } from "../../../base/text.ts";
import { loadYaml, YamlError } from "../../../base/yaml.ts";
import { extractCheckpoint } from "../../../detect/extract.ts";
import type { Turn } from "../../../editor/editor.ts";
import { type Fields, fieldsOf, joinedText, parsed, textOf } from "../../../editor/turn_list.ts";
import { type CheckpointDraft, readTrigger, renderCheckpoint } from "../../../note/checkpoint.ts";
import { splitFrontMatter } from "../../../note/front_matter.ts";
import { addHistory, renderKnowledge } from "../../../note/knowledge.ts";
import { firstHeading, withoutTitle } from "../../../note/markdown.ts";
import type { Source } from "../../../note/provenance.ts";
import { renderTodo } from "../../../note/todo.ts";
import { checkPattern } from "../../../search/patterns.ts";
import { filesBelow, type Found, type Item, type Place, textAt } from "../item.ts";
import { adopt, readMarkdown } from "./markdown.ts";
import { listSaid, momentSaid, numberSaid, plain, said, textsSaid } from "./values.ts";

const BY = "claude-sage";
/** An index of thousands of items; what a checkpoint holds is far less. */
const YAML = { bytesMax: 8 * 1024 * 1024, keysMax: 200_000 };
const WANTED = /(?:^|\/)(?:checkpoints\/[^/]+\.(?:ya?ml|json|md)|knowledge\/.*\.(?:ya?ml|md))$/i;
const TRIGGERS: Readonly<Record<string, string>> = {
  constraint: "constraint_discovered",
  transition: "topic_shift",
  explicit: "manual",
};

export async function* readClaudeSage(place: Place): AsyncGenerator<Found> {
  const files = filesBelow(place, WANTED);
  const isStore = place.stores.includes(place.path);
  const indexed = new Set<string>();
  for (const path of files) {
    if (typeof path !== "string" || !/(?:^|\/)knowledge\/index\.ya?ml$/i.test(path)) continue;
    yield* ofIndex(place, path, isStore, indexed);
  }
  for (const path of files) {
    if (typeof path !== "string") yield path;
    else if (/(?:^|\/)knowledge\/index\.ya?ml$/i.test(path) || indexed.has(path)) continue;
    else if (/\.md$/i.test(path)) {
      if (!isStore) yield await ofMarkdown(place, path);
    } else yield await ofData(place, path);
  }
}

async function ofMarkdown(place: Place, path: string): Promise<Found> {
  const file = await readMarkdown(place, path);
  if ("reason" in file) return file;
  if (/(?:^|\/)knowledge\//.test(path)) {
    return adopt(file, { kind: "knowledge", project: projectOf(place, undefined) });
  }
  const project = textOf(file.front.get("project"));
  return adopt(file, {
    kind: "checkpoint",
    project: projectOf(place, project),
    // There the question is the title, and nothing else.
    keys: new Map(file.front.has("core_question") ? [] : [["core_question", file.title]]),
  });
}

/** A checkpoint or a piece of knowledge as data. */
async function ofData(place: Place, path: string): Promise<Found> {
  const read = await dataAt(place, path);
  if ("reason" in read) return read;
  const { data, text } = read;
  const whole = fieldsOf(data);
  if (whole.knowledge !== undefined) return ofKnowledge(place, path, fieldsOf(whole.knowledge));
  const fields = fieldsOf(whole.checkpoint ?? whole);
  if (/(?:^|\/)knowledge\//.test(path)) return { key: path, reason: "it is no knowledge" };
  return ofCheckpoint(place, path, fields, text);
}

async function dataAt(
  place: Place,
  path: string,
): Promise<{ data: unknown; text: string } | { key: string; line?: number; reason: string }> {
  const read = textAt(place, join(place.path, path), YAML.bytesMax);
  if ("reason" in read) return { key: path, reason: read.reason };
  const text = read.text.replace(/^\uFEFF/, "");
  if (/\.json$/i.test(path)) {
    const data = parsed(text);
    return data === undefined ? { key: path, reason: "it is no JSON" } : { data, text };
  }
  try {
    return { data: plain(await loadYaml(text, YAML)), text };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { key: path, line: error.line, reason: error.reason };
  }
}

function ofCheckpoint(place: Place, path: string, fields: Fields, raw: string): Found {
  const meta = fieldsOf(fields.metadata);
  const action = fieldsOf(fields.action);
  const stem = said(fields, "id") ?? basename(path).replace(/\.\w+$/, "");
  const created = momentSaid(fields.ts) ?? momentSaid(fields.timestamp) ?? stampOf(stem) ??
    rfc3339(place.fs.lstat(join(place.path, path))?.mtimeMs ?? 0);
  const known = conversation(place, fields);
  const draft: CheckpointDraft = {
    title: said(fields, "title", "description"),
    coreQuestion: said(fields, "core_question") ?? known?.coreQuestion ?? "",
    thesis: said(fields, "thesis") ?? known?.thesis ?? said(fields, "description") ?? "",
    confidence: numberSaid(fields, "confidence") ?? 0.5,
    trigger: readTrigger(triggerOf(said(fields, "trigger"))),
    keyEvidence: [
      ...textsSaid(fields.key_evidence),
      ...known?.keyEvidence ?? [],
      ...listSaid(fields.unique_contributions).flatMap((one) =>
        joined(": ", one, "type", "content")
      ),
      ...listSaid(fields.sources).filter((one) => said(one, "take") !== undefined)
        .flatMap((one) => joined(": ", one, "id", "take")),
    ],
    reasoningTrace: said(fields, "reasoning_trace") ?? known?.reasoningTrace ?? "",
    openQuestions: [...textsSaid(fields.open_questions), ...known?.openQuestions ?? []],
    tensions: [...textsSaid(fields.tensions), ...listSaid(fields.tensions).flatMap(tension)],
    sources: sourcesOf(fields.sources),
    decisions: known?.decisions,
    nextStep: said(action, "goal") ?? said(fields, "action_goal") ?? known?.nextStep,
    skill: said(meta, "skill") ?? said(fields, "skill"),
    parent: said(meta, "parent_checkpoint") ?? said(fields, "parent_checkpoint", "continues_from"),
    messages: numberSaid(meta, "message_count") ?? numberSaid(fields, "message_count"),
    contextTokens: numberSaid(fields, "context_tokens"),
    recalled: textsSaid(fields.knowledge_recalled),
    generated: { by: BY, at: created },
  };
  if (collapse(draft.thesis) === "") {
    return { key: path, reason: "it is no checkpoint: it has neither a thesis nor messages" };
  }
  const title = draft.title ?? cut(collapse(draft.coreQuestion || draft.thesis), 100);
  return {
    key: path,
    kind: "checkpoint",
    title,
    stem: slug(stem, 110) === stem.toLowerCase() ? stem : stem.replace(/[^A-Za-z0-9._-]+/g, "-"),
    raw,
    state: raw,
    project: projectOf(place, said(meta, "project") ?? said(fields, "project")),
    render: (id) => renderCheckpoint(draft, { id, created }),
  };
}

/** What a conversation says, where that is all that was kept: the messages themselves stay behind. */
function conversation(place: Place, fields: Fields): ReturnType<typeof extractCheckpoint> {
  const turns = listSaid(fields.messages).flatMap((message, i): Turn[] => {
    const role = said(message, "role");
    const text = joinedText(message.content);
    return (role !== "user" && role !== "assistant") || text.trim() === ""
      ? []
      : [{ uuid: String(i), role, at: said(message, "timestamp", "ts") ?? "", text, tools: [] }];
  });
  if (turns.length === 0) return undefined;
  const { embedder } = place;
  return extractCheckpoint(turns, { embedder, tokensMax: 1500, effortMin: 0 }) ?? {
    coreQuestion: turns.find(({ role }) => role === "user")?.text ?? "",
    thesis: turns.findLast(({ role }) => role === "assistant")?.text ?? "",
    keyEvidence: [],
    decisions: [],
    openQuestions: [],
    reasoningTrace: "",
    nextStep: undefined,
  };
}

function triggerOf(name: string | undefined): string | undefined {
  return name === undefined ? undefined : TRIGGERS[name] ?? name;
}

function tension(fields: Fields): string[] {
  const between = textsSaid(fields.between).join(" vs ");
  const nature = said(fields, "nature");
  if (nature === undefined && between === "") return [];
  const resolution = said(fields, "resolution");
  const text = [between, nature].filter((part) => part !== undefined && part !== "").join(": ");
  return [resolution === undefined ? text : `${text} (${resolution})`];
}

function joined(between: string, fields: Fields, ...keys: string[]): string[] {
  const parts = keys.flatMap((key) => said(fields, key) ?? []);
  return parts.length === 0 ? [] : [parts.join(between)];
}

function sourcesOf(value: unknown): Source[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one): Source[] => {
    if (typeof one === "string") return one.trim() === "" ? [] : [{ id: one, relation: "" }];
    const fields = fieldsOf(one);
    const id = said(fields, "id");
    if (id !== undefined) return [{ id, relation: said(fields, "relation") ?? "" }];
    // `checkpoint: id`
    const [[relation, named] = []] = Object.entries(fields);
    return typeof named === "string" && relation !== undefined ? [{ id: named, relation }] : [];
  });
}

/** `2026-01-13T14-30-00` at the head of a name. */
function stampOf(stem: string): string | undefined {
  const [, date, hours, minutes, seconds] =
    /^(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})/.exec(stem) ?? [];
  const ms = parseTime(`${date}T${hours}:${minutes}:${seconds}Z`);
  return ms === undefined ? undefined : rfc3339(ms);
}

/** Its user-level folder holds for every project, unless something says otherwise. */
function projectOf(place: Place, name: string | undefined): string | undefined {
  return name ?? (place.isOfAll ? "" : undefined);
}

async function* ofIndex(
  place: Place,
  path: string,
  isStore: boolean,
  indexed: Set<string>,
): AsyncGenerator<Found> {
  const read = await dataAt(place, path);
  if ("reason" in read) return yield read;
  const folder = path.slice(0, -basename(path).length);
  const items = fieldsOf(read.data).items;
  if (!Array.isArray(items)) return yield { key: path, reason: "it has no list of items" };
  for (const [i, fields] of listSaid(items).entries()) {
    const file = said(fields, "file");
    const id = said(fields, "id");
    const key = `${path}, ${id ?? `item ${i + 1}`}`;
    if (file === undefined || id === undefined) {
      yield { key, reason: "it has no id or no file" };
    } else if (/(?:^|\/)\.\.(?:\/|$)|^\/|\\/.test(file)) {
      yield { key, reason: `its file "${cut(file, 80)}" lies outside` };
    } else {
      indexed.add(folder + file);
      yield await ofIndexed(place, key, fields, folder + file, id, isStore);
    }
  }
}

async function ofIndexed(
  place: Place,
  key: string,
  fields: Fields,
  file: string,
  given: string,
  isStore: boolean,
): Promise<Found> {
  const read = textAt(place, join(place.path, file));
  if ("reason" in read) return { key, reason: `${file}: ${read.reason}` };
  const { body } = splitFrontMatter(read.text);
  const content = withoutTitle(body);
  const title = firstHeading(body) ?? given;
  const [triggers, scope, meta] = [fields.triggers, fields.scope, fields.metadata].map(fieldsOf);
  const created = momentSaid(meta?.added) ??
    rfc3339(place.fs.lstat(join(place.path, file))?.mtimeMs ?? 0);
  const type = said(fields, "type") ?? "knowledge";
  const source = meta === undefined ? undefined : said(meta, "source");
  const state = read.text + JSON.stringify(fields);
  const shared = { key, title, stem: slug(given, 110), raw: read.text, state };
  const project = projectOf(place, undefined);
  if (type === "todo") {
    const status = meta !== undefined && said(meta, "status") === "done" ? "done" : "pending";
    return {
      ...shared,
      kind: "todo",
      project,
      render: (id) =>
        renderTodo({
          content: collapse(firstHeading(body) ?? cut(collapse(content), 200)),
          context: firstHeading(body) === undefined ? "" : content,
          priority: "medium",
          status,
          source,
          generated: { by: BY, at: created },
        }, { id, created }),
    };
  }
  if (content === "") return { key, reason: `${file}: it says nothing` };
  const links: Source[] = [
    ...source === undefined ? [] : [{ id: source, relation: "" }],
    ...listSaid(fields.code_links).flatMap((link) => {
      const [file = ""] = (said(link, "chunk_id") ?? "").split("::");
      return file === "" ? [] : [{ id: file, relation: said(link, "relation") ?? "" }];
    }),
    ...listSaid(fields.knowledge_links).flatMap((link) => {
      const id = said(link, "target_id");
      return id === undefined ? [] : [{ id, relation: said(link, "relation") ?? "related" }];
    }),
  ];
  const patterns: string[] = [];
  for (const pattern of textsSaid(triggers?.patterns).slice(0, PATTERNS_PER_NOTE_MAX)) {
    if ((await checkPattern(pattern)).ok) patterns.push(pattern);
  }
  return {
    ...shared,
    kind: "knowledge",
    project,
    render: (id) =>
      renderKnowledge({
        title,
        content,
        subject: type === "knowledge" ? "fact" : type,
        keywords: textsSaid(triggers?.keywords),
        patterns,
        skills: textsSaid(scope?.skills),
        always: said({ always: String(scope?.always ?? "") }, "always") === "true",
        sources: links,
        // The file itself is a note here as well, and knows none of this.
        supersedes: isStore ? [basename(file).replace(/\.md$/i, "")] : [],
        generated: { by: BY, at: created },
      }, { id, created }),
  };
}

/** `knowledge: {id, content, keywords, sources, history}` of the framework's drafts. */
function ofKnowledge(place: Place, path: string, fields: Fields): Item | Found {
  const content = said(fields, "content");
  if (content === undefined) return { key: path, reason: "it says nothing" };
  const stem = said(fields, "id") ?? basename(path).replace(/\.\w+$/, "");
  const created = momentSaid(fields.created) ??
    rfc3339(place.fs.lstat(join(place.path, path))?.mtimeMs ?? 0);
  const title = said(fields, "title") ?? stem;
  return {
    key: path,
    kind: "knowledge",
    title,
    stem: slug(stem, 110),
    project: projectOf(place, undefined),
    state: JSON.stringify(fields),
    render: (id) => {
      const text = renderKnowledge({
        title,
        content,
        subject: "fact",
        keywords: textsSaid(fields.keywords),
        patterns: [],
        skills: [],
        always: false,
        sources: sourcesOf(fields.sources),
        generated: { by: BY, at: created },
      }, { id, created, updated: momentSaid(fields.updated) });
      // Oldest first there, newest on top here.
      return listSaid(fields.history).reduce((whole, entry) => {
        const [date, reason] = [said(entry, "date"), said(entry, "reason", "content")];
        return date === undefined || reason === undefined ? whole : addHistory(whole, date, reason);
      }, text);
    },
  };
}
