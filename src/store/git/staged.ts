/**
 * Lists what git tracks, from its index, and what is staged, from its loose objects as well, because the binary
 * may not start git. `git add` always makes loose objects; packed ones were committed or fetched long before,
 * and are left out. So what is staged comes whole, beside some files that were committed recently.
 */
import { concat } from "../../base/concat.ts";
import type { Env } from "../../base/environment.ts";
import { SageError, systemError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { join, resolveFrom } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { type GitState, readGit, requireGit } from "./git.ts";
import { readGitValue } from "./config.ts";

export interface Staged {
  /** From the top of the repository. */
  readonly path: string;
  /** The staged content; undefined if it is larger than `bytesMax`. */
  read(bytesMax: number): Promise<Uint8Array | undefined>;
}

const INDEX_BYTES_MAX = 256 * 1024 * 1024;
/** An index entry: 40 bytes of stat data (mode at 24), the hash, u16 flags, the path. */
const STAT_BYTES = 40;
const REGULAR = 0o100000;
const KIND_MASK = 0o170000;
/** Flag: a second word of flags follows. */
const EXTENDED = 0x4000;

interface Where {
  readonly home: string;
  readonly env: Env;
}

/** The regular files in git's index, by absolute path; none where git cannot say. */
export function trackedFiles(fs: Fs, dir: string, where: Where): ReadonlySet<string> {
  try {
    const git = readGit(fs, dir);
    if (git === undefined) return new Set();
    return new Set(indexed(fs, git, where).map(({ path }) => join(git.top, path)));
  } catch {
    return new Set();
  }
}

export function listStaged(fs: Fs, dir: string, where: Where): Staged[] {
  const git = requireGit(fs, dir);
  const objects = join(git.commonDir, "objects");
  return indexed(fs, git, where).flatMap(({ path, hash }): Staged[] => {
    const object = join(objects, hash.slice(0, 2), hash.slice(2));
    if (fs.lstat(object)?.kind !== "file") return [];
    return [{ path, read: (bytesMax) => inflate(fs, object, bytesMax) }];
  });
}

function indexed(fs: Fs, git: GitState, where: Where): { path: string; hash: string }[] {
  const named = where.env("GIT_INDEX_FILE");
  const file = named ? resolveFrom(git.top, named) : join(git.gitDir, "index");
  if (fs.lstat(file) === undefined) return [];
  const format = readGitValue(fs, { ...git, ...where }, "extensions", "objectformat")?.value;
  return readIndex(readBytes(fs, file, INDEX_BYTES_MAX), format === "sha256" ? 32 : 20);
}

/** The regular files of an index of version 2, 3 or 4. */
function readIndex(bytes: Uint8Array, hashBytes: number): { path: string; hash: string }[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const found: { path: string; hash: string }[] = [];
  try {
    const version = view.getUint32(4);
    if (decode(bytes.subarray(0, 4)) !== "DIRC" || version < 2 || version > 4) throw unreadable();
    let at = 12;
    let name: Uint8Array = new Uint8Array();
    for (let left = view.getUint32(8); left > 0; left--) {
      const start = at;
      const mode = view.getUint32(at + 24);
      const hash = bytes.subarray(at + STAT_BYTES, at + STAT_BYTES + hashBytes).toHex();
      at += STAT_BYTES + hashBytes;
      at += (view.getUint16(at) & EXTENDED) === 0 ? 2 : 4;
      let kept = 0;
      if (version === 4) {
        const cut = readVarint(view, at);
        at = cut.end;
        kept = name.length - cut.value;
      }
      const end = bytes.indexOf(0, at);
      if (end < 0 || kept < 0) throw unreadable();
      name = Uint8Array.from([...name.subarray(0, kept), ...bytes.subarray(at, end)]);
      // Padded with one to eight NULs to a multiple of eight bytes; version 4 is not.
      at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
      if ((mode & KIND_MASK) === REGULAR) found.push({ path: decode(name), hash });
    }
    // A split index: the extension `link` means that the rest is in another file.
    if (decode(bytes.subarray(at, at + 4)) === "link") throw unreadable();
    return found;
  } catch (error) {
    throw error instanceof RangeError ? unreadable() : error;
  }
}

/** A variable-length number as in pack files, where each further byte adds 1, so that no number has two forms. */
function readVarint(view: DataView, start: number): { value: number; end: number } {
  let at = start;
  let byte = view.getUint8(at++);
  let value = byte & 127;
  while ((byte & 128) !== 0) {
    byte = view.getUint8(at++);
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, end: at };
}

/** The content of a loose object, without its header (`blob 123`, NUL). Undefined if larger than `bytesMax`. */
async function inflate(fs: Fs, path: string, bytesMax: number): Promise<Uint8Array | undefined> {
  try {
    // Incompressible data becomes a little longer.
    const packedMax = bytesMax + (bytesMax >> 4);
    if ((fs.lstat(path)?.size ?? 0) > packedMax) return undefined;
    const packed = readBytes(fs, path, packedMax);
    const stream = new Blob([packed as Uint8Array<ArrayBuffer>]).stream()
      .pipeThrough(new DecompressionStream("deflate"));
    const parts: Uint8Array<ArrayBuffer>[] = [];
    let length = 0;
    for await (const part of stream) {
      parts.push(part);
      length += part.length;
      if (length > bytesMax) return undefined;
    }
    const whole = concat(parts);
    return whole.subarray(whole.indexOf(0) + 1);
  } catch (error) {
    throw error instanceof TypeError ? unreadable() : systemError(error, `read ${path}`);
  }
}

function unreadable(): SageError {
  return new SageError("io", "Cannot read what is staged: git keeps it in another form here", {
    hint: "git diff --cached --text | sage guard scan -",
  });
}
