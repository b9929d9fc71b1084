/**
 * The walk over a store's notes: five kind folders, `archive/` and `local/`, by names. A file is opened
 * only where it is named like the numbered copy of another. What is no note is left out with a reason.
 */
import { systemError, systemErrorCode } from "../base/errors.ts";
import { type FileInfo, type FolderEntry, join, listIfDir } from "../base/fs.ts";
import { NOTE_WALK_BYTES_MAX, STORE_DEPTH_MAX, STORE_FILES_MAX } from "../base/limits.ts";
import { compareText } from "../base/text.ts";
import { conflictOf, hostedOf, numberedOf } from "./conflict.ts";
import type { Store } from "./handle.ts";
import type { Ignores } from "./ignore.ts";
import { isMarkdown, isReservedName, NOTE_FOLDERS } from "./layout.ts";
import { type FileStamp, type KnownStamps, stampOf } from "./stamp.ts";
import { quote, segmentProblem } from "./paths.ts";
import { isSyncCopy, isSyncCopyWithTitle } from "./sync_copies.ts";

export interface WalkedFile {
  /** Relative to the store's root. */
  readonly path: string;
  readonly stamp: FileStamp;
}

export interface SkippedPath {
  readonly path: string;
  readonly reason: string;
}

export interface WalkResult {
  readonly files: readonly WalkedFile[];
  /** Paths in `WalkOptions.known` whose files have the same stamp; they are not in `files`. */
  readonly unchanged: readonly string[];
  readonly skipped: readonly SkippedPath[];
  /** Files and folders that could not be looked at; what lay there may lie there still. */
  readonly unreadable: readonly string[];
  /** How many folders of notes exist; none may mean that the store is not there at all. */
  readonly folders: number;
}

export interface WalkOptions {
  readonly ignores?: Ignores | undefined;
  /** Earlier stamps: a file with the same one is reported by its path only. */
  readonly known?: KnownStamps;
}

/** The reason given for conflict copies; doctor lists these. */
export const CONFLICT_COPY = "conflict copy";
/** For files that iCloud has taken off this disk until somebody opens them. */
export const IN_ICLOUD = "in iCloud, not on this disk";
/** Up to macOS 13, the placeholder of a file that is only in iCloud. */
const EVICTED = /^\.(.+\.md)\.icloud$/i;
/** For what a `.sageignore` excludes. */
export const IGNORED = "ignored";

/** Every note of the store, by path. */
export function listPaths(store: Store): WalkResult {
  const walk = walkStore(store);
  const byPath = (a: { path: string }, b: { path: string }): number => compareText(a.path, b.path);
  return {
    ...walk,
    files: walk.files.toSorted(byPath),
    skipped: walk.skipped.toSorted(byPath),
  };
}

/** The same in the order of the disk: for a scan, which looks each one up by name. */
export function walkStore(store: Store, options: WalkOptions = {}): WalkResult {
  const walk = new Walk(store, options);
  for (const _ of walk.parts());
  return resultOf(walk);
}

/** The same with a pause behind each part. */
export async function walkInParts(
  store: Store,
  options: WalkOptions,
  pause: () => Promise<void>,
): Promise<WalkResult> {
  const walk = new Walk(store, options);
  for (const _ of walk.parts()) await pause();
  return resultOf(walk);
}

function resultOf({ files, unchanged, skipped, unreadable, folders }: Walk): WalkResult {
  return { files, unchanged, skipped, unreadable, folders };
}

/** Every regular file below a folder of the store, hidden ones and copies included. */
export function filesUnder(store: Store, folder: string, depth = 0): string[] {
  if (depth > STORE_DEPTH_MAX) return [];
  return entriesOf(store, folder).flatMap(({ name, kind }) => {
    const path = `${folder}/${name}`;
    if (kind === "dir") return filesUnder(store, path, depth + 1);
    return kind === "file" ? [path] : [];
  });
}

/** Callers that need every file must know which folder could not be read. */
function entriesOf({ fs, root }: Store, folder: string): FolderEntry[] {
  try {
    return listIfDir(fs, join(root, folder));
  } catch (error) {
    throw systemError(error, `look into ${quote(join(root, folder))}`);
  }
}

/** Files of one part: about a millisecond. */
const PART_FILES = 128;

/** Names as Sage makes them, nine in ten of all: they need none of the checks below. */
const PLAIN_NAME = /^[A-Za-z0-9](?:[A-Za-z0-9_]|-(?![A-Z])){0,110}\.md$/;

class Walk {
  readonly files: WalkedFile[] = [];
  readonly unchanged: string[] = [];
  readonly skipped: SkippedPath[] = [];
  readonly unreadable: string[] = [];
  folders = 0;
  #seen = 0;
  readonly #store: Store;
  readonly #ignores: Ignores | undefined;
  readonly #known: KnownStamps | undefined;

  constructor(store: Store, { ignores, known }: WalkOptions) {
    this.#store = store;
    this.#ignores = ignores === undefined || ignores.files.length === 0 ? undefined : ignores;
    this.#known = known;
  }

