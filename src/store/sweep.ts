/**
 * Cleans up after dead processes: temporary files, versions of notes that then were not replaced, expired
 * trash. Writers call it, at most every ten minutes; they do not fail if it does.
 */
import { discard, isSameFile, TEMP_NAME } from "../base/atomic.ts";
import { DAY_MS, monotonic, now } from "../base/clock.ts";
import { isSystemError, SageError } from "../base/errors.ts";
import { type Fs, listIfReadable, writeInto } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { encode } from "../base/utf8.ts";
import { STORE_DEPTH_MAX, TEMP_AGE_MS_MAX } from "../base/limits.ts";
import { lockDir, type Store, withStoreLock } from "./handle.ts";
import { HISTORY_FOLDER, INBOX_FOLDER, NOTE_FOLDERS, TRASH_FOLDER } from "./layout.ts";
import { emptyTrash } from "./trash.ts";
import { REDIRECTS_FOLDER } from "./redirects.ts";
import { settleReplaced } from "./replaced.ts";
import { readState, updateState } from "./state.ts";
import { listPaths } from "./walk.ts";

/** After this time no writer is still alive, whatever its process id says, because ids are reused. */
const SURELY_DEAD_MS = DAY_MS;
/** The time that a hook may spend on it. */
const HOOK_MS_MAX = 50;

/** Depth of the folders in the state. */
const STATE_DEPTH_MAX = 3;

/** Sweeps if nobody did for ten minutes. Never throws. */
export function sweepIfDue(store: Store): void {
  try {
    const { fs } = store;
    const mark = join(lockDir(store), "swept");
    const last = fs.lstat(mark)?.mtimeMs;
    if (last !== undefined && Math.abs(now() - last) < TEMP_AGE_MS_MAX) return;
    fs.makeDir(lockDir(store), 0o700);
    const how = { write: true, create: true, truncate: true, mode: 0o600 };
    writeInto(fs, mark, how, [encode("\n")]);
    sweep(store, store.hook ? HOOK_MS_MAX : Infinity);
  } catch {
    // What is left costs only space; the next writer tries again.
  }
}

interface Elsewhere {
  readonly folders: readonly string[];
}

const ELSEWHERE = "elsewhere.json";
const ELSEWHERE_MAX = 64;

/**
 * Registers a folder outside every store before a file in it is replaced: a crash may leave a temporary
 * file there.
 */
export function sweepHereToo(fs: Fs, stateDir: string, folder: string): void {
  if (readState<Elsewhere>(fs, stateDir, ELSEWHERE)?.folders.includes(folder) === true) return;
  updateState<Elsewhere>(fs, stateDir, ELSEWHERE, (old) => ({
    folders: [...(old?.folders ?? []).filter((one) => one !== folder), folder]
      .slice(-ELSEWHERE_MAX),
  }));
}

/** Removes temporary files directly in registered folders. Returns their number. */
export function sweepElsewhere(fs: Fs, stateDir: string): number {
  const folders = readState<Elsewhere>(fs, stateDir, ELSEWHERE)?.folders;
  if (!Array.isArray(folders)) return 0;
  return folders.filter((folder) => typeof folder === "string")
    .reduce((count, folder) => count + sweepTemp(fs, folder, 0, () => false), 0);
}

/** Removes what dead processes left, and expired trash. Returns the number of temporary files. */
export function sweep(store: Store, deadlineMs = Infinity): number {
  const start = monotonic();
  const isLate = (): boolean => monotonic() - start > deadlineMs;
  const temporary = sweepLitter(store, isLate);
  // Even if time is up: with a large state, sweeps of hooks would never get here, and they count as sweeps.
  emptyTrash(store, now());
  return temporary;
}

