/**
 * Removes what is derived and unused, and what has expired; never a note. Files do not depend on each other,
 * so the next run continues one that was killed. A dry run is the same run on a disk that removes nothing.
 */
import { DAY_MS } from "../../base/clock.ts";
import { removeOldLogs } from "../../base/log.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import type { Store } from "../../store/handle.ts";
import { emptyTrash } from "../../store/trash.ts";
import { sweepLitter } from "../../store/sweep.ts";
import {
  dropIndex,
  isIndexName,
  isOfStore,
  isVectors,
  lastWritten,
  listIndexes,
  UNUSED_DAYS,
} from "./index_folders.ts";
import { dropOldDerived } from "./tidy.ts";
import { indexFolder, isBuiltInSet, type Memory } from "../memory.ts";
import { sweepSessions } from "../session/instances.ts";

interface Removed {
  /** Absolute. */
  readonly path: string;
  /** Bytes freed: 0 if a hard link keeps the file. */
  readonly bytes: number;
}

export interface Collected {
  readonly what: "litter" | "trash" | "sessions" | "indexes" | "derived" | "receipts";
  readonly files: readonly Removed[];
}

export function collectGarbage(memory: Memory, options: { readonly dryRun: boolean }): Collected[] {
  const { fs, removed } = watched(memory.fs, options.dryRun);
  const watching: Memory = { ...memory, fs };
  const stores = memory.stores.map((store): Store => ({ ...store, fs }));
  const now = memory.now();
  const steps: readonly (readonly [Collected["what"], () => void])[] = [
    ["litter", () => stores.forEach((store) => sweepLitter(store))],
    ["trash", () => stores.forEach((store) => emptyTrash(store, now, options.dryRun))],
    ["sessions", () => sweepSessions(watching)],
    ["indexes", () => dropUnusedIndexes(watching)],
    ["derived", () => dropOldDerived(watching)],
    ["receipts", () => removeOldLogs(fs, join(memory.places.stateDir, "log"), now)],
  ];
  return steps.flatMap(([what, step]) => {
    step();
    const files = removed.splice(0);
    return files.length === 0 ? [] : [{ what, files }];
  });
}

/** A disk that records what was removed; in a dry run nothing is. */
function watched(fs: Fs, dryRun: boolean): { readonly fs: Fs; readonly removed: Removed[] } {
  const removed: Removed[] = [];
  return {
    removed,
    fs: {
      ...fs,
      unlink(path) {
        const info = fs.lstat(path);
        if (!dryRun) fs.unlink(path);
        // A dry run meets the state, which two stores share, twice.
        if (info === undefined || removed.some((one) => one.path === path)) return;
        removed.push({ path, bytes: info.links > 1 ? 0 : info.size });
      },
      removeDir(path) {
        if (!dryRun) fs.removeDir(path);
      },
    },
  };
}

/**
 * Drops indexes of stores, models and versions that were unused for long. Those that are in use here stay
 * whatever their age; if a model is set, all indexes of these stores do, because they took long to make.
 */
function dropUnusedIndexes(memory: Memory): void {
  const { fs, stores } = memory;
  const isBuiltIn = isBuiltInSet(memory);
  const serving = stores.flatMap((store) =>
    [memory, memory.plain()].map((view) => indexFolder(view, store))
  );
  for (const { name, kind, path } of listIndexes(memory)) {
    const stays = kind === "dir"
      ? !isIndexName(name) || serving.includes(path) ||
        (!isBuiltIn && stores.some(({ id }) => isOfStore(name, id)))
      : !isBuiltIn || !isVectors(name);
    if (stays || memory.now() - lastWritten(fs, path) < UNUSED_DAYS * DAY_MS) continue;
    if (kind === "dir") dropIndex(fs, path);
    else fs.unlink(path);
  }
}
