/** The regular outcomes of saving. Surfaces render each kind; the compiler checks that none is missing. */
import type { NoteId } from "../../base/id.ts";
import type { Generated } from "../../note/provenance.ts";
import { type NoteRef, refOf, type StoredNote } from "../item.ts";

/** Who writes. `explicit` saves are refused on a secret; automatic ones are redacted. */
export interface Author {
  readonly by: "person" | "agent" | "sage";
  readonly session?: string;
  readonly explicit: boolean;
  /** A person has looked at it and agreed, so it may do what only they can grant. */
  readonly accepted?: boolean;
}

/** Whoever saves without being asked: such a save is never refused. */
export interface Unasked extends Author {
  readonly explicit: false;
}

/** Sage itself, in a session, unasked. */
export function bySage(session: string): Unasked & { readonly session: string } {
  return { by: "sage", session, explicit: false };
}

/** Fields about the author; only for others than a person. */
export function generatedBy(
  { by, session }: Pick<Author, "by"> & { readonly session?: string | undefined },
  at: string,
): Generated {
  return { by, at, ...(session === undefined ? {} : { session }) };
}

/** Where a secret was found. Never the value. */
export interface FieldFinding {
  readonly field: string;
  readonly rule: string;
  /** 1-based, within the field. */
  readonly line: number;
}

/** The rule for a private part that begins in one field and ends in another: no secret by itself. */
export const TORN_TAG = "torn-private-tag";

/** A note that was changed, for messages about it. */
export interface ChangedNote extends NoteRef {
  /** Absolute. */
  readonly path: string;
  readonly scope: "project" | "user";
}

export function changedNote({ note, absolutePath: path, store }: StoredNote): ChangedNote {
  return { ...refOf(note), path, scope: store.scope };
}

export interface Saved extends ChangedNote {
  readonly kind: "saved";
  readonly id: NoteId;
  readonly redactions: number;
  /** Why it has no link to the note that it contradicts or continues. */
  readonly unlinked?: string;
  /** Knowledge of the same title that is archived, and what replaced that. */
  readonly retired?: NoteRef & { readonly replaced_by?: NoteRef };
  /** `.sageignore` excludes its place: the file exists, and is in no answer. */
  readonly ignored?: true;
}

/** The message about that. */
export const IGNORED_NOTE = "no search finds it, because .sageignore excludes its path";

/** Why nothing was saved, although nothing failed. */
export type NotSaved =
  | { readonly kind: "duplicate"; readonly of: NoteRef; readonly similarity: number }
  | { readonly kind: "thin"; readonly missing: readonly string[] }
  /** The input is invalid: `the pattern "(a" is not valid: …`. */
  | { readonly kind: "invalid"; readonly reason: string }
  | { readonly kind: "refused"; readonly findings: readonly FieldFinding[] }
  | { readonly kind: "forgotten"; readonly id: string }
  | { readonly kind: "excluded"; readonly reason: string }
  | { readonly kind: "over_cap"; readonly reason: string; readonly hint: string };

export type SaveOutcome = Saved | NotSaved;

/** The file changed meanwhile: that text stays, and nothing was written. */
export interface Edited {
  readonly kind: "edited";
  readonly id: string;
  readonly path: string;
  readonly reason: string;
}

export function edited({ note: { id }, absolutePath: path }: StoredNote): Edited {
  return { kind: "edited", id, path, reason: "the file changed since it was read" };
}
