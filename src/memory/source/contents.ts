/**
 * The present content of source files, as hashes. A file that looks as it did when it was last read is
 * not read again; in a hook little is read at all. Only files of the project, and none that
 * `.sageignore` excludes: a note may come from anyone, and may name anything.
 */
import { ifReadable } from "../../base/attempt.ts";
import { type FileInfo, type Fs, readBytes } from "../../base/fs.ts";
import { basename, dirname, join, resolveFrom } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { SOURCE_BYTES_MAX, SOURCES_HOOK_BYTES_MAX } from "../../base/limits.ts";
import { realRoot } from "../../store/handle.ts";
import { openIgnores } from "../../store/ignore.ts";
import { type FileStamp, hasStamp, isBinary, stampOf } from "../../store/stamp.ts";
import { readState, writeState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";

export interface Contents {
  /**
   * SHA-256 of what the file holds now, line ends as on Unix; `gone` where there is none; undefined
   * where it may not be read, or not now. `path` is relative to the project's folder.
   */
  hashOf(path: string): string | undefined;
  /** The path from the project's folder of a file in it, as it was typed or named; else undefined. */
  pathOf(typed: string): string | undefined;
  /** Keeps what was read for the next process. */
  keep(): void;
}

export const GONE = "gone";

type Known = Readonly<Record<string, FileStamp & { readonly hash: string }>>;

/** Files whose hashes are kept of one project; the rest is read again. */
const KNOWN_MAX = 2000;

export async function openContents(memory: Memory): Promise<Contents> {
  const { fs, places } = memory;
  const root = realRoot(fs, places.checkoutDir);
  const name = `sources/${sha256Hex(root).slice(0, 16)}.json`;
  const ignores = await openIgnores(fs, places);
  const known = readKnown();
  let bytesLeft = memory.hook ? SOURCES_HOOK_BYTES_MAX : Infinity;
  let isNew = false;

  return {
    hashOf(path) {
      const file = fileAt(path);
      if (typeof file !== "object") return file;
      const { absolute, info } = file;
      const before = known.get(path);
      if (before !== undefined && hasStamp(before, info)) return before.hash;
      if (info.size > Math.min(SOURCE_BYTES_MAX, bytesLeft)) return undefined;
      bytesLeft -= info.size;
      // Before it is read: what is written meanwhile makes the stamp old, not the hash wrong.
      const stamp = stampOf(info);
      const bytes = ifReadable(undefined, () => readBytes(fs, absolute, SOURCE_BYTES_MAX));
      if (bytes === undefined) return undefined;
      const hash = hashContent(bytes);
      known.delete(path);
      known.set(path, { ...stamp, hash });
      isNew = true;
      return hash;
    },
    pathOf(typed) {
      for (const base of [places.here, root]) {
        const path = pathBelow(fs, root, resolveFrom(base, typed));
        if (path !== undefined && typeof fileAt(path) === "object") return path;
      }
      return undefined;
    },
    keep() {
      if (!isNew) return;
      const newest = [...known].slice(-KNOWN_MAX);
      try {
        writeState(fs, places.stateDir, name, Object.fromEntries(newest));
      } catch {
        // Derived: the next process reads the files itself.
      }
    },
  };

  /** Derived: what is damaged or may not be read is read from the files again. */
  function readKnown(): Map<string, FileStamp & { readonly hash: string }> {
    try {
      const state = Object.entries(readState<Partial<Known>>(fs, places.stateDir, name) ?? {});
      return new Map(
        state.flatMap(([path, file]) =>
          typeof file?.hash === "string" ? [[path, file] as const] : []
        ),
      );
    } catch {
      return new Map();
    }
  }

  /** By the folders, not by names: macOS finds one called `Büro` on the disk in NFD by either form. */
  function isBehindLink(folder: string): boolean {
    return folder.length > root.length &&
      (fs.lstat(folder)?.kind !== "dir" || isBehindLink(dirname(folder)));
  }

  /** A regular file below the project, reached without a link. */
  function fileAt(path: string): { absolute: string; info: FileInfo } | typeof GONE | undefined {
    const absolute = resolveFrom(root, path);
    if (absolute !== join(root, path) || !absolute.startsWith(root + "/")) return undefined;
    try {
      if (ignores.isIgnored(join(places.projectDir, path))) return undefined;
      const info = fs.lstat(absolute);
      if (info === undefined) return GONE;
      return info.kind === "file" && !isBehindLink(dirname(absolute))
        ? { absolute, info }
        : undefined;
    } catch {
      // A folder that may not be entered, a name that no system takes: nothing can be said of it.
      return undefined;
    }
  }
}

/**
 * When a file changed, in milliseconds; 0 if that is not known. For one that is `gone` it is the time of its
 * folder, if that still exists.
 */
export function changedAt({ fs, places }: Memory, path: string, now: string): number {
  const absolute = join(places.checkoutDir, path);
  const info = fs.lstat(now === GONE ? dirname(absolute) : absolute);
  return info?.mtimeMs ?? 0;
}

/**
 * The path of a file below a folder, with links above the file resolved; undefined if it lies elsewhere. On
 * macOS in NFC, as git gives it, whatever the disk has, because notes are read on other systems too.
 */
export function pathBelow(
  fs: Fs,
  root: string,
  absolute: string,
  os: string = Deno.build.os,
): string | undefined {
  try {
    const path = join(realRoot(fs, dirname(absolute)), basename(absolute));
    if (!path.startsWith(root + "/")) return undefined;
    const below = path.slice(root.length + 1);
    return os === "darwin" ? below.normalize("NFC") : below;
  } catch {
    // No path that a file can have.
    return undefined;
  }
}

/** Windows line ends count as Unix ones, because a clone on Windows has them. */
function hashContent(bytes: Uint8Array): string {
  if (!bytes.includes(13) || isBinary(bytes)) return sha256Hex(bytes);
  return sha256Hex(bytes.filter((byte, i) => byte !== 13 || bytes[i + 1] !== 10));
}
