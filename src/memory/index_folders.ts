/**
 * Indexes that another model left: removed when a model takes over for good, and whenever a note is
 * forgotten, for its words would still stand there.
 */
import { type Fs, join } from "../base/fs.ts";
import type { Memory } from "./memory.ts";

/** All of a store but those that lie in `kept`. */
export function dropOtherIndexes(
  { fs, places }: Memory,
  storeId: string,
  kept: readonly string[],
): void {
  const folder = join(places.stateDir, "index");
  if (fs.lstat(folder)?.kind !== "dir") return;
  for (const { name } of fs.list(folder)) {
    const path = join(folder, name);
    const isOfStore = name === storeId || name.startsWith(`${storeId}.`);
    if (isOfStore && !kept.includes(path)) dropIndex(fs, path);
  }
}

/** The vectors of texts, of all models: nobody knows which text was whose. */
export function dropVectors({ fs, places }: Memory): void {
  const folder = join(places.stateDir, "index");
  if (fs.lstat(folder)?.kind !== "dir") return;
  for (const { name, kind } of fs.list(folder)) {
    if (kind === "file" && name.endsWith(".vectors")) fs.unlink(join(folder, name));
  }
}

/** What a process that still ran with the model may have written, in any store. */
export function dropIndexesOf({ fs, places }: Memory, model: string): void {
  const folder = join(places.stateDir, "index");
  if (fs.lstat(folder)?.kind !== "dir") return;
  for (const { name } of fs.list(folder)) {
    if (name.includes(`.${model}@`)) dropIndex(fs, join(folder, name));
    else if (name.startsWith(`${model}@`)) fs.unlink(join(folder, name));
  }
}

/** An index has no folders in it. */
export function dropIndex(fs: Fs, folder: string): void {
  for (const { name } of fs.list(folder)) fs.unlink(join(folder, name));
  fs.removeDir(folder);
}
