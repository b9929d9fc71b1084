/**
 * Moves a note with its versions from one store to another. The stores may be on different disks, where a
 * rename is not possible: a record of the move is written first, by which the next process finishes it or
 * takes it back after a crash. So there is never no note, and never two of it for long.
 */
import { discard, ensureFolder, removeDurably, writeNew } from "../base/atomic.ts";
import { SageError } from "../base/errors.ts";
import { type Fs, listIfDir } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { sha256Hex } from "../base/hash.ts";
import { LOCK_MS_MAX, NAME_TRIES_MAX } from "../base/limits.ts";
import { holdLock } from "../base/lock.ts";
import { mapEach } from "../base/map_each.ts";
import { fileMode, folderMode, openStore, type Store } from "./handle.ts";
import { fileName, numberedStem } from "./layout.ts";
import { type LoadedNote, loadNote, readNoteBytes } from "./load.ts";
import { type Redirect, removeRedirect, writeRedirect } from "./redirects.ts";
import { readStateOrThrow, removeState, writeState } from "./state.ts";
import { createNote } from "./store.ts";
import { discardTrash, listTrash, trashNote } from "./trash.ts";
import { idOnDisk } from "./sync_copies.ts";
import { historyFolder, listVersions } from "./versions.ts";

interface End {
  readonly root: string;
  /** The store's folder, for files outside its folders of notes. */
  readonly home: string;
  readonly scope: "project" | "user";
  readonly id: string;
  /** SHA-256 of the file. */
  readonly hash: string;
}

/** The record of a move. */
interface Move {
  readonly from: End & { readonly path: string };
  readonly to: End & { readonly folder: string; readonly stem: string };
  /** The redirect that a move leaves in the old place, and a move back removes. */
  readonly redirect: Redirect;
  readonly isBack: boolean;
}

export interface Moved {
  readonly kind: "moved";
  /** Relative to the target store. */
  readonly path: string;
}

export interface MoveTarget {
  readonly store: Store;
  readonly id: string;
  /** The wanted file name. */
  readonly stem: string;
  readonly folder: string;
  /** The whole file. */
  readonly text: string;
}

const FOLDER = "moves";

/**
 * Outcomes besides `moved`: `changed`, somebody wrote the note meanwhile and it stays where it is; `gone`,
 * it does not exist any more.
 */
export async function moveNote(
  from: Store,
  loaded: LoadedNote,
  target: MoveTarget,
  redirect: Redirect,
  options: { readonly isBack: boolean },
): Promise<Moved | { readonly kind: "changed" | "gone" }> {
  const { store: to, id, stem, folder, text } = target;
  const move: Move = {
    from: {
      root: from.root,
      home: from.home,
      scope: from.scope,
      id: loaded.note.id,
      hash: sha256Hex(loaded.bytes),
      path: loaded.path,
    },
    to: { root: to.root, home: to.home, scope: to.scope, id, hash: sha256Hex(text), folder, stem },
    redirect,
    ...options,
  };
  const lock = hold(from.fs, from.stateDir, from.holder, LOCK_MS_MAX);
  try {
    // Another process has moved or removed it.
    if (!isThere(move, from)) return { kind: "gone" };
    if (hashOf(from, loaded.path) !== move.from.hash) return { kind: "changed" };
    writeState(from.fs, from.stateDir, nameOf(move), move, { durable: true });
    copyVersions(move, from, to);
    if (!move.isBack) writeRedirect(from, redirect);
    const { path } = createNote(to, { kind: "knowledge", stem, folder, text });
    return await finish(move, from, to) === "edited"
      ? { kind: "changed" }
      : { kind: "moved", path };
  } catch (error) {
    if (isThere(move, from)) {
      tryTakeBack(move, from, to);
      throw error;
    }
    // The target exists and the source does not: the move is done, the next process cleans up.
    const path = arrived(move, to);
    if (path === undefined) throw error;
    return { kind: "moved", path };
  } finally {
    lock.release();
  }
}

/** On a failing disk, taking back is left to the next process. */
function tryTakeBack(move: Move, from: Store, to: Store): void {
  try {
    takeBack(move, from, to);
  } catch {
    // The caller reports its own error.
  }
}

/** Settles moves that a dead process left unfinished, unless another process moves just now. */
export async function settleMoves(fs: Fs, stateDir: string, holder: string): Promise<void> {
  const folder = join(stateDir, FOLDER);
  if (fs.lstat(folder)?.kind !== "dir") return;
  let lock: { release(): void };
  try {
    lock = hold(fs, stateDir, holder, 0);
  } catch (error) {
    if (error instanceof SageError && error.code === "locked") return;
    throw error;
  }
  try {
    for (const { name } of fs.list(folder)) {
      if (!name.endsWith(".json")) {
        discard(fs, join(folder, name));
        continue;
      }
      const move = readStateOrThrow<Move>(fs, stateDir, `${FOLDER}/${name}`);
      if (move === undefined) {
        removeState(fs, stateDir, `${FOLDER}/${name}`);
        continue;
      }
      // Opened by the recorded root, because the store may have left the vault since.
      const [from, to] = mapEach([move.from, move.to], ({ root, home, scope }) => ({
        ...openStore({ root, scope, stateDir, holder, fs }),
        home,
      }));
      if ([from, to].some(({ root }) => fs.lstat(root)?.kind !== "dir")) forgetMove(move, from);
      // The record of a move that fails stays, and the others are settled.
      else await settle(move, from, to).catch(() => {});
    }
    removeIfEmpty(fs, folder);
  } finally {
    lock.release();
  }
}

