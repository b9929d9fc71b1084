/**
 * A folder of basic-memory: Markdown with observations (`- [category] text #tag (context)`) and relations
 * (`- relates_to [[Note]]`), which are links already. Files stay as they are; names by which others link
 * to them become aliases, tags of observations become tags.
 */
import { slug } from "../../../base/text/text.ts";
import { frontList, frontText } from "../../../note/front_values.ts";
import { tags } from "../../../note/markdown.ts";
import type { FrontValue } from "../../../note/note.ts";
import { type Found, isProblem, type Place } from "../item.ts";
import { adopt, type MarkdownFile, readMarkdownBelow } from "./markdown.ts";

/** More tags distinguish nothing. */
const TAGS_MAX = 32;

export function readBasicMemory(place: Place): AsyncGenerator<Found> {
  return readMarkdownBelow(place, /\.mdc?$/i, adopted);
}

function adopted(file: MarkdownFile): Found {
  const { path, front, body } = file;
  const type = frontText(front, "type") ?? "note";
  const permalink = frontText(front, "permalink");
  const all = [...new Set([...frontList(front, "tags"), ...tags(body)])].slice(0, TAGS_MAX);
  const found = adopt(file, {
    kind: "knowledge",
    aliases: [path.replace(/\.mdc?$/i, ""), ...(permalink === undefined ? [] : [permalink])],
    keys: new Map<string, FrontValue | undefined>([
      ...(type === "note" || front.has("subject") ? [] : [["subject", type] as const]),
      ...(all.length === 0 ? [] : [["tags", all] as const]),
    ]),
  });
  return isProblem(found) ? found : { ...found, stem: slug(file.title) };
}
