/**
 * The walk over a store's folders of notes, by names and stamps. A file is opened only if it is named like
 * a copy of another. What is no note is skipped with a reason.
 */
import { systemError, systemErrorCode } from "../base/errors.ts";
import { type FileInfo, type FolderEntry, listIfDir } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { NOTE_WALK_BYTES_MAX, STORE_DEPTH_MAX, STORE_FILES_MAX } from "../base/limits.ts";
import { compareText } from "../base/text/text.ts";
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
  /** Files and folders that could not be read; known notes there may still exist. */
  readonly unreadable: readonly string[];
  /** How many folders of notes exist; 0 may mean that the store itself is not there. */
  readonly folders: number;
}

export interface WalkOptions {
  readonly ignores?: Ignores | undefined;
  /** Earlier stamps: a file with the same one is reported by its path only. */
  readonly known?: KnownStamps;
}

/** The reason given for conflict copies, which `sage doctor` lists. */
export const CONFLICT_COPY = "conflict copy";
/** The reason for files that iCloud has removed from this disk until somebody opens them. */
export const IN_ICLOUD = "in iCloud, not on this disk";
/** The placeholder of a file that is only in iCloud, up to macOS 13. */
const EVICTED = /^\.(.+\.md)\.icloud$/i;
/** The reason for what a `.sageignore` excludes. */
export const IGNORED = "ignored";

/** Every note of the store, sorted by path. */
export function listPaths(store: Store): WalkResult {
  const walk = walkStore(store);
  const byPath = (a: { path: string }, b: { path: string }): number => compareText(a.path, b.path);
  return { ...walk, files: walk.files.toSorted(byPath), skipped: walk.skipped.toSorted(byPath) };
}

/** The same in the order of the disk, for a scan, which looks up each path anyway. */
export function walkStore(store: Store, options: WalkOptions = {}): WalkResult {
  const walk = new Walk(store, options);
  for (const _ of walk.parts());
  return resultOf(walk);
}

/** The same with a pause after each part. */
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

/** Throws for an unreadable folder, because callers need every file. */
function entriesOf({ fs, root }: Store, folder: string): FolderEntry[] {
  try {
    return listIfDir(fs, join(root, folder));
  } catch (error) {
    throw systemError(error, `look into ${quote(join(root, folder))}`);
  }
}

/** Files of one part, about a millisecond of work. */
const PART_FILES = 128;

/** Names as Sage makes them, nine in ten of all. They cannot be conflict copies or unsafe: no checks needed. */
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

  /** Enters a top folder, which may be missing, but must not be anything else than a folder. */
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
      // A link that may lead to a folder is reported, because somebody will miss its notes.
      const isFile = isPlain || isMarkdown(name) || (kind === "link" && !name.includes("."));
      if (kind !== "dir" && !isFile) continue;
      if (++this.#seen > STORE_FILES_MAX) {
        // Reported for one file only. `folder` is not reported: notes were read from it.
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

  /** A note that is only in iCloud stays in the index. */
  #hidden(folder: string, name: string): void {
    const evicted = EVICTED.exec(name)?.[1];
    if (evicted === undefined) return;
    const path = `${folder}/${evicted}`;
    // An ignored file must not stay in the index because it is unreadable.
    if (this.#isIgnored(path, "file")) return this.#skip(path, IGNORED);
    this.unreadable.push(path);
    this.#skip(path, IN_ICLOUD);
  }

  /** `siblings`: given if the name could be that of a conflict copy. */
  #file(path: string, name: string, siblings?: ReadonlySet<string>): void {
    let info: FileInfo | undefined;
    try {
      info = this.#store.fs.lstat(`${this.#store.root}/${path}`);
    } catch (error) {
      return this.#fail(path, error);
    }
    if (info === undefined) return;
    // An unchanged file is a note as before, unless it could be a copy of a file that is new.
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

/** Why a file cannot be a note, by its stat data. */
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
