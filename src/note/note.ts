/** The types that all kinds of notes share. */
import type { NoteId } from "../base/id.ts";
import type { YamlMap, YamlValue } from "../base/yaml/value.ts";

/** The kinds that Sage writes. */
export const NOTE_KINDS = ["checkpoint", "knowledge", "todo", "session", "topic"] as const;

/** The folder of each kind in a store. */
export const KIND_FOLDERS: Readonly<Record<typeof NOTE_KINDS[number], string>> = {
  checkpoint: "checkpoints",
  knowledge: "knowledge",
  todo: "todos",
  session: "sessions",
  topic: "topics",
};

/**
 * `note` is somebody's plain Markdown from a configured source: indexed, never written. The index stores a
 * kind by its place here.
 */
export const INDEXED_KINDS = [...NOTE_KINDS, "note"] as const;

export type NoteKind = typeof INDEXED_KINDS[number];

/** The kind of a note by its nearest folder that is one of `KIND_FOLDERS`, which `local/` and `archive/` have too. */
export function kindOfPath(path: string): NoteKind {
  const folders = path.split("/").slice(0, -1).reverse();
  const kinds = folders.map((name) => NOTE_KINDS.find((kind) => KIND_FOLDERS[kind] === name));
  return kinds.find((kind) => kind !== undefined) ?? "note";
}

/** Front matter as js-yaml's failsafe schema gives it: every scalar is the text as typed. */
export type FrontValue = YamlValue;
export type FrontMap = YamlMap;
/** New values of front matter by their keys; undefined removes a key. */
export type FrontChanges = ReadonlyMap<string, FrontValue | undefined>;

/** Why a note cannot be parsed; it is still searched as plain text, and never rewritten. */
export interface NoteProblem {
  readonly line: number;
  readonly column: number;
  readonly reason: string;
}

export type NoteStatus =
  | "active"
  | "archived"
  | "draft"
  | "pending"
  | "in_progress"
  | "blocked"
  | "done";

export interface Note {
  readonly kind: NoteKind;
  readonly id: NoteId;
  readonly title: string;
  /** RFC 3339, UTC; empty if the file has none and the caller gave no fallback. */
  readonly created: string;
  readonly updated: string;
  readonly status: NoteStatus;
  readonly project: string | undefined;
  readonly tags: readonly string[];
  readonly aliases: readonly string[];
  readonly pinned: boolean;
  /** Every key, in the file's order, unknown ones included. */
  readonly front: FrontMap;
  /** Markdown below the front matter. */
  readonly body: string;
  readonly problem: NoteProblem | undefined;
}
