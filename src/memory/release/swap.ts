/**
 * Replaces the running program with a new one. Its data files come first, under names of their own, so that
 * each program finds what it was built with; the program itself last, by one rename.
 */
import { isWithoutLinks } from "../../base/atomic.ts";
import type { Fs } from "../../base/fs.ts";
import { dirname, join } from "../../base/path.ts";
import { randomHex } from "../../base/hash.ts";
import { placedPages, previousProgram, updateFolder } from "./placed.ts";
import type { Unpacked } from "./unpack.ts";

/** The ending of a program that is running and could not be removed. */
export const PUT_AWAY = ".old";

/** Returns the path of the old program. */
export function swap(fs: Fs, program: string, { program: made, data, pages }: Unpacked): string {
  const previous = previousProgram(program);
  const folder = dirname(program);
  for (const [name, path] of data) fs.rename(path, join(folder, name));
  // A umask may have taken the right to run it.
  fs.chmod(made, 0o755);
  keep(fs, program, previous);
  try {
    fs.rename(made, program);
  } catch (error) {
    if (fs.lstat(program) === undefined) fs.rename(previous, program);
    throw error;
  }
  fs.syncDir(folder);
  renewPages(fs, program, pages);
  return previous;
}

/**
 * Gives the old program a second name. Without hard links, and on Windows, where a running program can only
 * be renamed, it is renamed: then it is missing from its place for a moment.
 */
function keep(fs: Fs, program: string, previous: string): void {
  if (fs.lstat(previous) !== undefined) putAway(fs, program, previous);
  if (Deno.build.os !== "windows") {
    try {
      return fs.link(program, previous);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
    }
  }
  fs.rename(program, previous);
}

/**
 * Removes an older program. Windows cannot remove one that is running, as a session's server may be for days:
 * it is renamed, and a later update removes it.
 */
function putAway(fs: Fs, program: string, previous: string): void {
  try {
    fs.unlink(previous);
  } catch {
    fs.rename(previous, join(updateFolder(program), `${randomHex(8)}${PUT_AWAY}`));
  }
}

/** Replaces the pages that the installer placed. One that a person deleted stays deleted. */
function renewPages(fs: Fs, program: string, pages: ReadonlyMap<string, string>): void {
  const placed = placedPages(fs, program).files;
  for (const [name, path] of pages) {
    const target = join(dirname(dirname(program)), name);
    if (!placed.includes(target)) continue;
    try {
      fs.rename(path, target);
    } catch {
      // On another disk, or not writable: the old page does no harm.
    }
  }
}
