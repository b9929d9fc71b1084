/** A note as the index sees it: without private text, and not at all once it was forgotten. */
import { rfc3339 } from "../../base/clock.ts";
import { isShortage, SageError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/hash.ts";
import { cut } from "../../base/text/text.ts";
import { isMapping } from "../../base/yaml/value.ts";
import { chunkNote } from "../../note/chunk.ts";
import { frontFlag, frontLines, frontList, frontMap, frontText } from "../../note/front_values.ts";
import { noteLinks } from "../../note/links.ts";
import { tags } from "../../note/markdown.ts";
import type { FrontValue, Note } from "../../note/note.ts";
import { subjectOf, withoutOwnHistory } from "../../note/knowledge.ts";
import { fileSources, readSources } from "../../note/provenance.ts";
import type { NoteDocument, Relations } from "../../search/document.ts";
import type { Store } from "../../store/handle.ts";
import { type LoadedNote, readNoteBytes, toLoaded } from "../../store/load.ts";
import { type LFS_POINTER, noText } from "../../store/stamp.ts";
import { type Forgotten, isForgotten } from "../../store/tombstones.ts";
import { authorOf } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { withTextDate } from "../text_date.ts";

/** The index's view of a file, or why it may not be indexed. `isGone`: whether a note was forgotten. */
export async function readDocument(
  memory: Memory,
  store: Store,
  path: string,
  isGone = (forgotten: Forgotten): boolean =>
    isForgotten(memory.fs, memory.places.stateDir, forgotten),
): Promise<NoteDocument | "binary" | typeof LFS_POINTER | "unreadable" | "forgotten" | "absent"> {
  let loaded: LoadedNote;
  try {
    const { bytes, info } = readNoteBytes(store, path);
    const reason = noText(bytes);
    if (reason !== undefined) return reason;
    loaded = await toLoaded(path, bytes, info);
  } catch (error) {
    // Otherwise the note would leave the index for want of a file handle.
    if (isShortage(error)) throw error;
    const code = error instanceof SageError ? error.code : undefined;
    return code === "permission" ? "unreadable" : "absent";
  }
  const contentHash = sha256Hex(loaded.bytes);
  const forgotten = { id: loaded.note.id, store, contentHash };
  if (isGone(forgotten)) return "forgotten";
  return await withTextDate(memory, store, loaded, toDocument(loaded, contentHash));
}

/** The index's view of a note that was read. */
export function toDocument(loaded: LoadedNote, contentHash: string): NoteDocument {
  const note = withoutPrivate(loaded.note);
  const modified = rfc3339(loaded.stamp.mtimeMs);
  // Only knowledge still rests on its sources: a checkpoint did so on its day.
  const named = note.kind === "knowledge" ? readSources(note.front) : [];
  const sources = fileSources(named);
  const verified = frontText(frontMap(note.front, "verified") ?? new Map(), "at");
  const contradicts = note.kind === "session"
    ? [...note.body.matchAll(TAKES_BACK)].flatMap(([, id]) => id ?? [])
    : named.filter(({ relation }) => relation === "contradicts").map(({ id }) => id);
  return {
    id: note.id,
    kind: note.kind,
    title: note.title,
    path: loaded.path,
    created: note.created || modified,
    updated: note.updated || note.created || modified,
    status: note.status,
    project: note.project ?? "",
    tags: note.tags,
    keywords: frontList(note.front, "keywords"),
    patterns: frontLines(note.front, "patterns"),
    pinned: note.pinned,
    always: frontFlag(note.front, "always"),
    skills: frontList(note.front, "skills"),
    subject: subjectOf(note.front),
    supersedes: frontList(note.front, "supersedes"),
    ...(contradicts.length === 0 ? {} : { contradicts }),
    ...(verified === undefined ? {} : { verified }),
    session: sessionOf(note),
    ...(sources.length === 0 ? {} : { sources }),
    author: authorOf(note),
    stamp: loaded.stamp,
    contentHash,
    chunks: chunkNote(note.kind === "knowledge" ? searched(note) : note),
    relations: relationsOf(note),
    problem: note.problem !== undefined,
  };
}

function searched({ title, body }: Note): Pick<Note, "title" | "body"> {
  return { title, body: withoutOwnHistory(body) };
}

/** By this a session's note and its checkpoints are known to tell the same. */
function sessionOf({ kind, front }: Note): string | undefined {
  return kind === "session" || kind === "checkpoint" ? frontText(front, "session") : undefined;
}

/** The link that session/earlier_decisions.ts writes behind a decision. */
export const TAKES_BACK =
  /\(takes back: “[^\n]{0,500}?” of \[\[([^\]|\n]{1,300})(?:\|[^\]\n]{0,300})?\]\]\)/g;

/** Keys that have fields of their own in the index, or that links say. */
const HELD = [
  ...["id", "type", "created", "updated", "status", "project", "tags", "keywords", "patterns"],
  ...["pinned", "always", "skills", "subject", "supersedes", "aliases", "sources", "generated"],
];
const FIELDS_MAX = 64;
const FIELD_CHARACTERS_MAX = 300;

function relationsOf(note: Note): Relations {
  const fields = [...note.front].flatMap(([key, value]): [string, string][] =>
    HELD.includes(key) ? [] : [[key, cut(asText(value), FIELD_CHARACTERS_MAX)]]
  );
  // The pattern of tags is expensive, and few texts have a candidate.
  const inText = /(?:^|[\s(])#[^\s#]/m.test(note.body) ? tags(note.body) : [];
  if (inText.length > 0) fields.push(["#", cut(inText.join(","), FIELD_CHARACTERS_MAX)]);
  return {
    aliases: note.aliases,
    links: noteLinks(note).map(({ target, relation }) => [target, relation]),
    fields: fields.slice(0, FIELDS_MAX),
  };
}

function asText(value: FrontValue): string {
  if (typeof value === "string") return value;
  if (isMapping(value)) {
    return [...value].map(([key, inner]) => `${key}: ${asText(inner)}`).join(", ");
  }
  return value.map(asText).join(",");
}
