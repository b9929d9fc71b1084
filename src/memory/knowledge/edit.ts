/**
 * One requested change of a knowledge note: find it, check, clean, apply. If somebody else changed the
 * same place, there are four choices: merge (where that is clean), append below, a new note with a link,
 * or nothing.
 */
import { utcDay } from "../../base/clock.ts";
import { cut } from "../../base/text/text.ts";
import type { FrontValue } from "../../note/note.ts";
import type { Patch } from "../../note/patch.ts";
import { SUBJECTS } from "../../note/knowledge.ts";
import { nameOf } from "../../note/markdown.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { findNote, type NotFound } from "../find.ts";
import { HASH_DIGITS_MIN } from "../write/merge_base.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author, SaveOutcome } from "../write/outcome.ts";
import type { Proposed } from "./outcome.ts";
import { isEntity, patchKnowledge, type PatchOutcome, textOf } from "./patch.ts";
import { refusedRetired } from "./retired.ts";
import { saveKnowledge } from "./save.ts";

export const CONFLICT_CHOICES = ["merge", "append", "new", "abort"] as const;
/** What a conflict leaves: what could be merged was merged without asking. */
export const UNMERGED_CHOICES = CONFLICT_CHOICES.filter((choice) => choice !== "merge");
export type ConflictChoice = typeof CONFLICT_CHOICES[number];

export interface NoteEdit {
  readonly patch: Patch;
  readonly expectedHash?: string | undefined;
  readonly onConflict?: ConflictChoice | undefined;
}

export type EditOutcome =
  | PatchOutcome
  | SaveOutcome
  | Proposed
  | { readonly kind: "aborted"; readonly title: string }
  | NotFound;

/** Keys that hold a list. */
const LIST_KEYS = ["tags", "aliases", "keywords", "skills"];
/** Keys that an agent may set. Not the subject: it decides what an agent may do with a note. */
const AGENT_KEYS = [...LIST_KEYS, "confidence"];
/** Keys that an error suggests to a person. */
const PERSON_KEYS = [...LIST_KEYS, "subject", "title"];
/** Keys that Sage sets itself, or by commands of their own. */
const SAGE_KEYS = [
  ...["id", "type", "created", "updated", "generated", "status", "project", "verified"],
  ...["supersedes", "superseded_by", "cross_project_recalls", "promoted", "sources", "patterns"],
];

/** The value for a key: a list where the key has one, none for an empty text. */
export function fieldValue(key: string, text: string): FrontValue | undefined {
  if (!LIST_KEYS.includes(key)) return text.trim() === "" ? undefined : text.trim();
  const items = text.split(",").map((item) => item.trim()).filter((item) => item !== "");
  return items.length === 0 ? undefined : items;
}

export async function editKnowledge(
  memory: Memory,
  ref: string,
  edit: NoteEdit,
  author: Author,
): Promise<EditOutcome> {
  const found = await findNote(memory, ref);
  if (found.kind !== "one") return found;
  const stored = found.item;
  const wrong = invalid(stored, edit, author);
  if (wrong !== undefined) return { kind: "invalid", reason: wrong };
  const retired = await refusedRetired(memory, stored, author);
  if (retired !== undefined) return retired;
  const cleaned = await cleanDraft(memory, cleanable(edit.patch), author);
  if (cleaned.kind === "refused") return cleaned;
  const patch = { ...edit.patch, ...cleaned.draft } as Patch;
  if (textOf(patch).trim() === "") return { kind: "thin", missing: ["text"] };
  if ("heading" in patch && nameOf(patch.heading) === "") {
    return { kind: "thin", missing: ["heading"] };
  }
  // The whole title was private, and a note must have one.
  if (patch.kind === "set" && patch.key === "title" && isBlank(patch.value)) {
    return { kind: "thin", missing: ["title"] };
  }

  const { expectedHash, onConflict } = edit;
  const reason = `${reasonOf(patch)} by ${author.by}`;
  const outcome = await patchKnowledge(memory, stored, [patch], author, { expectedHash, reason });
  if (outcome.kind !== "conflict") return outcome;
  switch (onConflict) {
    case "append": {
      const heading = `Updates (unmerged ${utcDay(memory.now())})`;
      const below: Patch = { kind: "insert", heading, text: textOf(patch) };
      const unmerged = `added, not merged, by ${author.by}`;
      return await patchKnowledge(memory, stored, [below], author, { reason: unmerged });
    }
    case "new":
      return await saveBeside(memory, stored, patch, author);
    case "abort":
      return { kind: "aborted", title: stored.note.title };
    default:
      return outcome;
  }
}

