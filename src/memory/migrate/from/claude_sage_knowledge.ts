/** Knowledge of the first Sage: Markdown with an index that says when each is recalled, or YAML. */
import { rfc3339 } from "../../../base/clock.ts";
import { type Fields, fieldsOf, fieldsOfEach } from "../../../base/fields.ts";
import { basename, join } from "../../../base/path.ts";
import { PATTERNS_PER_NOTE_MAX } from "../../../base/limits.ts";
import { collapse, cut, cutTitle, slug } from "../../../base/text/text.ts";
import { splitFrontMatter } from "../../../note/front_matter.ts";
import { addHistory, renderKnowledge } from "../../../note/knowledge.ts";
import { firstHeading, withoutTitle } from "../../../note/markdown.ts";
import type { Source } from "../../../note/provenance.ts";
import { renderTodo } from "../../../note/todo.ts";
import { checkPattern } from "../../../search/query/patterns.ts";
import { stemOf } from "../../../store/layout.ts";
import { BARE_KNOWLEDGE, type Found, type Item, type Place, textAt } from "../item.ts";
import { BY, dataAt, projectOf, sourcesOf } from "./claude_sage_data.ts";
import { momentSaid, said, textsSaid } from "./values.ts";

/** The items of an index. Adds their files to `indexed`, so that they are not imported twice. */
export async function* ofIndex(
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
  for (const [i, fields] of fieldsOfEach(items).entries()) {
    // Without `./`, as the listing of the folder has it.
    const file = said(fields, "file")?.replace(/(?<=^|\/)\.\/+/g, "");
    const id = said(fields, "id");
    const key = `${path}, ${id ?? `item ${i + 1}`}`;
    if (file === undefined || id === undefined) {
      yield { key, reason: "it has no id or no file" };
    } else if (/(?:^|\/)\.\.(?:\/|$)|^\/|\\/.test(file)) {
      yield { key, reason: `its file "${cut(file, 80)}" lies outside of the folder` };
    } else {
      indexed.add(folder + file);
      yield await ofIndexed(place, { key, id, fields, file: folder + file }, isStore);
    }
  }
}

/** An entry of an index. */
interface Entry {
  readonly key: string;
  readonly id: string;
  readonly fields: Fields;
  /** From the place. */
  readonly file: string;
}

/** Its file as it was read. */
interface Text {
  readonly heading: string | undefined;
  /** Without its title. */
  readonly content: string;
  readonly created: string;
}

async function ofIndexed(place: Place, entry: Entry, isStore: boolean): Promise<Found> {
  const { key, id, fields, file } = entry;
  const path = join(place.path, file);
  const read = textAt(place, path);
  if ("reason" in read) return { key, reason: `${file}: ${read.reason}` };
  const { body } = splitFrontMatter(read.text);
  const text: Text = {
    heading: firstHeading(body),
    content: withoutTitle(body),
    created: momentSaid(fieldsOf(fields.metadata).added) ??
      rfc3339(place.fs.lstat(path)?.mtimeMs ?? 0),
  };
  const shared = {
    key,
    title: text.heading ?? id,
    stem: slug(id, 110),
    raw: read.text,
    state: read.text + JSON.stringify(fields),
    project: projectOf(place, undefined),
  };
  if (typeOf(fields) === "todo") {
    return { ...shared, kind: "todo", render: todoOf(fields, text) };
  }
  if (text.content === "") return { key, reason: `${file}: it says nothing` };
  return { ...shared, kind: "knowledge", render: await knowledgeOf(entry, text, isStore) };
}

function typeOf(fields: Fields): string {
  return said(fields, "type") ?? "knowledge";
}

function todoOf(fields: Fields, { heading, content, created }: Text): Item["render"] {
  const meta = fieldsOf(fields.metadata);
  const whole = collapse(heading ?? content);
  const what = heading === undefined ? cutTitle(whole, 200) : whole;
  return (id) =>
    renderTodo({
      content: what,
      context: what === collapse(content) ? "" : content,
      priority: "medium",
      status: said(meta, "status") === "done" ? "done" : "pending",
      source: said(meta, "source"),
      generated: { by: BY, at: created },
    }, { id, created });
}

async function knowledgeOf(
  { id: given, fields, file }: Entry,
  { heading, content, created }: Text,
  isStore: boolean,
): Promise<Item["render"]> {
  const triggers = fieldsOf(fields.triggers);
  const scope = fieldsOf(fields.scope);
  const type = typeOf(fields);
  const patterns: string[] = [];
  for (const pattern of textsSaid(triggers.patterns).slice(0, PATTERNS_PER_NOTE_MAX)) {
    if ((await checkPattern(pattern)).ok) patterns.push(pattern);
  }
  return (id) =>
    renderKnowledge({
      title: heading ?? given,
      content,
      subject: type === "knowledge" ? "fact" : type,
      keywords: textsSaid(triggers.keywords),
      patterns,
      skills: textsSaid(scope.skills),
      always: String(scope.always) === "true",
      sources: linksOf(fields),
      // In a store the file itself is a note as well, which lacks all this.
      supersedes: isStore ? [stemOf(basename(file))] : [],
      generated: { by: BY, at: created },
    }, { id, created });
}

function linksOf(fields: Fields): Source[] {
  const source = said(fieldsOf(fields.metadata), "source");
  return [
    ...source === undefined ? [] : [{ id: source, relation: "" }],
    ...fieldsOfEach(fields.code_links).flatMap((link) => {
      const [file = ""] = (said(link, "chunk_id") ?? "").split("::");
      return file === "" ? [] : [{ id: file, relation: said(link, "relation") ?? "" }];
    }),
    ...fieldsOfEach(fields.knowledge_links).flatMap((link) => {
      const id = said(link, "target_id");
      return id === undefined ? [] : [{ id, relation: said(link, "relation") ?? "related" }];
    }),
  ];
}

/** `knowledge: {id, content, keywords, sources, history}` of the framework's drafts. */
export function ofKnowledge(place: Place, path: string, fields: Fields): Found {
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
        ...BARE_KNOWLEDGE,
        title,
        content,
        subject: "fact",
        keywords: textsSaid(fields.keywords),
        sources: sourcesOf(fields.sources),
        generated: { by: BY, at: created },
      }, { id, created, updated: momentSaid(fields.updated) });
      // Theirs is oldest first, and each entry is added on top.
      return fieldsOfEach(fields.history).reduce((whole, entry) => {
        const [date, reason] = [said(entry, "date"), said(entry, "reason", "content")];
        return date === undefined || reason === undefined ? whole : addHistory(whole, date, reason);
      }, text);
    },
  };
}
