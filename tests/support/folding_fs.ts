/**
 * The disk as macOS has it: a file is found by its name in any case and any form of Unicode, and is called
 * as it was made. `lists` tells names in this form, however they were given, as HFS+ and some shares do.
 */
import { type Fs, listIfDir, realFs } from "../../src/base/fs.ts";
import { basename, dirname, join } from "../../src/base/path.ts";

export function foldingFs({ lists }: { readonly lists?: "NFC" | "NFD" } = {}): Fs {
  return {
    ...realFs,
    open: (path, options) => realFs.open(onDisk(path), options),
    lstat: (path) => realFs.lstat(onDisk(path)),
    list: (path) =>
      realFs.list(onDisk(path)).map((entry) => (
        lists === undefined ? entry : { ...entry, name: entry.name.normalize(lists) }
      )),
    makeDir: (path, mode) => realFs.makeDir(onDisk(path), mode),
    link: (from, to) => realFs.link(onDisk(from), onDisk(to)),
    rename: (from, to) => realFs.rename(onDisk(from), onDisk(to)),
    unlink: (path) => realFs.unlink(onDisk(path)),
    removeDir: (path) => realFs.removeDir(onDisk(path)),
    chmod: (path, mode) => realFs.chmod(onDisk(path), mode),
    setTime: (path, mtimeMs) => realFs.setTime(onDisk(path), mtimeMs),
    syncDir: (path) => realFs.syncDir(onDisk(path)),
    realPath: (path) => realFs.realPath(onDisk(path)),
  };
}

function onDisk(path: string): string {
  if (dirname(path) === path || realFs.lstat(path) !== undefined) return path;
  const folder = onDisk(dirname(path));
  const wanted = fold(basename(path));
  const there = listIfDir(realFs, folder).find(({ name }) => fold(name) === wanted);
  return join(folder, there?.name ?? basename(path));
}

function fold(name: string): string {
  return name.normalize("NFD").toLowerCase();
}