/** Takes a move back if the note has not arrived and is still in its old place; else finishes it. */
async function settle(move: Move, from: Store, to: Store): Promise<void> {
  if (isThere(move, from) && arrived(move, to) === undefined) takeBack(move, from, to);
  else await finish(move, from, to);
}

function isThere({ from: { path } }: Move, { fs, root }: Store): boolean {
  return fs.lstat(join(root, path)) !== undefined;
}

/** Removes the note from its old place. `edited`: somebody wrote it there meanwhile, and it stays there. */
async function finish(move: Move, from: Store, to: Store): Promise<"done" | "edited"> {
  const { path, hash } = move.from;
  if (isThere(move, from)) {
    const there = await loadNote(from, path);
    const isSame = sha256Hex(there.bytes) === hash;
    if (!isSame || (await trashNote(from, there)).kind === "conflict") {
      takeBack(move, from, to);
      return "edited";
    }
  }
  for (const entry of listTrash(from)) {
    // If an editor wrote into it at the last moment, it stays in the trash.
    if (entry.path === path && hashOf(from, entry.trash) === hash) discardTrash(from, entry.trash);
  }
  copyVersions(move, from, to);
  dropVersions(from, move.from.id, () => true);
  if (move.isBack) removeRedirect(to, move.redirect.id);
  else writeRedirect(from, move.redirect);
  forgetMove(move, from);
  return "done";
}

function takeBack(move: Move, from: Store, to: Store): void {
  const path = arrived(move, to);
  // If somebody wrote into it there, it is not ours to remove.
  if (path !== undefined && hashOf(to, path) === move.to.hash) {
    removeDurably(to.fs, join(to.root, path));
  }
  const own = new Set(listVersions(from, move.from.id).map(({ path }) => hashOf(from, path)));
  dropVersions(to, move.to.id, (version) => own.has(hashOf(to, version)));
  if (!move.isBack) removeRedirect(from, move.redirect.id);
  forgetMove(move, from);
}

/** The note's path in the target store, if it has arrived. */
function arrived({ to: { folder, stem, id, hash } }: Move, to: Store): string | undefined {
  const names = listIfDir(to.fs, join(to.root, folder)).length;
  for (let n = 1; n <= Math.min(names, NAME_TRIES_MAX); n++) {
    const path = `${folder}/${fileName(numberedStem(stem, n))}`;
    // Numbers may be missing: a name that is taken in another case is skipped.
    if (to.fs.lstat(join(to.root, path)) === undefined) continue;
    if (hashOf(to, path) === hash || idOnDisk(to, path) === id) return path;
  }
  return undefined;
}

function copyVersions(move: Move, from: Store, to: Store): void {
  const { fs } = to;
  const folder = historyFolder(`${move.to.folder}/x.md`, move.to.id);
  for (const { path } of listVersions(from, move.from.id)) {
    const target = join(to.root, folder, path.slice(path.lastIndexOf("/") + 1));
    if (fs.lstat(target) !== undefined) continue;
    ensureFolder(fs, to.root, join(to.root, folder), folderMode(to));
    writeNew(fs, target, readNoteBytes(from, path).bytes, fileMode(to));
  }
}

function dropVersions(store: Store, id: string, isIt: (path: string) => boolean): void {
  for (const { path } of listVersions(store, id)) {
    if (!isIt(path)) continue;
    removeDurably(store.fs, join(store.root, path));
    const folder = dirname(join(store.root, path));
    if (store.fs.list(folder).length > 0) continue;
    store.fs.removeDir(folder);
    store.fs.syncDir(dirname(folder));
  }
}

function hashOf(store: Store, path: string): string {
  return sha256Hex(readNoteBytes(store, path).bytes);
}

function forgetMove(move: Move, { fs, stateDir }: Store): void {
  removeState(fs, stateDir, nameOf(move));
  removeIfEmpty(fs, join(stateDir, FOLDER));
}

function removeIfEmpty(fs: Fs, folder: string): void {
  if (fs.lstat(folder)?.kind === "dir" && fs.list(folder).length === 0) fs.removeDir(folder);
}

function nameOf({ from: { root, id } }: Move): string {
  return `${FOLDER}/${sha256Hex(`${root}\n${id}`).slice(0, 16)}.json`;
}

function hold(fs: Fs, stateDir: string, holder: string, deadlineMs: number) {
  return holdLock(fs, join(stateDir, "locks", "moves.lock"), { deadlineMs, holder });
}
