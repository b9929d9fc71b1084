/**
 * Indexes that another model or another version of Sage left: removed when a model takes over for good,
 * when nobody writes them any more, and whenever a note is forgotten, for its words would still stand there.
 */
import { DAY_MS, now } from "../../base/clock.ts";
import { systemErrorCode } from "../../base/errors.ts";
import { type FileInfo, type Fs, join, listIfDir } from "../../base/fs.ts";
import { FORMAT_VERSION } from "../../search/format.ts";
import { realRoot, storeIdOf } from "../../store/handle.ts";
import { listProjects } from "../../store/projects.ts";
import { trustedRoots } from "../../store/trust.ts";
import { STORE_NAME } from "../../store/user_root.ts";
import type { Memory } from "../memory.ts";
import { removeTree } from "./state.ts";

/** What is derived is made again when it is asked for; so long nobody asked. */
export const UNUSED_DAYS = 60;
/** A version that still runs somewhere makes its own again. */
const UNWRITTEN_MS_MAX = DAY_MS;

/** All of a store but those that lie in `kept`. */
export function dropOtherIndexes(
  memory: Memory,
  storeId: string,
  kept: readonly string[],
): void {
  for (const path of indexesOf(memory, storeId)) {
    if (!kept.includes(path)) dropIndex(memory.fs, path);
  }
}

/** What another version of Sage wrote of a store, a day after it last did. */
export function dropOldFormats(memory: Memory, storeId: string): void {
  const { fs } = memory;
  for (const path of indexesOf(memory, storeId)) {
    const isOld = !path.endsWith(`.v${FORMAT_VERSION}`) &&
      now() - (fs.lstat(path)?.mtimeMs ?? 0) > UNWRITTEN_MS_MAX;
    if (isOld) dropIndex(fs, path);
  }
}

function indexesOf(memory: Memory, storeId: string): string[] {
  return listIndexes(memory)
    .filter(({ name }) => name === storeId || name.startsWith(`${storeId}.`))
    .map(({ path }) => path);
}

/** Indexes, which are folders, and the vectors of texts, which are files. */
export function listIndexes(
  { fs, places }: Memory,
): { readonly name: string; readonly kind: FileInfo["kind"]; readonly path: string }[] {
  const folder = join(places.stateDir, "index");
  return listIfDir(fs, folder).map(({ name, kind }) => ({ name, kind, path: join(folder, name) }));
}

/** The vectors of texts, of all models: nobody knows which text was whose. */
export function dropVectors(memory: Memory): void {
  for (const { name, kind, path } of listIndexes(memory)) {
    if (kind === "file" && name.endsWith(".vectors")) memory.fs.unlink(path);
  }
}

/** What a process that still ran with the model may have written, in any store. */
export function dropIndexesOf(memory: Memory, model: string): void {
  const { fs } = memory;
  for (const { name, kind, path } of listIndexes(memory)) {
    // `<store>.<model>@…`, and the model may have dots of its own.
    const isOf = (part: string): boolean => part.startsWith(`${model}@`);
    if (kind === "dir" && isOf(name.slice(name.indexOf(".") + 1))) dropIndex(fs, path);
    else if (kind === "file" && isOf(name)) fs.unlink(path);
  }
}

/**
 * Of stores that are no more, as of worktrees and of a home that was moved: nobody comes back to ask for
 * them. A project that rests for months keeps its own, without which a start would have nothing to tell.
 */
export async function dropForsaken(memory: Memory): Promise<void> {
  const { fs, places, stores } = memory;
  // In a vault a store does not lie in its project.
  if (places.vault !== undefined) return;
  const old = listIndexes(memory).filter(({ kind, path }) =>
    kind === "dir" && memory.now() - lastWritten(fs, path) > UNUSED_DAYS * DAY_MS
  );
  if (old.length === 0) return;
  // A clone that is only read is in no registry.
  const roots = [
    ...(await listProjects(fs, places.userRoot)).map(({ root }) => join(root, STORE_NAME)),
    ...trustedRoots(fs, places.stateDir),
  ];
  const there = new Set([
    ...stores.map(({ id }) => id),
    ...roots.filter((root) => fs.lstat(root) !== undefined).map((root) =>
      storeIdOf(realRoot(fs, root))
    ),
  ]);
  for (const { name, path } of old) {
    if (/^[0-9a-f]{16}\./.test(name) && !there.has(name.slice(0, 16))) dropIndex(fs, path);
  }
}

/** When a file, or what lies in a folder, was written last. */
export function lastWritten(fs: Fs, path: string): number {
  const files = listIfDir(fs, path);
  const paths = files.length === 0 ? [path] : files.map(({ name }) => join(path, name));
  return Math.max(...paths.map((file) => fs.lstat(file)?.mtimeMs ?? 0));
}

export function dropIndex(fs: Fs, folder: string): void {
  for (const { name } of fs.list(folder)) removeTree(fs, join(folder, name));
  try {
    fs.removeDir(folder);
  } catch (error) {
    // Somebody writes into it again; or Windows, where what is open keeps its name until it is closed.
    if (systemErrorCode(error) !== "ENOTEMPTY") throw error;
  }
}
