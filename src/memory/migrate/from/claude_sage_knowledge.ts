/** Knowledge of the first Sage: Markdown with an index that says when each is recalled, or YAML. */
import { rfc3339 } from "../../../base/clock.ts";
import { type Fields, fieldsOf } from "../../../base/fields.ts";
import { basename, join } from "../../../base/fs.ts";
import { PATTERNS_PER_NOTE_MAX } from "../../../base/limits.ts";
import { collapse, cut, cutTitle, slug } from "../../../base/text.ts";
import { splitFrontMatter } from "../../../note/front_matter.ts";
import { addHistory, renderKnowledge } from "../../../note/knowledge.ts";
import { firstHeading, withoutTitle } from "../../../note/markdown.ts";
import type { Source } from "../../../note/provenance.ts";
import { renderTodo } from "../../../note/todo.ts";
import { checkPattern } from "../../../search/patterns.ts";
import { BARE_KNOWLEDGE, type Found, type Place, textAt } from "../item.ts";
import { BY, dataAt, projectOf, sourcesOf } from "./claude_sage_data.ts";
import { listSaid, momentSaid, said, textsSaid } from "./values.ts";

/** What an index names; the files go into `indexed`, so that nobody takes them again. */
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
  for (const [i, fields] of listSaid(items).entries()) {
    // As it is listed, or it would be taken a second time.
    const file = said(fields, "file")?.replace(/(?<=^|\/)\.\/+/g, "");
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
  const triggers = fieldsOf(fields.triggers);
  const scope = fieldsOf(fields.scope);
  const meta = fieldsOf(fields.metadata);
  const created = momentSaid(meta.added) ??
    rfc3339(place.fs.lstat(join(place.path, file))?.mtimeMs ?? 0);
  const type = said(fields, "type") ?? "knowledge";
  const source = said(meta, "source");
  const state = read.text + JSON.stringify(fields);
  const shared = { key, title, stem: slug(given, 110), raw: read.text, state };
  const project = projectOf(place, undefined);
  if (type === "todo") {
    const status = said(meta, "status") === "done" ? "done" : "pending";
    const whole = collapse(firstHeading(body) ?? content);
    const what = firstHeading(body) === undefined ? cutTitle(whole, 200) : whole;
    return {
      ...shared,
      kind: "todo",
      project,
      render: (id) =>
        renderTodo({
          content: what,
          context: what === collapse(content) ? "" : content,
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
  for (const pattern of textsSaid(triggers.patterns).slice(0, PATTERNS_PER_NOTE_MAX)) {
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
        keywords: textsSaid(triggers.keywords),
        patterns,
        skills: textsSaid(scope.skills),
        always: String(scope.always) === "true",
        sources: links,
        // The file itself is a note here as well, and knows none of this.
        supersedes: isStore ? [basename(file).replace(/\.md$/i, "")] : [],
        generated: { by: BY, at: created },
      }, { id, created }),
  };
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
      // Oldest first there, newest on top here.
      return listSaid(fields.history).reduce((whole, entry) => {
        const [date, reason] = [said(entry, "date"), said(entry, "reason", "content")];
        return date === undefined || reason === undefined ? whole : addHistory(whole, date, reason);
      }, text);
    },
  };
}
