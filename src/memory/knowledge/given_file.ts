/**
 * Knowledge from a file: front matter beyond the fields that Sage reads, its comments, and its
 * history are kept as they stand. Author and owner are set anew.
 */
import { asNoteId } from "../../base/id.ts";
import { randomHex } from "../../base/hash.ts";
import { renderScalar } from "../../base/yaml/render.ts";
import { frontText } from "../../note/front_values.ts";
import { editFrontMatter, readFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { type KnowledgeDraft, renderKnowledge } from "../../note/knowledge.ts";
import type { FrontChanges, FrontMap, FrontValue } from "../../note/note.ts";
import { generatedValue, type Header, sourcesValue } from "../../note/provenance.ts";
import type { Author } from "../write/outcome.ts";
import type { GivenFile, KnowledgeInput } from "./outcome.ts";

const CREATED = ["created", "timestamp", "ts", "date"];
/** Identity, place and history of a note, which a given file does not change. */
const IDENTITY_KEYS: readonly string[] = [
  ...["id", "type", "project", "generated", "cross_project_recalls", "promoted"],
  ...["updated", "modified", ...CREATED],
];
/** What only a person may say of a note. */
export const OF_A_PERSON = ["always", "pinned", "verified"];

/** The id in the file's own front matter. */
export async function idOfFile(file: GivenFile): Promise<string | undefined> {
  return asNoteId(frontText(await frontOf(file), "id") ?? "");
}

/** The text of a new note from the file, for whatever name was free. */
export async function renderFromFile(
  input: KnowledgeInput & { readonly file: GivenFile },
  draft: KnowledgeDraft,
  header: Omit<Header, "id">,
  author: Author,
): Promise<(stem: string) => string> {
  const { file } = input;
  const front = await frontOf(file);
  const isDated = CREATED.some((key) => front.has(key));
  // A placeholder, replaced once the name is known, wherever the key stands.
  const place = `id-${randomHex(16)}`;
  const changes = new Map<string, FrontValue | undefined>([
    ["id", place],
    ["type", "knowledge"],
    ...(isDated ? [] : [["created", header.created], ["updated", header.created]] as const),
    ...(front.has("status") ? [] : [["status", "active"]] as const),
    ["project", header.project],
    ...fieldChanges(input),
    ...(front.has("subject") ? [] : [["subject", draft.subject]] as const),
    ["cross_project_recalls", undefined],
    ["promoted", undefined],
  ]);
  if (author.by !== "person") {
    changes.set("generated", generatedValue(draft.generated));
    for (const key of OF_A_PERSON) changes.set(key, undefined);
  }
  const body = splitFrontMatter(renderKnowledge(draft, { ...header, id: place })).body;
  const text = await editFrontMatter(withFences(file) + withHistory(body, file.history), changes);
  return (stem) => text.replace(place, () => renderScalar(stem, true));
}

/** The given fields as front matter; an empty list removes the key. */
export function fieldChanges(input: KnowledgeInput): FrontChanges {
  const changes = new Map<string, FrontValue | undefined>();
  for (const key of ["keywords", "patterns", "skills", "tags"] as const) {
    const list = input[key];
    if (list !== undefined) changes.set(key, list.length === 0 ? undefined : list);
  }
  if (input.subject !== undefined) changes.set("subject", input.subject);
  if (input.sources !== undefined) changes.set("sources", sourcesValue(input.sources));
  return changes;
}

/** The file's other fields, for a note that exists already. */
export async function otherChanges(file: GivenFile, author: Author): Promise<FrontChanges> {
  const leave = author.by === "person" ? IDENTITY_KEYS : [...IDENTITY_KEYS, ...OF_A_PERSON];
  return new Map([...await frontOf(file)].filter(([key]) => !leave.includes(key)));
}

/** A body with its history below it. */
export function withHistory(body: string, history: string): string {
  return history === "" ? body : `${body.trimEnd()}\n\n## History\n\n${history}\n`;
}

async function frontOf(file: GivenFile): Promise<FrontMap> {
  const read = await readFrontMatter(withFences(file));
  return "map" in read ? read.map : new Map();
}

function withFences({ front }: GivenFile): string {
  const text = front.replace(/\r\n?/g, "\n");
  return `---\n${text}${text === "" || text.endsWith("\n") ? "" : "\n"}---\n`;
}
