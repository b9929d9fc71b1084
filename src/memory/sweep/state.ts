/**
 * Removes machine-made state: logs, locks, ledgers; indexes are in index_folders.ts. A person's
 * decisions stay (trust, what was forgotten, kept conversations), and so does everything that is not
 * known to be machine-made.
 */
import { systemErrorCode } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import type { Memory } from "../memory.ts";

const MACHINE_MADE = [
  "config.json",
  "elsewhere.json",
  "ended",
  "feedback",
  "freshness",
  "handed",
  "handoffs",
  "hooks",
  "install",
  "instances",
  "lives",
  "locks",
  "log",
  "maps.json",
  "migrate",
  "prepared",
  "recalls",
  "reworded.json",
  "seen",
  "statusline",
  "sources",
  "serve",
  "trash.json",
];
const DEPTH_MAX = 6;

export function sweepMachineState(memory: Memory): void {
  const { fs, places } = memory;
  for (const name of MACHINE_MADE) removeTree(fs, join(places.stateDir, name));
  removeEmpty(fs, places.stateDir);
  removeEmpty(fs, places.userRoot);
}

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

/** Runs `step`; another process may remove the same, or put something there, at this moment. */
export function unlessGone<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY"].includes(systemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}
