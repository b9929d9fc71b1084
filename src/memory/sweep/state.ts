/**
 * Takes away what Sage made for itself: logs, locks, ledgers; indexes are index_folders.ts. Decisions of a person stay
 * (trust, what was forgotten, conversations that were to be kept), and so does everything that is not
 * known to be machine-made.
 */
import { systemErrorCode } from "../../base/errors.ts";
import { type Fs, join } from "../../base/fs.ts";
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

/** A file, a link itself, or a folder with all that is in it. */
export function removeTree(fs: Fs, path: string, depth = 0): void {
  const info = fs.lstat(path);
  if (info === undefined || depth > DEPTH_MAX) return;
  if (info.kind === "dir") {
    const inside = unlessGone(() => fs.list(path)) ?? [];
    for (const { name } of inside) removeTree(fs, join(path, name), depth + 1);
  }
  unlessGone(() => info.kind === "dir" ? fs.removeDir(path) : fs.unlink(path));
}

/** How macOS' Finder shows a folder; it comes to each that a person opens there. */
export const FINDERS_FILE = ".DS_Store";

/** Removes a folder in which nothing is left. */
export function removeEmpty(fs: Fs, path: string): void {
  unlessGone(() => {
    if (fs.lstat(path)?.kind !== "dir") return;
    const inside = fs.list(path);
    if (inside.some(({ name }) => name !== FINDERS_FILE)) return;
    for (const { name } of inside) fs.unlink(join(path, name));
    fs.removeDir(path);
  });
}

/** Another process may take the same away, or put something there, at this moment. */
export function unlessGone<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY"].includes(systemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}
