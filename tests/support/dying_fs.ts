/** The disk as a process sees it that dies, that cannot do all, or that comes later. */
import { type FileHandle, type Fs, realFs } from "../../src/base/fs.ts";

export class Dead extends Error {}

/** The disk of a process that dies at its n-th change: from then on nothing changes any more. */
export function dyingAt(n: number): { fs: Fs; changes: () => number } {
  let made = 0;
  const change = <A extends unknown[], R>(call: (...args: A) => R) => (...args: A): R => {
    if (++made >= n) throw new Dead("the process is dead");
    return call(...args);
  };
  const changing = (file: FileHandle): FileHandle => ({
    ...file,
    write: change((bytes) => file.write(bytes)),
    sync: change(() => file.sync()),
  });
  const fs: Fs = {
    ...realFs,
    open(path, options) {
      if (options.write !== true && options.append !== true) return realFs.open(path, options);
      return changing(change(() => realFs.open(path, options))());
    },
    makeDir(path, mode) {
      if (realFs.lstat(path) === undefined) change(() => realFs.makeDir(path, mode))();
    },
    link: change((from, to) => realFs.link(from, to)),
    rename: change((from, to) => realFs.rename(from, to)),
    unlink: change((path) => realFs.unlink(path)),
    removeDir: change((path) => realFs.removeDir(path)),
  };
  return { fs, changes: () => made };
}

/** Two folders that are on two disks: no file can have a name in both. */
export function acrossDisks(other: string): Fs {
  return {
    ...realFs,
    link(from, to) {
      if (from.startsWith(other) === to.startsWith(other)) return realFs.link(from, to);
      throw Object.assign(new Error("Invalid cross-device link"), { code: "EXDEV" });
    },
  };
}

/** The disk as a process sees it this much later. */
export function laterBy(ms: number): Fs {
  return {
    ...realFs,
    lstat(path) {
      const info = realFs.lstat(path);
      return info && { ...info, mtimeMs: info.mtimeMs - ms, ctimeMs: info.ctimeMs - ms };
    },
  };
}
