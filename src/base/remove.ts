/** Removes folders: with all that is in them, or once nothing is. Another process may do the same meanwhile. */
import { unlessGone } from "./attempt.ts";
import type { Fs } from "./fs.ts";
import { join } from "./path.ts";

const DEPTH_MAX = 6;

/** Removes a file, a link itself, or a folder with its content. */
export function removeTree(fs: Fs, path: string, depth = 0): void {
  const info = fs.lstat(path);
  if (info === undefined || depth > DEPTH_MAX) return;
  if (info.kind === "dir") {
    const inside = unlessGone(() => fs.list(path)) ?? [];
    for (const { name } of inside) removeTree(fs, join(path, name), depth + 1);
  }
  unlessGone(() => info.kind === "dir" ? fs.removeDir(path) : fs.unlink(path));
}

/** Finder puts it into each folder that a person opens. */
export const FINDERS_FILE = ".DS_Store";

/** Removes a folder that is empty. */
export function removeEmpty(fs: Fs, path: string): void {
  unlessGone(() => {
    if (fs.lstat(path)?.kind !== "dir") return;
    const inside = fs.list(path);
    if (inside.some(({ name }) => name !== FINDERS_FILE)) return;
    for (const { name } of inside) fs.unlink(join(path, name));
    fs.removeDir(path);
  });
}
