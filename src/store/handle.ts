/**
 * The handle of a store that all functions on it take, and the store's locks. Opening one creates nothing,
 * and reads only the trust that was recorded for it.
 */
import { type Fs, realFs } from "../base/fs.ts";
import { dirname, join, slashed } from "../base/path.ts";
import { sha256Hex } from "../base/hash.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX, LOCK_STRIPES } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import { readTrust, type Trust } from "./trust.ts";
import type { VaultPlace } from "./vault.ts";

export interface Store {
  /** The folder with the folders of notes, links resolved. */
  readonly root: string;
  /** The `.sage` folder with its settings; the same as the root unless the notes are in a vault. */
  readonly home: string;
  /** The place in a vault, if the notes are in one. Files are named by titles there. */
  readonly vault: VaultPlace | undefined;
  readonly scope: "project" | "user";
  /** 16 hex digits of SHA-256 of the root. */
  readonly id: string;
  readonly trust: Trust;
  /** The id of the project, if its store is trusted. It stays when the folder moves. */
  readonly projectId?: string;
  readonly fs: Fs;
  readonly stateDir: string;
  /** The name shown to others who wait for our locks: `sage search`. */
  readonly holder: string;
  /** Hooks never wait long: they defer to the inbox. */
  readonly hook: boolean;
}

export interface StoreOptions {
  /** The `.sage` folder. */
  readonly root: string;
  readonly vault?: VaultPlace | undefined;
  readonly scope: "project" | "user";
  /** Of a project's store, if the caller has read it already. */
  readonly trust?: Trust;
  readonly projectId?: string;
  readonly stateDir: string;
  readonly holder: string;
  readonly hook?: boolean;
  readonly fs?: Fs;
}

/** A handle on the store at `root`, which need not exist yet. */
export function openStore(options: StoreOptions): Store {
  const { scope, stateDir, holder, hook = false, fs = realFs, projectId } = options;
  const home = realRoot(fs, options.root);
  const trust = scope === "user" ? "own" : options.trust ?? readTrust(fs, stateDir, home);
  // Otherwise a clone could take the name of a project in the vault, and so get at its notes.
  const vault = trust === "unknown" ? undefined : options.vault;
  const root = vault === undefined ? home : realRoot(fs, join(vault.root, vault.path));
  return {
    root,
    home,
    vault,
    scope,
    id: storeIdOf(root),
    trust,
    ...(trust === "unknown" || projectId === undefined ? {} : { projectId }),
    fs,
    stateDir,
    holder,
    hook,
  };
}

/** A store's id, from the real path of its notes. */
export function storeIdOf(root: string): string {
  return sha256Hex(root).slice(0, 16);
}

/** The path with links resolved as far as it exists; the rest as written. */
export function realRoot(fs: Fs, path: string): string {
  const rest: string[] = [];
  let head = slashed(path).replace(/(.)\/+$/, "$1");
  while (fs.lstat(head) === undefined && dirname(head) !== head) {
    rest.unshift(head.slice(dirname(head).length).replace(/^\/+/, ""));
    head = dirname(head);
  }
  const real = fs.realPath(head);
  return real === "/" ? real + rest.join("/") : join(real, ...rest);
}

/** The same; the path as typed if links cannot be resolved, as on a disk that is not mounted. */
export function realOrTyped(fs: Fs, path: string): string {
  try {
    return realRoot(fs, path);
  } catch {
    return path;
  }
}

/** Modes of new folders and files: private in the user's store; in a project's the umask applies. */
export function folderMode(store: Store): number {
  return store.scope === "user" ? 0o700 : 0o755;
}

export function fileMode(store: Store): number {
  return store.scope === "user" ? 0o600 : 0o644;
}

function lockDeadlineMs(store: Store): number {
  return store.hook ? LOCK_HOOK_MS_MAX : LOCK_MS_MAX;
}

/** The folder of the store's lock files, which are empty and never deleted. */
export function lockDir(store: Store): string {
  return join(store.stateDir, "locks", store.id);
}

/** Notes share 256 lock files, few enough to keep and so many that different notes rarely wait for each other. */
function stripeOf(noteId: string): string {
  const stripe = Number.parseInt(sha256Hex(noteId).slice(0, 8), 16) % LOCK_STRIPES;
  return stripe.toString(16).padStart(2, "0");
}

/** Runs `body` as the only writer of the note, and never during work on the whole store. */
export function withNoteLock<T>(store: Store, noteId: string, body: () => T): T {
  const how = { deadlineMs: lockDeadlineMs(store), holder: store.holder };
  const path = join(lockDir(store), `note-${stripeOf(noteId)}.lock`);
  const shared = { ...how, exclusive: false };
  return withLock(store.fs, storeLock(store), shared, () => withLock(store.fs, path, how, body));
}

/** Runs `body` as the only writer of the store. */
export function withStoreLock<T>(
  store: Store,
  body: () => T,
  deadlineMs = lockDeadlineMs(store),
): T {
  return withLock(store.fs, storeLock(store), { deadlineMs, holder: store.holder }, body);
}

/** Shared by writers of single notes, exclusive for work on the whole store. */
function storeLock(store: Store): string {
  return join(lockDir(store), "store.lock");
}
