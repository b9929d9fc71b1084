/**
 * Puts a new program in the place of the one that runs. Its data first, under names of their own, so
 * that each program finds what it was built with; the program last, by one rename.
 */
import { isWithoutLinks } from "../../base/atomic.ts";
import { dirname, type Fs, join } from "../../base/fs.ts";
import { randomHex } from "../../base/hash.ts";
import { placedPages, previousProgram, updateFolder } from "./placed.ts";
import type { Unpacked } from "./unpack.ts";

/** How a program is called that runs and could not be removed. */
export const PUT_AWAY = ".old";

/** Answers where the old one is. */
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
 * A second name for the old program. Where that cannot be had, or where a program that runs cannot be
 * replaced but only renamed, its one name: then it is missing from its place for a moment.
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
 * Windows removes no program that runs, as a session's server may for days, but gives it another name:
 * there it lies until an update finds it ended.
 */
function putAway(fs: Fs, program: string, previous: string): void {
  try {
    fs.unlink(previous);
  } catch {
    fs.rename(previous, join(updateFolder(program), `${randomHex(8)}${PUT_AWAY}`));
  }
}

/** Those that the installer put there; who took one away does not get it back. */
function renewPages(fs: Fs, program: string, pages: ReadonlyMap<string, string>): void {
  const placed = placedPages(fs, program).files;
  for (const [name, path] of pages) {
    const target = join(dirname(dirname(program)), name);
    if (!placed.includes(target)) continue;
    try {
      fs.rename(path, target);
    } catch {
      // On another disk, or not ours to write: the page of the old one does no harm.
    }
  }
}
