/**
 * Whether the notes of a project store are trusted. A store may come from anyone with `git clone`, so it is
 * trusted only if a person made it or said so on this machine, and only as long as it is the same store.
 */
import { now, parseTime, rfc3339 } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import { dirname, join } from "../base/path.ts";
import { defined } from "../base/defined.ts";
import { canonicalRemote, readGit, repositoryMark } from "./git/git.ts";
import { readKept, updateState } from "./state.ts";

/** `own`: made here. `trusted`: a person said so. `unknown`: notes are never shown unasked. */
export type Trust = "own" | "trusted" | "unknown";

/** The signs by which a store is recognised. */
interface Signs {
  readonly path: string;
  /** The home folder that it is in, which may get another name, as on another machine. */
  readonly home?: string;
  readonly device: number;
  readonly inode: number;
  /** The repository at whose top it is (`repositoryMark`): recognises it after git removed and restored it. */
  readonly repository?: string;
  /** `inode-mtime` of its `.gitignore`: recognises it after its folder was moved or restored. */
  readonly mark?: string;
}

interface TrustRecord extends Signs {
  readonly remote?: string;
  readonly trust: "own" | "trusted";
  readonly at: string;
}

interface TrustFile {
  readonly stores: readonly TrustRecord[];
}

const NAME = "trust.json";
/** Closed to this account, or damaged. Without memory or file handles nothing is known of it. */
const NOT_READ: readonly string[] = ["permission", "invalid_config"];
/** A mark this close to the time of trust can be guessed from project.yaml, so it proves nothing. */
const GUESSABLE_SECONDS = 60;

/** The recorded trust of the store at `root` (a real path), if it still is the same store. */
export function readTrust(fs: Fs, stateDir: string, root: string): Trust {
  const identity = identify(fs, root);
  return identity === undefined ? "unknown" : trustAt(fs, stateDir, root, identity);
}

/** The same for a path where there may be no store, because the branch that is checked out has none. */
function trustAt(
  fs: Fs,
  stateDir: string,
  root: string,
  identity: ReturnType<typeof identify>,
): Trust {
  if (identity !== undefined && !isOurs(identity.uid)) return "unknown";
  const record = recordOf(fs, stateDir, root);
  if (record === undefined) {
    const main = mainStoreOf(fs, root);
    return main === undefined ? "unknown" : trustAt(fs, stateDir, main, identify(fs, main));
  }
  const isSame = isSameStore(fs, record, root, identity) &&
    // Adding a remote does not change the owner; changing it may.
    (record.remote === undefined || record.remote === remoteOf(fs, root));
  return isSame && ["own", "trusted"].includes(record.trust) ? record.trust : "unknown";
}

/** The remote that a store had when it was trusted, if it has another one now, which ended the trust. */
export function formerRemote(fs: Fs, stateDir: string, root: string): string | undefined {
  const record = recordOf(fs, stateDir, root);
  if (record?.remote === undefined || record.remote === remoteOf(fs, root)) return undefined;
  return isSameStore(fs, record, root, identify(fs, root)) ? record.remote : undefined;
}

/**
 * The file of the records, where it cannot be read. No store is trusted then, because somebody may have taken
 * the trust back; the notes themselves stay in reach.
 */
export function unreadableTrust(fs: Fs, stateDir: string): string | undefined {
  const path = join(stateDir, NAME);
  const kind = fs.lstat(path)?.kind;
  return kind === undefined || kind === "file" && readRecords(fs, stateDir) !== undefined
    ? undefined
    : path;
}

/** Throws if the records cannot be read: nothing can be added to them then. */
export function requireTrust(fs: Fs, stateDir: string): void {
  readKept<TrustFile>(fs, stateDir, NAME, isWhole);
}

function isWhole(file: unknown): boolean {
  const { stores } = Object(file) as Partial<TrustFile>;
  return Array.isArray(stores) &&
    stores.every((store) => typeof Object(store).path === "string");
}

function readRecords(fs: Fs, stateDir: string): readonly TrustRecord[] | undefined {
  try {
    return inHome(stateDir, readKept<TrustFile>(fs, stateDir, NAME, isWhole));
  } catch (error) {
    if (error instanceof SageError && NOT_READ.includes(error.code)) return undefined;
    throw error;
  }
}

function recordOf(fs: Fs, stateDir: string, root: string): TrustRecord | undefined {
  const records = readRecords(fs, stateDir) ?? [];
  return records.find(({ path }) => path === root) ??
    records.find((one) => isMoved(fs, one, root));
}

/** The records, with paths in a former home folder changed to the present one. */
function inHome(stateDir: string, file: TrustFile | undefined): readonly TrustRecord[] {
  const home = homeOf(stateDir);
  return (file?.stores ?? []).map((record) => {
    const { path, home: former } = record;
    if (former === undefined || !path.startsWith(`${former}/`)) return record;
    return { ...record, home, path: home + path.slice(former.length) };
  });
}

/** The folder that the user store is in. */
function homeOf(stateDir: string): string {
  return dirname(dirname(stateDir));
}

function isSameStore(
  fs: Fs,
  record: TrustRecord,
  root: string,
  identity: ReturnType<typeof identify>,
): boolean {
  return record.device === identity?.device && record.inode === identity.inode ||
    isRestored(fs, record, root) || isCheckedOut(fs, record, root);
}

/**
 * The same store in the main checkout of a linked worktree. Trusting that one is enough, because any branch
 * could be checked out there as well.
 */