  *parts(): Generator<void> {
    for (const folder of NOTE_FOLDERS) yield* this.#enter(folder);
  }

  /** A top folder: missing is normal, anything but a folder is not. */
  *#enter(folder: string): Generator<void> {
    const info = this.#store.fs.lstat(join(this.#store.root, folder));
    if (info === undefined) return;
    if (info.kind !== "dir") return this.#skip(folder, "a link or a file where a folder belongs");
    this.folders++;
    yield* this.#folder(folder, 1);
  }

  *#folder(folder: string, depth: number): Generator<void> {
    if (depth >= STORE_DEPTH_MAX) return this.#skip(folder, "too deep");
    const entries = this.#list(folder);
    let siblings: ReadonlySet<string> | undefined;
    for (const { name, kind } of entries) {
      if (name.startsWith(".")) {
        this.#hidden(folder, name);
        continue;
      }
      const isPlain = PLAIN_NAME.test(name) && !name.includes("conflict");
      // A link to a folder is reported, because somebody will miss it; other things that are no Markdown are
      // not.
      const isFile = isPlain || isMarkdown(name) || (kind === "link" && !name.includes("."));
      if (kind !== "dir" && !isFile) continue;
      if (++this.#seen > STORE_FILES_MAX) {
        // One of them tells of all; the folder itself is looked into.
        return this.#skip(`${folder}/${name}`, `of a store no more than ${STORE_FILES_MAX} are`);
      }
      if (this.#seen % PART_FILES === 0) yield;
      const path = `${folder}/${name}`;
      const reason = (isPlain ? undefined : segmentProblem(name)) ??
        (this.#isIgnored(path, kind) ? IGNORED : undefined);
      if (reason !== undefined) this.#skip(path, reason);
      else if (kind === "dir" && !isFile) yield* this.#folder(path, depth + 1);
      else if (isPlain) this.#file(path, name);
      else this.#file(path, name, siblings ??= new Set(entries.map(({ name }) => name)));
    }
  }

  /** A note that iCloud has taken off the disk is still a note, and stays in the index. */
  #hidden(folder: string, name: string): void {
    const evicted = EVICTED.exec(name)?.[1];
    if (evicted === undefined) return;
    const path = `${folder}/${evicted}`;
    // An excluded file does not stay in the index for being unreadable.
    if (this.#isIgnored(path, "file")) return this.#skip(path, IGNORED);
    this.unreadable.push(path);
    this.#skip(path, IN_ICLOUD);
  }

  /** `siblings` where the name could be that of a conflict copy. */
  #file(path: string, name: string, siblings?: ReadonlySet<string>): void {
    let info: FileInfo | undefined;
    try {
      info = this.#store.fs.lstat(`${this.#store.root}/${path}`);
    } catch (error) {
      return this.#fail(path, error);
    }
    if (info === undefined) return;
    // What was a note before still is: only the names around it could have changed that.
    if (siblings === undefined && this.#known?.isUnchanged(path, info) === true) {
      return void this.unchanged.push(path);
    }
    const reason = reasonToSkip(info) ??
      (isReservedName(name) ? "reserved name" : undefined) ??
      (siblings !== undefined && this.#isCopy(path, name, siblings) ? CONFLICT_COPY : undefined);
    if (reason === undefined) this.files.push({ path, stamp: stampOf(info) });
    else this.#skip(path, reason);
  }

  #isCopy(path: string, name: string, siblings: ReadonlySet<string>): boolean {
    if (conflictOf(name) !== undefined) return true;
    const beside = (stem: string | undefined): string | undefined =>
      stem !== undefined && siblings.has(`${stem}.md`)
        ? `${path.slice(0, -name.length)}${stem}.md`
        : undefined;
    const [numbered, hosted] = [beside(numberedOf(name)), beside(hostedOf(name))];
    return numbered !== undefined && isSyncCopy(this.#store, path, numbered) ||
      hosted !== undefined && isSyncCopyWithTitle(this.#store, path, hosted);
  }

  #list(folder: string): { name: string; kind: FileInfo["kind"] }[] {
    try {
      return this.#store.fs.list(join(this.#store.root, folder));
    } catch (error) {
      this.#fail(folder, error);
      return [];
    }
  }

  #isIgnored(path: string, kind: FileInfo["kind"]): boolean {
    return this.#ignores?.isIgnored(join(this.#store.root, path), kind === "dir") ?? false;
  }

  #fail(path: string, error: unknown): void {
    this.unreadable.push(path);
    this.#skip(path, `unreadable (${systemErrorCode(error) ?? "unknown error"})`);
  }

  #skip(path: string, reason: string): void {
    this.skipped.push({ path, reason });
  }
}

/** Why this cannot be a note, from its looks alone. */
function reasonToSkip(info: FileInfo): string | undefined {
  if (info.kind === "link") return "a link";
  if (info.kind === "dir") return "a folder";
  if (info.kind === "other") return "no regular file";
  if (info.size === 0) return "empty";
  if (info.size > NOTE_WALK_BYTES_MAX) {
    return `larger than ${NOTE_WALK_BYTES_MAX / 1024 / 1024} MiB`;
  }
  return undefined;
}
