/**
 * A bundle of the Open Knowledge Format. A concept that was a note of Sage becomes that note again, under its
 * id; any other becomes knowledge with all of its keys, its type as the subject, its links as wikilinks.
 */
import { basename, dirname } from "../../../base/path.ts";
import { asNoteId } from "../../../base/id.ts";
import { frontText } from "../../../note/front_values.ts";
import { editFrontMatter } from "../../../note/front_matter.ts";
import { type FrontValue, kindOfPath, NOTE_KINDS } from "../../../note/note.ts";
import { NOTE_FOLDERS, stemOf } from "../../../store/layout.ts";
import { fromConcept, isOurs, scopeOf, statusChange } from "../../okf/form.ts";
import { filesBelow, type Found, type Place } from "../item.ts";
import { adopt, type MarkdownFile, readMarkdown } from "./markdown.ts";

/** A link to a file of the bundle, from its root or from where it stands. */
const FILE_LINK = /(?<!!)\[([^\[\]\n]*)\]\(<?([^()<>\s#]+)\.md(?:#[^()<>\s]*)?>?\)/g;

export async function* readOkf(place: Place): AsyncGenerator<Found> {
  const files = filesBelow(place, /\.md$/i);
  const concepts = new Set(files.filter((path) => typeof path === "string"));
  for (const path of files) {
    if (typeof path !== "string") yield path;
    // Reserved names in a bundle.
    else if (/^(?:index|log)\.md$/i.test(basename(path))) continue;
    else {
      const file = await readMarkdown(place, path);
      if ("reason" in file) yield file;
      else yield isOurs(file.front) ? ofOurs(file) : concept(file, concepts);
    }
  }
}

function ofOurs(file: MarkdownFile): Found {
  const { path, front, text, title } = file;
  const id = asNoteId(frontText(front, "id") ?? "");
  if (id === undefined) return { key: path, reason: "its id cannot be the id of a note" };
  const type = frontText(front, "type")?.toLowerCase();
  const [top = ""] = path.split("/");
  const isFiled = NOTE_FOLDERS.includes(top);
  const byFolder = kindOfPath(path);
  const kind = NOTE_KINDS.find((one) => one === type) ??
    (byFolder === "note" ? "knowledge" : byFolder);
  return {
    key: id,
    kind,
    title,
    stem: id,
    raw: text,
    state: text,
    keepsId: true,
    ...(scopeOf(front) === "user" ? { scope: "user" } : {}),
    project: frontText(front, "project"),
    ...(isFiled ? { folder: dirname(path) } : {}),
    render: async (id) => editFrontMatter(await fromConcept(text), new Map([["id", id]])),
  };
}

function concept(file: MarkdownFile, concepts: ReadonlySet<string>): Found {
  const { path, front } = file;
  const type = frontText(front, "type");
  if (type === undefined) return { key: path, reason: "it has no type, so it is not a concept" };
  const name = stemOf(path);
  const body = file.body.replace(FILE_LINK, (whole, shown: string, target: string) => {
    const from = target.startsWith("/") ? "" : dirname(path);
    const to = resolved(from, target);
    return concepts.has(`${to}.md`) ? `[[${to}${shown === "" ? "" : `|${shown}`}]]` : whole;
  });
  return adopt(file, {
    kind: "knowledge",
    body,
    aliases: [name],
    keys: new Map<string, FrontValue | undefined>([
      ...(front.has("subject") ? [] : [["subject", type] as const]),
      ...statusChange(front),
    ]),
  });
}

/** `../computations/revenue` from `metrics` is `computations/revenue`. */
function resolved(folder: string, target: string): string {
  const parts: string[] = [];
  for (const part of `${folder === "." ? "" : folder}/${target}`.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return parts.join("/");
}