function isBlank(value: FrontValue | undefined): boolean {
  return typeof value === "string" && value.trim() === "";
}

/** Saves the text as a note of its own, linked as an alternative. */
async function saveBeside(
  memory: Memory,
  { note, store }: StoredNote,
  patch: Patch,
  author: Author,
): Promise<EditOutcome> {
  const saved = await saveKnowledge(memory, {
    title: `${cut(note.title, 120)} (alternative)`,
    content: `${textOf(patch).trim()}\n\nAn alternative to [[${note.id}]].`,
    sources: [{ id: note.id, relation: "alternative" }],
    ...(author.by === "person" ? { scope: store.scope } : {}),
    onConflict: "keep_both",
  }, author);
  // `keep_both` updates nothing and conflicts with nothing.
  return saved as SaveOutcome | Proposed;
}

function invalid(
  stored: StoredNote,
  { patch, expectedHash }: NoteEdit,
  author: Author,
): string | undefined {
  const { note } = stored;
  const { title } = note;
  if (note.kind !== "knowledge") return `"${title}" is a ${note.kind}: ${INSTEAD[note.kind]}`;
  if (expectedHash !== undefined && !/^[0-9a-f]{8,64}$/.test(expectedHash)) {
    return `"${cut(expectedHash, 40)}" is not a hash of at least ${HASH_DIGITS_MIN} digits`;
  }
  if ("heading" in patch && nameOf(patch.heading) === "history") {
    return "the history is written by Sage; name another heading";
  }
  const rewrites = patch.kind === "replace" || patch.kind === "rewrite";
  if (rewrites && author.by !== "person") {
    if (isEntity(stored)) {
      return `"${title}" is about an entity and grows: insert under a heading, or append`;
    }
    if (expectedHash === undefined) {
      return "to replace text, say which text: expected_hash, as get_note gives it";
    }
  }
  if (patch.kind !== "set") return undefined;
  const { key } = patch;
  if (SAGE_KEYS.includes(key)) {
    return `Sage itself writes "${key}"; set ${PERSON_KEYS.join(", ")}, or a key of your own`;
  }
  const isSubject = key !== "subject" || patch.value === undefined ||
    SUBJECTS.some((one) => one === patch.value);
  if (!isSubject) return `the subject must be one of ${SUBJECTS.join(", ")}`;
  if (author.by !== "person" && !AGENT_KEYS.includes(key)) {
    return `an agent sets only ${AGENT_KEYS.join(", ")}; "${cut(key, 40)}" is for the person`;
  }
  return /^[\w.-]{1,64}$/.test(key) ? undefined : `"${cut(key, 40)}" is not a valid key`;
}

const INSTEAD: Readonly<Record<StoredNote["note"]["kind"], string>> = {
  knowledge: "",
  checkpoint: "its text stays as it was; save another one",
  todo: "set its status instead",
  session: "Sage keeps it itself",
  topic: "it is the person's to write",
  note: "it is only read",
};

/** The strings of a patch that somebody wrote, without its kind. */
function cleanable(patch: Patch): Partial<Record<"heading" | "text" | "value", unknown>> {
  const { kind: _, ...rest } = patch;
  return rest;
}

function reasonOf(patch: Patch): string {
  switch (patch.kind) {
    case "insert":
      return `added under ${patch.heading.trim()}`;
    case "append":
      return "added";
    case "replace":
      return `${patch.heading.trim()} replaced`;
    case "set":
      return `${patch.key} set`;
    case "rewrite":
      return "updated";
  }
}
