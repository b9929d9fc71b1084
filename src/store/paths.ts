/**
 * Resolves paths that come from a person, an agent or a file. Nothing outside the store, no link, and
 * nothing but notes and the copies that Sage keeps of them is ever resolved.
 */
import { isSameFile } from "../base/atomic.ts";
import { pattern } from "../base/text/pattern.ts";
import { SageError, systemError } from "../base/errors.ts";
import type { FileHandle, FileInfo, Fs } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { CONTROL } from "../base/text/text.ts";
import { SEGMENT_BYTES_MAX, STORE_DEPTH_MAX } from "../base/limits.ts";
import { encode } from "../base/utf8.ts";
import type { Store } from "./handle.ts";
import {
  HISTORY_FOLDER,
  INBOX_FOLDER,
  isMarkdown,
  MAP_NAME,
  NOTE_FOLDERS,
  TRASH_FOLDER,
} from "./layout.ts";

export interface ResolvedPath {
  /** Relative to the store's root, with `/`. */
  readonly path: string;
  readonly absolute: string;
}

export interface ResolvedFile extends ResolvedPath {
  readonly info: FileInfo;
}

const PATH_CHARACTERS_MAX = 1024;

/** A note (or a kept copy of one) that exists as a regular file inside the store. */
export function resolvePath(store: Store, path: string): ResolvedFile {
  const resolved = resolve(store, path);
  const info = lstatInside(store, resolved);
  if (info === undefined) throw new SageError("not_found", `Cannot find note ${quote(path)}`);
  if (info.kind !== "file") throw unsafe(path, "it is no regular file");
  return { ...resolved, info };
}

/** The same for a note that need not exist: its folder, as far as it exists, is inside the store. */
export function resolveNew(store: Store, path: string): ResolvedPath {
  const resolved = resolve(store, path);
  lstatInside(store, resolved);
  return resolved;
}

function resolve(store: Store, path: string): ResolvedPath {
  const problem = pathProblem(path);
  if (problem !== undefined) throw unsafe(path, problem);
  if (!isMarkdown(path)) throw unsafe(path, "its name does not end in .md");
  return { path, absolute: join(store.root, path) };
}

/** A folder in which notes may be made (`knowledge/skills/x`, `archive`). */
export function resolveFolder(store: Store, folder: string): ResolvedPath {
  const problem = pathProblem(`${folder}/x.md`);
  if (problem !== undefined) throw unsafe(folder, problem);
  const resolved = { path: folder, absolute: join(store.root, folder) };
  const info = lstatInside(store, resolved);
  if (info !== undefined && info.kind !== "dir") throw unsafe(folder, "it is no folder");
  return resolved;
}

/** Opens a resolved file for reading; refuses a file that was put in its place meanwhile. */
export function openInside(fs: Fs, file: ResolvedFile): FileHandle {
  const handle = fs.open(file.absolute, { read: true, noFollow: true });
  try {
    const info = handle.info();
    if (info.kind !== "file" || !isSameFile(info, file.info)) {
      throw new SageError("conflict", `Cannot read ${quote(file.path)}: it was replaced just now`, {
        hint: "try again",
      });
    }
    return handle;
  } catch (error) {
    handle.close();
    throw error;
  }
}

/** Why a relative path may not be used, or undefined. Does not look at the disk. */
export function pathProblem(path: string): string | undefined {
  if (path === "") return "it is empty";
  if (path.length > PATH_CHARACTERS_MAX) return "it is too long";
  if (path.startsWith("/")) return "it is absolute";
  const segments = path.split("/");
  // In the trash an entry has a note's whole path below it.
  const above = segments[0] === TRASH_FOLDER ? 2 : 0;
  if (segments.length > STORE_DEPTH_MAX + above) return "it is too deep";
  for (const [i, segment] of segments.entries()) {
    const problem = segmentProblem(segment);
    if (problem !== undefined) return problem;
    if (segment.startsWith(".") && !isKeptFolder(segment, i)) return "a part of it is hidden";
  }
  const first = segments[0] ?? "";
  const isKept = isKeptFolder(first, 0);
  if (path === MAP_NAME) return undefined;
  if (segments.length < 2 || !(isKept || NOTE_FOLDERS.includes(first))) {
    return "it lies in none of the folders of notes";
  }
  return undefined;
}

/** Why a name may not be a part of a path, or undefined. */
export function segmentProblem(segment: string): string | undefined {
  if (segment === "") return "a part of it is empty";
  if (segment === "." || segment === "..") return "it leaves its folder";
  if (CONTROL.test(segment)) return "it holds control characters";
  if (/[\\:]/.test(segment)) return "it holds a backslash or a colon";
  if (!segment.isWellFormed() || segment.includes("\uFFFD")) return "it is not valid Unicode";
  if (/^[-~]/.test(segment)) return "a part of it begins with - or ~";
  if (/[. ]$/.test(segment)) return "a part of it ends in a dot or a space";
  // No UTF-16 unit takes more than three bytes.
  const mayBeLong = segment.length * 3 > SEGMENT_BYTES_MAX;
  if (mayBeLong && encode(segment).length > SEGMENT_BYTES_MAX) {
    return "a part of it is too long";
  }
  return undefined;
}

function isKeptFolder(segment: string, depth: number): boolean {
  return depth === 0
    ? [TRASH_FOLDER, INBOX_FOLDER].includes(segment)
    : depth === 1 && segment === HISTORY_FOLDER;
}

/** Checks every part of the path without following a link; undefined if a part is missing. */
function lstatInside(store: Store, { path, absolute }: ResolvedPath): FileInfo | undefined {
  const { fs, root } = store;
  try {
    let info: FileInfo | undefined;
    let at = root;
    for (const segment of path.split("/")) {
      if (info !== undefined && info.kind !== "dir") {
        throw unsafe(path, "a part of it is no folder");
      }
      at = join(at, segment);
      info = fs.lstat(at);
      if (info === undefined) return undefined;
      if (info.kind === "link") throw unsafe(path, "a part of it is a link");
    }
    // Catches what the loop cannot see: mount points, and short names on Windows.
    const parent = fs.realPath(dirname(absolute));
    if (parent !== root && !parent.startsWith(root + "/")) {
      throw unsafe(path, "it lies outside the store");
    }
    return info;
  } catch (error) {
    throw systemError(error, `look at ${quote(absolute)}`);
  }
}

function unsafe(path: string, reason: string): SageError {
  return new SageError("unsafe_path", `Cannot use path ${quote(path)}: ${reason}`);
}

/** A path for messages: quoted, short, on one line, without terminal control characters. */
export function quote(path: string): string {
  return JSON.stringify(path.length > 120 ? path.slice(0, 119) + "…" : path)
    .replace(pattern(String.raw`[\p{Cc}\p{Cf}]`, "gu"), "?");
}