function mainStoreOf(fs: Fs, root: string): string | undefined {
  const git = readGit(fs, dirname(root));
  if (git?.mainCheckout === undefined || !root.startsWith(`${git.top}/`)) return undefined;
  const main = git.mainCheckout + root.slice(git.top.length);
  try {
    // A link there may lead to somebody else's store. A missing one is fine: its record counts.
    return fs.lstat(main) === undefined || fs.realPath(main) === main ? main : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the store was moved here: nothing is left at its old path, and its `.gitignore` is the same file.
 * The inode of a folder alone may be reused by the next clone.
 */
function isMoved(fs: Fs, { path, mark }: TrustRecord, root: string): boolean {
  return mark !== undefined && mark === markOf(fs, root) && fs.lstat(path) === undefined;
}

/**
 * Whether the store was restored at its path from a backup: its `.gitignore` has its old mtime, which in a
 * clone it would not have. Compared in seconds, because some archives keep no fractions. An mtime close to
 * the time of trust proves nothing: project.yaml says when the store was made, so it could be forged.
 */
function isRestored(fs: Fs, { path, mark, at }: TrustRecord, root: string): boolean {
  const second = (of: string | undefined): number => Math.floor(Number(of?.split("-")[1]) / 1000);
  const isGuessable = Math.abs(second(mark) - (parseTime(at) ?? 0) / 1000) < GUESSABLE_SECONDS;
  return path === root && !isGuessable && second(mark) === second(markOf(fs, root));
}

/**
 * Whether it is the store of the same repository in a new folder: checking out a commit without notes,
 * bisecting and stashing remove it for a while.
 */
function isCheckedOut(fs: Fs, { path, repository }: TrustRecord, root: string): boolean {
  return path === root && repository !== undefined && repository === repositoryOf(fs, root);
}

/** The mark of the repository at whose top the store is. A folder below may be somebody else's project. */
function repositoryOf(fs: Fs, root: string): string | undefined {
  const git = readGit(fs, dirname(root));
  return git?.top === dirname(root) ? repositoryMark(fs, git) : undefined;
}

function markOf(fs: Fs, root: string): string | undefined {
  const info = fs.lstat(join(root, ".gitignore"));
  return info?.kind === "file" ? `${info.inode}-${info.mtimeMs}` : undefined;
}

/** Whether a person made or trusted the store at `root` (a real path), whether or not it still exists. */
export function wasTrusted(fs: Fs, stateDir: string, root: string): boolean {
  return readRecords(fs, stateDir)?.some(({ path }) => path === root) ?? false;
}

/** The recorded paths of all stores that a person made or trusted, whether or not they still exist. */
export function trustedRoots(fs: Fs, stateDir: string): string[] {
  return (readRecords(fs, stateDir) ?? []).map(({ path }) => path);
}

/** Records a decision about the store at `root`; `unknown` removes the record. */
export function recordTrust(fs: Fs, stateDir: string, root: string, trust: Trust): void {
  const identity = identify(fs, root);
  if (identity === undefined && trust !== "unknown") return;
  updateState<TrustFile>(fs, stateDir, NAME, (old) => {
    const others = inHome(stateDir, old).filter(({ path }) => path !== root);
    if (identity === undefined || trust === "unknown") return { stores: others };
    const remote = remoteOf(fs, root);
    const record = { ...defined({ remote }), trust, at: rfc3339(now()) };
    return { stores: [...others, { ...record, ...signsOf(fs, stateDir, root, identity) }] };
  }, { durable: true, isWhole });
}

/**
 * Updates the signs of a trusted store. It is recognised as long as some of them hold, but they change one
 * by one: a repository is made around it, it is moved, restored from a backup, or checked out again. The
 * time of trust and the remote stay.
 */
export function renewTrust(fs: Fs, stateDir: string, root: string): void {
  const identity = identify(fs, root);
  const record = recordOf(fs, stateDir, root);
  if (identity === undefined || record === undefined) return;
  if (trustAt(fs, stateDir, root, identity) === "unknown") return;
  const signs = signsOf(fs, stateDir, root, identity);
  const all = Object.entries(signs) as [keyof Signs, unknown][];
  if (all.every(([name, value]) => record[name] === value)) return;
  updateState<TrustFile>(fs, stateDir, NAME, (old) => {
    const others = inHome(stateDir, old).filter(({ path }) => path !== root);
    return { stores: [...others, { ...record, ...signs }] };
  }, { durable: true, isWhole });
}

function signsOf(
  fs: Fs,
  stateDir: string,
  root: string,
  { device, inode }: { device: number; inode: number },
): Signs {
  const home = homeOf(stateDir);
  const signs = {
    home: root.startsWith(`${home}/`) ? home : undefined,
    repository: repositoryOf(fs, root),
    mark: markOf(fs, root),
  };
  return { path: root, device, inode, ...defined(signs) };
}

function identify(
  fs: Fs,
  root: string,
): { device: number; inode: number; uid: number } | undefined {
  const info = fs.lstat(root);
  return info?.kind === "dir" ? info : undefined;
}

function remoteOf(fs: Fs, root: string): string | undefined {
  const remote = readGit(fs, dirname(root))?.remote;
  return remote === undefined ? undefined : canonicalRemote(remote);
}

/** Whether a folder is of our own account. Root may work for others. */
export function isOurs(uid: number): boolean {
  const self = Deno.uid();
  return self === null || self === 0 || self === uid;
}
