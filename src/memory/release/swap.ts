/**
 * Puts a new program in the place of the one that runs. Its data first, under names of their own, so
 * that each program finds what it was built with; the program last, by one rename.
 */
import { dirname, type Fs, join } from "../../base/fs.ts";
import { isWithoutLinks } from "../../store/atomic.ts";
import { placedPages, previousProgram } from "./placed.ts";
import type { Unpacked } from "./unpack.ts";

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
  if (fs.lstat(previous) !== undefined) fs.unlink(previous);
  if (Deno.build.os !== "windows") {
    try {
      return fs.link(program, previous);
    } catch (error) {
      if (!isWithoutLinks(error)) throw error;
    }
  }
  fs.rename(program, previous);
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
