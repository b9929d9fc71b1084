/**
 * A Markdown file of another program as a note: its keys, comments and text stay as they are, and the keys
 * that a note needs are added.
 */
import { rfc3339 } from "../../../base/clock.ts";
import { basename, join } from "../../../base/path.ts";
import { slug } from "../../../base/text/text.ts";
import { editFrontMatter, readFrontMatter, splitFrontMatter } from "../../../note/front_matter.ts";
import { frontList, frontText, frontTime } from "../../../note/front_values.ts";
import { firstHeading } from "../../../note/markdown.ts";
import type { FrontChanges, FrontMap } from "../../../note/note.ts";
import { readableRule } from "../../knowledge/cursor_rule.ts";
import {
  filesBelow,
  type Found,
  type Item,
  linkName,
  type Place,
  type Problem,
  textAt,
} from "../item.ts";

/** A file that was read: its keys, its text, and when it was written. */
export interface MarkdownFile {
  /** From the root of its source. */
  readonly path: string;
  /** Its name without `.md`. */
  readonly stem: string;
  readonly text: string;
  readonly front: FrontMap;
  readonly body: string;
  readonly title: string;
  readonly mtimeMs: number;
}

/** The note to make of a file. */
interface Adopted {
  readonly kind: Item["kind"];
  readonly project?: string | undefined;
  /** Another text below the keys. */
  readonly body?: string;
  /** Other names that links may use. */
  readonly aliases?: readonly string[];
  /** When it was last changed, if that is not in one of the usual keys. */
  readonly updated?: string | undefined;
  /** Further keys. */
  readonly keys?: FrontChanges;
}

export async function readMarkdown(place: Place, path: string): Promise<MarkdownFile | Problem> {
  const absolute = path === "" ? place.path : join(place.path, path);
  const read = textAt(place, absolute);
  const key = path === "" ? basename(absolute) : path;
  if ("reason" in read) return { key, reason: read.reason };
  const text = readableRule(key, read.text);
  const keys = await readFrontMatter(text);
  if ("problem" in keys) {
    const { line, reason } = keys.problem;
    return { key, line, reason };
  }
  const { body } = splitFrontMatter(text);
  const stem = basename(key).replace(/\.(?:mdc?|markdown)$/i, "");
  return {
    path: key,
    stem,
    text,
    front: keys.map,
    body,
    title: firstHeading(body) ?? frontText(keys.map, "title") ?? stem,
    mtimeMs: place.fs.lstat(absolute)?.mtimeMs ?? 0,
  };
}

/** Each wanted Markdown file below the place as an item, or the reason why it cannot be read. */
export async function* readMarkdownBelow(
  place: Place,
  isWanted: RegExp,
  toFound: (file: MarkdownFile) => Found,
): AsyncGenerator<Found> {
  const isFile = place.fs.lstat(place.path)?.kind === "file";
  for (const path of isFile ? [""] : filesBelow(place, isWanted)) {
    const file = typeof path === "string" ? await readMarkdown(place, path) : path;
    yield "reason" in file ? file : toFound(file);
  }
}

/** The note of a file. */
export function adopt(file: MarkdownFile, adopted: Adopted): Item | Problem {
  const { path, front, title, text } = file;
  const body = adopted.body ?? file.body;
  if (body.trim() === "") return { key: path, reason: "it is empty" };
  const said = frontTime(front, "created", "timestamp", "ts", "date", "created_at");
  const updated = frontTime(front, "updated", "modified", "updated_at") ?? adopted.updated ??
    rfc3339(file.mtimeMs);
  // A copied file has a later time than its text.
  const created = said ?? updated;
  // Links name files, and the files get other names here.
  const names = [file.stem, ...adopted.aliases ?? []].flatMap((name) => [name, linkName(name)]);
  const known = [title, slug(file.stem), ...frontList(front, "aliases")];
  const aliases = [...new Set(names)].filter((name) => name !== "" && !known.includes(name));
  const changes = (id: string): FrontChanges =>
    new Map([
      ["id", id],
      ["type", adopted.kind],
      ["created", created],
      ["updated", updated < created ? created : updated],
      ...(title === file.stem && firstHeading(body) === undefined
        ? [["title", title] as const]
        : []),
      ...(aliases.length === 0
        ? []
        : [["aliases", [...frontList(front, "aliases"), ...aliases]] as const]),
      ...adopted.keys ?? [],
    ]);
  const whole = body === file.body ? text : text.slice(0, text.length - file.body.length) + body;
  return {
    key: path,
    kind: adopted.kind,
    title,
    stem: slug(file.stem),
    raw: text,
    state: text,
    project: adopted.project,
    render: (id) => editFrontMatter(whole, changes(id)),
  };
}
