/** A note as lists, `--json` and tools show it: the one shape of design/interfaces. */
import { sha256Hex } from "../base/hash.ts";
import { shortId } from "../base/id.ts";
import { join } from "../base/fs.ts";
import type { FrontMap, FrontValue, Note } from "../note/note.ts";
import type { IndexedNote } from "../search/document.ts";
import type { LoadedNote, Store } from "../store/store.ts";
import { openTitle } from "./open_part.ts";

/** A note and where it was read. */
export interface StoredNote {
  readonly store: Store;
  /** Relative to the store. */
  readonly path: string;
  readonly absolutePath: string;
  /** As its owner wrote it, but for the title, which is printed everywhere. */
  readonly note: Note;
  /** SHA-256 of the file's bytes. */
  readonly hash: string;
  readonly loaded: LoadedNote;
}

/** snake_case, because it is printed as it is. */
export interface NoteItem {
  readonly id: string;
  readonly short_id: string;
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly created: string;
  readonly updated: string;
  readonly status: string;
  readonly scope: "project" | "user";
  readonly project?: string;
  readonly tags: readonly string[];
  readonly flags: readonly string[];
  /** Sources that are not what the note rests on any more: then `stale` is among the flags. */
  readonly stale?: readonly StaleSource[];
}

export interface StaleSource {
  /** From the project's folder. */
  readonly path: string;
  readonly change: "changed" | "gone";
  /** The commit that was checked out when the note was anchored. */
  readonly since?: string;
}

export function toStored(store: Store, loaded: LoadedNote): StoredNote {
  return {
    store,
    path: loaded.path,
    absolutePath: join(store.root, loaded.path),
    note: { ...loaded.note, title: openTitle(loaded.note) },
    hash: sha256Hex(loaded.bytes),
    loaded,
  };
}

export function toItem(stored: StoredNote): NoteItem {
  const { note, store } = stored;
  return {
    id: note.id,
    short_id: shortId(note.id),
    type: note.kind,
    title: note.title,
    path: stored.absolutePath,
    created: note.created,
    updated: note.updated,
    status: note.status,
    scope: store.scope,
    ...(note.project === undefined ? {} : { project: note.project }),
    tags: note.tags,
    flags: flagsOf(note, store),
  };
}

/** The same from what the index knows, without reading the file. */
export function indexedItem(store: Store, note: IndexedNote): NoteItem {
  const flags: string[] = [];
  if (store.trust === "unknown") flags.push("untrusted");
  if (note.status === "archived") flags.push("archived");
  if (note.supersededBy !== undefined) flags.push("superseded");
  if (note.problem) flags.push("unparsable");
  return {
    id: note.id,
    short_id: shortId(note.id),
    type: note.kind,
    title: note.title,
    path: join(store.root, note.path),
    created: note.created,
    updated: note.updated,
    status: note.status,
    scope: store.scope,
    ...(note.project === undefined || note.project === "" ? {} : { project: note.project }),
    tags: note.tags,
    flags,
  };
}

/** What a reader must know before believing a note. */
export function flagsOf(note: Note, store: Store): string[] {
  const flags: string[] = [];
  if (store.trust === "unknown") flags.push("untrusted");
  if (note.status === "archived") flags.push("archived");
  if (textField(note.front, "superseded_by") !== undefined) flags.push("superseded");
  if (note.problem !== undefined) flags.push("unparsable");
  return flags;
}

export function textField(front: FrontMap, key: string): string | undefined {
  const value = front.get(key);
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function listField(front: FrontMap, key: string): string[] {
  const value: FrontValue | undefined = front.get(key);
  if (typeof value === "string") {
    return value === "" ? [] : value.split(",").map((part) => part.trim());
  }
  return Array.isArray(value)
    ? value.filter((part): part is string => typeof part === "string")
    : [];
}

/** The author as Sage may say it: what a store that nobody vouched for claims is no evidence. */
export function attributed(store: Store, author: string | undefined): string {
  return store.trust === "unknown" ? "unknown" : author ?? "person";
}

/** Who wrote a note, as far as Sage itself recorded it. */
export function authorOf(note: Note): string {
  const generated = note.front.get("generated");
  if (generated instanceof Map) {
    const by = generated.get("by");
    if (typeof by === "string" && by !== "") return by;
  }
  // A session's own note is Sage's by its kind.
  return note.kind === "session" ? "sage" : "person";
}
