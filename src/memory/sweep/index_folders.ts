/**
 * Removes indexes that another model or another version of Sage left: when another model is set for good, when
 * they are unused, and whenever a note is forgotten, because they hold its words. Other files beside them are
 * somebody's, and stay.
 */
import { unlessGone } from "../../base/attempt.ts";
import { DAY_MS, now } from "../../base/clock.ts";
import { type FileInfo, type Fs, listIfDir, readIfFile } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { removeEmpty } from "../../base/remove.ts";
import { encode } from "../../base/utf8.ts";
import { FORMAT_VERSION, isIndexFile } from "../../search/segment/format.ts";
import { realRoot, storeIdOf } from "../../store/handle.ts";
import { listProjects } from "../../store/projects.ts";
import { trustedRoots } from "../../store/trust.ts";
import { STORE_NAME } from "../../store/user_root.ts";
import { placeOf } from "../../store/vault.ts";
import type { Memory } from "../memory.ts";

/** Derived data that was unused for this long is removed; it is made again on demand. */
export const UNUSED_DAYS = 60;
/** An index of another version that was written more recently may be in use. */
const UNWRITTEN_MS_MAX = DAY_MS;

/** All indexes of a store except those in `kept`. */
export function dropOtherIndexes(memory: Memory, storeId: string, kept: readonly string[]): void {
  for (const { path } of ofStore(listIndexes(memory), storeId)) {
    if (!kept.includes(path)) dropIndex(memory.fs, path);
  }
}

/**
 * Drops indexes of other stores that name a note with this id: another checkout, which may be gone, has the
 * note too. Searched as bytes, because they may be of any version.
 */
export function dropIndexesNaming(memory: Memory, id: string): void {
  const { fs, stores } = memory;
  const bytes = new TextDecoder("latin1");
  const named = bytes.decode(encode(JSON.stringify(id)));
  for (const { name, kind, path } of listIndexes(memory)) {
    if (kind !== "dir" || !isIndexName(name)) continue;
    if (stores.some((store) => isOfStore(name, store.id))) continue;
    const isNaming = listIfDir(fs, path).some((file) => {
      const read = readIfFile(fs, join(path, file.name), Number.MAX_SAFE_INTEGER);
      return read !== undefined && bytes.decode(read).includes(named);
    });
    if (isNaming) dropIndex(fs, path);
  }
}

/** Drops indexes of a store that another version of Sage wrote, a day after their last use. */
export function dropOldFormats(
  memory: Memory,
  storeId: string,
  listed: Listed = listIndexes(memory),
): void {
  const { fs } = memory;
  for (const { name, path } of ofStore(listed, storeId)) {
    const isOld = isIndexName(name) && !name.endsWith(`.v${FORMAT_VERSION}`) &&
      now() - (fs.lstat(path)?.mtimeMs ?? 0) > UNWRITTEN_MS_MAX;
    if (isOld) dropIndex(fs, path);
  }
}

/** With copies that somebody made, because they hold words of forgotten notes too. */
function ofStore(listed: Listed, storeId: string): Listed {
  return listed.filter(({ name, kind }) => kind === "dir" && isOfStore(name, storeId));
}

export function isOfStore(name: string, storeId: string): boolean {
  return name === storeId || name.startsWith(`${storeId}.`);
}

/**
 * `<store>.v<format>`, with the model in front where it is not the built-in one. The first format had
 * no number, and external sources have a prefix.
 */
export function isIndexName(name: string): boolean {
  return /^(?:[a-z]+-)?[0-9a-f]{16}(?:\.(?:.+\.)?v\d+)?$/.test(name);
}

type Listed = readonly {
  readonly name: string;
  readonly kind: FileInfo["kind"];
  readonly path: string;
}[];

/** Indexes are folders, vectors of texts are files. */
export function listIndexes({ fs, places }: Memory): Listed {
  const folder = join(places.stateDir, "index");
  return listIfDir(fs, folder).map(({ name, kind }) => ({ name, kind, path: join(folder, name) }));
}

export function isVectors(name: string): boolean {
  return name.endsWith(".vectors");
}

/** Removes the vectors of texts, of all models: nobody knows which text was whose. */
export function dropVectors(memory: Memory): void {
  for (const { name, kind, path } of listIndexes(memory)) {
    if (kind === "file" && isVectors(name)) memory.fs.unlink(path);
  }
}

/** Removes a model's indexes from all stores: a process that still ran with it may have written them. */
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
 * Drops indexes of stores that do not exist any more, such as those of removed worktrees or of a home that was
 * moved. A project that nobody opened for months keeps its index, from which its next session starts.
 */
export async function dropForsaken(
  memory: Memory,
  listed: Listed = listIndexes(memory),
): Promise<void> {
  const { fs, places, stores } = memory;
  const old = listed.filter(({ kind, path }) =>
    kind === "dir" && memory.now() - lastWritten(fs, path) > UNUSED_DAYS * DAY_MS
  );
  if (old.length === 0) return;
  const inVault = places.vault?.stores.flatMap(({ id }) => placeOf(places.vault, [id]) ?? []) ?? [];
  const roots = [
    ...(await listProjects(fs, places.userRoot)).map(({ root }) => join(root, STORE_NAME)),
    // A clone that is only read is in no registry.
    ...trustedRoots(fs, places.stateDir),
    // In a vault a store does not lie in its project.
    ...inVault.map(({ root, path }) => join(root, path)),
  ];
  const there = new Set([
    ...stores.map(({ id }) => id),
    ...roots.filter((root) => fs.lstat(root) !== undefined).map((root) =>
      storeIdOf(realRoot(fs, root))
    ),
  ]);
  for (const { name, path } of old) {
    if (/^[0-9a-f]{16}\./.test(name) && isIndexName(name) && !there.has(name.slice(0, 16))) {
      dropIndex(fs, path);
    }
  }
}

/** When a file, or anything in a folder, was last written. */
export function lastWritten(fs: Fs, path: string): number {
  const files = listIfDir(fs, path);
  const paths = files.length === 0 ? [path] : files.map(({ name }) => join(path, name));
  return Math.max(...paths.map((file) => fs.lstat(file)?.mtimeMs ?? 0));
}

/** Removes what Sage wrote into the folder, and the folder if nothing else is in it. */
export function dropIndex(fs: Fs, folder: string): void {
  for (const { name } of unlessGone(() => fs.list(folder)) ?? []) {
    if (isIndexFile(name)) unlessGone(() => fs.unlink(join(folder, name)));
  }
  removeEmpty(fs, folder);
}

/** Removes every index and all vectors, and their folder if nothing else is in it. */
export function dropAllIndexes(memory: Memory): void {
  const { fs, places } = memory;
  for (const { name, kind, path } of listIndexes(memory)) {
    if (kind === "dir" && isIndexName(name)) dropIndex(fs, path);
    else if (kind === "file" && isVectors(name)) unlessGone(() => fs.unlink(path));
  }
  removeEmpty(fs, join(places.stateDir, "index"));
}
