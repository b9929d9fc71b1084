/** A note as lists, `--json` and tools show it. */
import { SageError } from "../base/errors.ts";
import { sha256Hex } from "../base/hash.ts";
import { shortId } from "../base/id.ts";
import { join } from "../base/path.ts";
import { frontText } from "../note/front_values.ts";
import type { Note } from "../note/note.ts";
import { type FileSource, fileSources, readGenerated, readSources } from "../note/provenance.ts";
import type { IndexedNote } from "../search/document.ts";
import type { Store } from "../store/handle.ts";
import type { LoadedNote } from "../store/load.ts";
import type { Memory } from "./memory.ts";
import { publicTitle, withoutPrivate } from "./write/public_part.ts";

/** A note and where it was read. */
export interface StoredNote {
  readonly store: Store;
  /** Relative to the store. */
  readonly path: string;
  readonly absolutePath: string;
  /** As its owner wrote it, except for the title, which is printed everywhere. */
  readonly note: Note;
  /** Files that it rests on. */
  readonly sources: readonly FileSource[];
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
  /** `person`, `agent` or `sage`; `unknown` where nobody trusts the store. */
  readonly author: string;
  readonly project?: string;
  readonly tags: readonly string[];
  readonly flags: readonly string[];
  /** Sources that changed since the note was anchored; then `stale` is among the flags. */
  readonly stale?: readonly StaleSource[];
  /** What contradicts it, later or by a person; then `contradicted` is among the flags. */
  readonly contradicted_by?: readonly DatedRef[];
  /** Since when a change of it waits for a person; then `questioned` is among the flags. */
  readonly questioned?: string;
}

/** A reference to a note. */
export type NoteRef = Pick<NoteItem, "id" | "short_id" | "title">;
/** Author and trust of a note, shown beside every quotation. */
export type Attributed = Pick<NoteItem, "updated" | "scope" | "author" | "flags">;
export type DatedRef = Pick<NoteItem, keyof NoteRef | "updated">;

export interface StaleSource {
  /** Relative to the project's folder. */
  readonly path: string;
  readonly change: "changed" | "gone";
  /** The commit that was checked out when the note was anchored. */
  readonly since?: string;
}

/** `known`: what the index knows beyond the file (text_date.ts). */
export function toStored(store: Store, loaded: LoadedNote, known?: IndexedNote): StoredNote {
  const { note } = loaded;
  const hash = sha256Hex(loaded.bytes);
  const indexed = known?.contentHash === hash ? known : undefined;
  return {
    store,
    path: loaded.path,
    absolutePath: join(store.root, loaded.path),
    note: { ...note, title: publicTitle(note), updated: indexed?.updated ?? note.updated },
    sources: indexed === undefined
      ? fileSources(readSources(withoutPrivate(note).front))
      : indexed.sources ?? [],
    hash,
    loaded,
  };
}

/** Refuses to change a note whose front matter is broken: nobody knows what its lines mean. */
export function refuseUnreadable(
  { note: { problem }, absolutePath }: Pick<StoredNote, "note" | "absolutePath">,
  verb = "read",
): void {
  if (problem === undefined) return;
  const place = `${absolutePath}:${problem.line}:${problem.column}`;
  throw new SageError("invalid_note", `Cannot ${verb} ${place}: ${problem.reason}`, {
    hint: "mend the file by hand, then repeat",
  });
}

export function toItem({ note, store, absolutePath }: StoredNote): NoteItem {
  return itemOf(store, note, absolutePath, {
    author: authorOf(note),
    superseded: frontText(note.front, "superseded_by") !== undefined,
    unparsable: note.problem !== undefined,
  });
}

/** The same, without private text. */
export function publicItem(stored: StoredNote): NoteItem {
  return toItem({ ...stored, note: withoutPrivate(stored.note) });
}

/** Notes that a name may mean, read from their files or from the index. */
export function publicItems(items: readonly (StoredNote | NoteItem)[]): NoteItem[] {
  return items.map((item) => "note" in item ? publicItem(item) : item);
}

/** The same from the index, without reading the file. */
export function indexedItem(store: Store, note: IndexedNote): NoteItem {
  return itemOf(store, note, join(store.root, note.path), {
    author: note.author,
    superseded: note.supersededBy !== undefined,
    unparsable: note.problem,
  });
}

type Common = "id" | "kind" | "title" | "created" | "updated" | "status" | "project" | "tags";

function itemOf(
  store: Store,
  note: Pick<Note | IndexedNote, Common>,
  path: string,
  { author, ...said }: {
    readonly author: string | undefined;
    readonly superseded: boolean;
    readonly unparsable: boolean;
  },
): NoteItem {
  // What a reader must know before believing a note.
  const flags = {
    untrusted: store.trust === "unknown",
    archived: note.status === "archived",
    ...said,
  };
  return {
    ...refOf(note),
    type: note.kind,
    path,
    created: note.created,
    updated: note.updated,
    status: note.status,
    scope: store.scope,
    author: attributed(store, author),
    ...(note.project === undefined || note.project === "" ? {} : { project: note.project }),
    tags: note.tags,
    flags: Object.entries(flags).flatMap(([flag, isSo]) => isSo ? [flag] : []),
  };
}

/** The flags in words, for readers that look at no other field; `dayOf`: for people, who have a time zone. */
export function flagWords(
  { flags, contradicted_by: by = [], questioned = "" }: Pick<
    NoteItem,
    "flags" | "contradicted_by" | "questioned"
  >,
  dayOf = (moment: string): string => moment.slice(0, 10),
): string[] {
  const rivals = by.map(({ short_id, updated }) => `${short_id} of ${dayOf(updated)}`);
  const words: Readonly<Record<string, string>> = {
    contradicted: `contradicted by ${rivals.join(" and ")}`,
    questioned: `questioned on ${dayOf(questioned)}, see sage inbox`,
  };
  return flags.map((flag) => words[flag] ?? flag);
}

export function refOf({ id, title }: Pick<NoteRef, "id" | "title">): NoteRef {
  return { id, short_id: shortId(id), title };
}

export function attribution(stored: StoredNote): Attributed {
  const { updated, scope, author, flags } = toItem(stored);
  return { updated, scope, author, flags };
}

export function datedRef(note: Pick<DatedRef, "id" | "title" | "updated">): DatedRef {
  return { ...refOf(note), updated: note.updated };
}

/** The store's trust as a fence states it; empty if unknown, because the note's own flag says so. */
export function trustSaid({ stores }: Memory, scope: NoteItem["scope"] | undefined): string {
  const trust = stores.find((store) => store.scope === scope)?.trust;
  return trust === undefined || trust === "unknown" ? "" : trust;
}

/** The author as Sage may state it: what a store that nobody trusts says is no evidence. */
export function attributed(store: Store, author: string | undefined): string {
  return store.trust === "unknown" ? "unknown" : author ?? "person";
}

/** The author of a note, as recorded by Sage. */
export function authorOf({ front, kind }: Note): string {
  // Session notes are Sage's by their kind.
  return readGenerated(front)?.by || (kind === "session" ? "sage" : "person");
}
