/**
 * A store as the functions on it see it, and its locks. Opening one creates nothing and reads little:
 * the trust that was recorded for it.
 */
import { dirname, type Fs, join, realFs, slashed } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX, LOCK_STRIPES } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import { readTrust, type Trust } from "./trust.ts";
import type { VaultPlace } from "./vault.ts";

export interface Store {
  /** The folder that holds the kind folders, links resolved. */
  readonly root: string;
  /** The `.sage` folder with its settings; the same as the root unless the notes lie in a vault. */
  readonly home: string;
  /** Where the root is in a vault; files are named by titles there. */
  readonly vault: VaultPlace | undefined;
  readonly scope: "project" | "user";
  /** 16 hex digits of SHA-256 of the root. */
  readonly id: string;
  readonly trust: Trust;
  /** The project whose store it is, if somebody trusted it: stays when the folder moves. */
  readonly projectId?: string;
  readonly fs: Fs;
  readonly stateDir: string;
  /** How others who wait for our locks see us: `sage search`. */
  readonly holder: string;
  /** Hooks never wait long: they defer to the inbox. */
  readonly hook: boolean;
}

export interface StoreOptions {
  /** The `.sage` folder. */
  readonly root: string;
  readonly vault?: VaultPlace | undefined;
  readonly scope: "project" | "user";
  /** For a project's store, if it is known already. */
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
  // Otherwise a clone could name itself like a project in the vault and be let in.
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

/** From the real path of its notes. */
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

/** The same; as typed where links cannot be read, because a disk that is not mounted has none. */
export function realOrTyped(fs: Fs, path: string): string {
  try {
    return realRoot(fs, path);
  } catch {
    return path;
  }
}

/** Modes of what is made in a store: the user's is private, the project's honours the umask. */
export function folderMode(store: Store): number {
  return store.scope === "user" ? 0o700 : 0o755;
}

export function fileMode(store: Store): number {
  return store.scope === "user" ? 0o600 : 0o644;
}

function lockDeadlineMs(store: Store): number {
  return store.hook ? LOCK_HOOK_MS_MAX : LOCK_MS_MAX;
}

/** The folder of the store's lock files, in the state: permanent, empty, never deleted. */
export function lockDir(store: Store): string {
  return join(store.stateDir, "locks", store.id);
}

/** The stripe of a note: one of 256, so that different notes rarely wait for each other. */
function stripeOf(noteId: string): string {
  const stripe = Number.parseInt(sha256Hex(noteId).slice(0, 8), 16) % LOCK_STRIPES;
  return stripe.toString(16).padStart(2, "0");
}

/** Runs `body` as the only writer of the note. Whole-store work (exclusive) waits, and makes it wait. */
export function withNoteLock<T>(store: Store, noteId: string, body: () => T): T {
  const how = { deadlineMs: lockDeadlineMs(store), holder: store.holder };
  const path = join(lockDir(store), `note-${stripeOf(noteId)}.lock`);
  return withStoreLock(store, false, () => withLock(store.fs, path, how, body));
}

/** The store lock: shared by writers of notes, exclusive for migrate, rename and gc. */
export function withStoreLock<T>(
  store: Store,
  exclusive: boolean,
  body: () => T,
  deadlineMs = lockDeadlineMs(store),
): T {
  const how = { deadlineMs, holder: store.holder, exclusive };
  return withLock(store.fs, join(lockDir(store), "store.lock"), how, body);
}
