/**
 * Parses any Markdown file into a Note. If it cannot be parsed, the note has a `problem` with its place, and
 * its text stays searchable. Knows the keys of earlier layouts; each kind of note reads its own sections.
 */
import { conflictLine, UNMERGED } from "../base/text/conflict_markers.ts";
import { pattern } from "../base/text/pattern.ts";
import { basename } from "../base/path.ts";
import { asNoteId, NOT_IN_IDS, type NoteId } from "../base/id.ts";
import { frontFlag, frontList, frontText, frontTime } from "./front_values.ts";
import { readSplit, splitFrontMatter, type SplitNote } from "./front_matter.ts";
import { fencedLines, firstHeading } from "./markdown.ts";
import {
  type FrontMap,
  kindOfPath,
  type Note,
  NOTE_KINDS,
  type NoteKind,
  type NoteProblem,
  type NoteStatus,
} from "./note.ts";

/** Times for files without any. */
export interface Fallback {
  readonly created?: string | undefined;
  readonly updated?: string | undefined;
}

/** Parses a note. `path` gives kind and id if the front matter does not. Never throws. */
export async function parseNote(text: string, path: string, fallback?: Fallback): Promise<Note> {
  const split = splitFrontMatter(text);
  const read = await readSplit(split).catch((error: unknown) => ({
    problem: { line: 1, column: 1, reason: String(error) },
  }));
  if ("problem" in read) return toNote(split, new Map(), path, fallback, read.problem);
  const note = toNote(split, read.map, path, fallback, undefined);
  const line = conflictLine(split.body);
  // In a code fence conflict markers are only an example.
  if (line === undefined || fencedLines(split.body.split(/\r?\n/))[line] === true) return note;
  const before = text.slice(0, split.bodyStart).split("\n").length;
  return { ...note, problem: { line: before + line, column: 1, reason: UNMERGED } };
}

function toNote(
  split: SplitNote,
  front: FrontMap,
  path: string,
  fallback: Fallback | undefined,
  problem: NoteProblem | undefined,
): Note {
  const stem = stemIn(path);
  const kind = kindOf(front, path);
  const created = frontTime(front, "created", "timestamp", "ts", "date") ?? fallback?.created ?? "";
  // Front matter that cannot be parsed is searched like the body.
  const body = problem === undefined || split.front === undefined
    ? split.body
    : `${split.front.text}\n${split.body}`;
  return {
    kind,
    id: idOf(front, stem),
    title: firstHeading(split.body) ?? frontText(front, "title") ?? stem,
    created,
    updated: frontTime(front, "updated", "modified") ?? fallback?.updated ?? created,
    status: statusOf(front, kind),
    ...readNamed(front),
    // `always` is the word of Sage's predecessor, which people still write.
    pinned: frontFlag(front, "pinned") || frontFlag(front, "always"),
    front,
    body,
    problem,
  };
}

/** Project, tags and aliases of a front matter. */
export function readNamed(front: FrontMap): Pick<Note, "project" | "tags" | "aliases"> {
  return {
    project: frontText(front, "project"),
    tags: frontList(front, "tags").map((tag) => tag.replace(/^#/, "")),
    aliases: frontList(front, "aliases"),
  };
}

/** The kind by `type`; without it, by the path. */
function kindOf(front: FrontMap, path: string): NoteKind {
  const type = frontText(front, "type")?.toLowerCase();
  if (type === "entity") return "knowledge";
  if (type !== undefined) return NOTE_KINDS.find((kind) => kind === type) ?? "note";
  return kindOfPath(path.replaceAll("\\", "/"));
}

/** The id of a note that states none, by its path. */
export function idByPath(path: string): NoteId {
  return idOf(new Map(), stemIn(path));
}

function stemIn(path: string): string {
  return basename(path).replace(/\.(?:md|markdown)$/i, "");
}

/** The id in the front matter; undefined where that has none, or what can be none, such as nothing. */
export function statedId(front: FrontMap): NoteId | undefined {
  return asNoteId(frontText(front, "id") ?? "");
}

function idOf(front: FrontMap, stem: string): NoteId {
  const id = statedId(front) ?? asNoteId(stem) ??
    asNoteId(spelled(stem).slice(0, 120)) ?? asNoteId("note");
  return id as NoteId;
}

/** A stem with the characters that no id may have replaced. */
function spelled(stem: string): string {
  return stem.replace(pattern(`[${NOT_IN_IDS}]+`, "gu"), "-").replace(/^[-.]+/, "");
}

const STATUSES: Readonly<Record<string, NoteStatus>> = {
  active: "active",
  archived: "archived",
  draft: "draft",
};

/** Only for todos and plain notes: in other kinds `done` is a person's own word, and hides nothing. */
const TODO_STATUSES: Readonly<Record<string, NoteStatus>> = {
  ...STATUSES,
  pending: "pending",
  open: "pending",
  todo: "pending",
  in_progress: "in_progress",
  doing: "in_progress",
  blocked: "blocked",
  done: "done",
  completed: "done",
  complete: "done",
  // Nobody is going to do it, so it is off the list.
  cancelled: "done",
  canceled: "done",
  dropped: "done",
};

function statusOf(front: FrontMap, kind: NoteKind): NoteStatus {
  const said = (frontText(front, "status") ?? "").toLowerCase().replace(/[\s-]+/g, "_");
  const known = kind === "todo" || kind === "note" ? TODO_STATUSES : STATUSES;
  const status = Object.hasOwn(known, said) ? known[said] : undefined;
  return status ?? (kind === "todo" ? "pending" : "active");
}