/** Removes what dead processes left. Returns the number of temporary files. */
export function sweepLitter(store: Store, isLate: () => boolean = () => false): number {
  const { fs, root, home } = store;
  let temporary = 0;
  for (const top of ["", ...NOTE_FOLDERS, INBOX_FOLDER, TRASH_FOLDER]) {
    const isDeep = top !== "";
    temporary += sweepTemp(fs, join(root, top), isDeep ? STORE_DEPTH_MAX : 0, isLate);
  }
  temporary += sweepTemp(fs, join(home, REDIRECTS_FOLDER), 0, isLate);
  temporary += sweepTemp(fs, store.stateDir, STATE_DEPTH_MAX, isLate);
  if (!isLate()) temporary += sweepElsewhere(fs, store.stateDir);
  if (!isLate()) sweepVersions(store);
  return temporary;
}

function sweepTemp(fs: Fs, folder: string, depth: number, isLate: () => boolean): number {
  if (isLate()) return 0;
  let count = 0;
  for (const { name, kind } of listIfReadable(fs, folder)) {
    const path = join(folder, name);
    if (kind === "dir" && depth > 0) count += sweepTemp(fs, path, depth - 1, isLate);
    if (kind === "file" && sweepFile(fs, path, name)) count++;
  }
  return count;
}

/** Removes an abandoned temporary file. False if it stays, even if it only cannot be removed: go on with others. */
function sweepFile(fs: Fs, path: string, name: string): boolean {
  const [, , pid, , old] = TEMP_NAME.exec(name) ?? [];
  try {
    if (pid === undefined || !isAbandoned(fs, path, Number(pid), old !== undefined)) return false;
    // A replaced file with a second link is the note itself, which was not replaced, or a kept copy.
    if (old === undefined || (fs.lstat(path)?.links ?? 0) !== 1) discard(fs, path);
    else settleReplaced(fs, path);
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

/** The mtime of a replaced file is the note's; the ctime is when it got its second name. */
function isAbandoned(fs: Fs, path: string, pid: number, isOld: boolean): boolean {
  const info = fs.lstat(path);
  if (info === undefined) return false;
  const ageMs = now() - (isOld ? Math.max(info.mtimeMs, info.ctimeMs) : info.mtimeMs);
  return ageMs > SURELY_DEAD_MS || (ageMs > TEMP_AGE_MS_MAX && !isAlive(fs, pid));
}

/** Whether a process is alive. On other systems than Linux we cannot tell, and go by age alone. */
function isAlive(fs: Fs, pid: number): boolean {
  if (pid === Deno.pid) return true;
  if (Deno.build.os !== "linux") return false;
  try {
    return fs.lstat(`/proc/${pid}`) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Removes versions that are the live note itself, because their writer died before it replaced the note.
 * Only notes with a second link can have one; recent ones are left.
 */
function sweepVersions(store: Store): void {
  const { fs, root } = store;
  for (const { path } of listPaths(store).files) {
    const live = fs.lstat(join(root, path));
    if (live === undefined || live.links < 2 || now() - live.ctimeMs < TEMP_AGE_MS_MAX) continue;
    const history = join(root, path.slice(0, path.indexOf("/")), HISTORY_FOLDER);
    for (const folder of listIfReadable(fs, history)) {
      for (const { name } of listIfReadable(fs, join(history, folder.name))) {
        const entry = join(history, folder.name, name);
        const info = fs.lstat(entry);
        if (info !== undefined && isSameFile(info, live)) dropVersion(store, path, entry);
      }
    }
  }
}

/**
 * Only while nobody writes in the store: a suspended writer may be about to replace the note, and then this
 * is the only name of the old text.
 */
function dropVersion(store: Store, path: string, entry: string): void {
  const { fs, root } = store;
  try {
    withStoreLock(store, () => {
      const [live, version] = [join(root, path), entry].map((one) => fs.lstat(one));
      if (live !== undefined && version !== undefined && isSameFile(live, version)) {
        discard(fs, entry);
      }
    }, 0);
  } catch (error) {
    if (!(error instanceof SageError) || error.code !== "locked") throw error;
  }
}
