/**
 * Whether the notes of a project store are trusted. A store arrives with `git clone`, from anyone; it
 * is trusted only where its owner said so on this machine, and only while it is the same folder.
 */
import { now, parseTime, rfc3339 } from "../base/clock.ts";
import { dirname, type Fs, join } from "../base/fs.ts";
import { defined } from "../base/defined.ts";
import { canonicalRemote, readGit, repositoryMark } from "./git.ts";
import { readState, updateState } from "./state.ts";

/** `own`: made here. `trusted`: a person said so. `unknown`: never shown unasked. */
export type Trust = "own" | "trusted" | "unknown";

/** What a store is known by. */
interface Signs {
  readonly path: string;
  /** The home that it lies in, for that may get another name, as on another machine. */
  readonly home?: string;
  readonly device: number;
  readonly inode: number;
  /**
   * The repository it lies at the top of, by which it is recognised when git took it away and brought
   * it back.
   */
  readonly repository?: string;
  /** By which it is recognised when its folder was moved. */
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
/** Time between the files of a store that one command makes, however slow the disk. */
const TOLD_SECONDS = 60;

/** What was recorded for the store at `root` (a real path), if it still is that one. */
export function readTrust(fs: Fs, stateDir: string, root: string): Trust {
  const identity = identify(fs, root);
  return identity === undefined ? "unknown" : trustAt(fs, stateDir, root, identity);
}

/** The same for a place where the branch that is checked out may have no store. */
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
    // Adding a remote later changes no owner; changing one may.
    (record.remote === undefined || record.remote === remoteOf(fs, root));
  return isSame && ["own", "trusted"].includes(record.trust) ? record.trust : "unknown";
}

/** The remote that the store had when it was trusted, where trust ended because it has another one. */
export function formerRemote(fs: Fs, stateDir: string, root: string): string | undefined {
  const record = recordOf(fs, stateDir, root);
  if (record?.remote === undefined || record.remote === remoteOf(fs, root)) return undefined;
  return isSameStore(fs, record, root, identify(fs, root)) ? record.remote : undefined;
}

function recordOf(fs: Fs, stateDir: string, root: string): TrustRecord | undefined {
  const records = inHome(stateDir, readState<TrustFile>(fs, stateDir, NAME));
  return records.find(({ path }) => path === root) ??
    records.find((one) => isMoved(fs, one, root));
}

/** The records, with what lay in the home that this state came from in the one that it lies in now. */
function inHome(stateDir: string, file: TrustFile | undefined): readonly TrustRecord[] {
  const home = homeOf(stateDir);
  return (file?.stores ?? []).map((record) => {
    const { path, home: former } = record;
    if (former === undefined || !path.startsWith(`${former}/`)) return record;
    return { ...record, home, path: home + path.slice(former.length) };
  });
}

/** The folder that the user store lies in. */
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
 * The same store in the main checkout of a linked worktree: a branch's notes are shown as soon as it is
 * checked out there, so in the worktree nothing more has to be trusted.
 */
function mainStoreOf(fs: Fs, root: string): string | undefined {
  const git = readGit(fs, dirname(root));
  if (git?.mainCheckout === undefined || !root.startsWith(`${git.top}/`)) return undefined;
  const main = git.mainCheckout + root.slice(git.top.length);
  try {
    // A link there may lead to somebody else's store; the branch that is checked out may have none.
    return fs.lstat(main) === undefined || fs.realPath(main) === main ? main : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Whether the store was moved here: nothing is left in its old place, and the file that Sage made with
 * it is the very same. A folder's inode alone may be reused by the next clone.
 */
function isMoved(fs: Fs, { path, mark }: TrustRecord, root: string): boolean {
  return mark !== undefined && mark === markOf(fs, root) && fs.lstat(path) === undefined;
}

/**
 * Whether the store was restored in its place from a copy: the file that Sage made with it has its old
 * age, which no clone's has. Some archives keep whole seconds only. Where it is as old as the trust
 * itself, that proves nothing: project.yaml tells anybody who has the files when it was made.
 */
function isRestored(fs: Fs, { path, mark, at }: TrustRecord, root: string): boolean {
  const second = (of: string | undefined): number => Math.floor(Number(of?.split("-")[1]) / 1000);
  const isTold = Math.abs(second(mark) - (parseTime(at) ?? 0) / 1000) < TOLD_SECONDS;
  return path === root && !isTold && second(mark) === second(markOf(fs, root));
}

/**
 * Whether it is the same repository's store, however new the folder: checking out a commit without
 * notes, bisecting and stashing take it away for a while.
 */
function isCheckedOut(fs: Fs, { path, repository }: TrustRecord, root: string): boolean {
  return path === root && repository !== undefined && repository === repositoryOf(fs, root);
}

/** Only at its top: into a folder further down somebody else's project may have been unpacked. */
function repositoryOf(fs: Fs, root: string): string | undefined {
  const git = readGit(fs, dirname(root));
  return git?.top === dirname(root) ? repositoryMark(fs, git) : undefined;
}

function markOf(fs: Fs, root: string): string | undefined {
  const info = fs.lstat(join(root, ".gitignore"));
  return info?.kind === "file" ? `${info.inode}-${info.mtimeMs}` : undefined;
}

/** Real paths of stores, present or former, that a person made or trusted. */
export function trustedRoots(fs: Fs, stateDir: string): string[] {
  return inHome(stateDir, readState<TrustFile>(fs, stateDir, NAME)).map(({ path }) => path);
}

/** Records the decision about the store at `root`; `unknown` takes it back. */
export function recordTrust(fs: Fs, stateDir: string, root: string, trust: Trust): void {
  const identity = identify(fs, root);
  if (identity === undefined && trust !== "unknown") return;
  updateState<TrustFile>(fs, stateDir, NAME, (old) => {
    const others = inHome(stateDir, old).filter(({ path }) => path !== root);
    if (identity === undefined || trust === "unknown") return { stores: others };
    const remote = remoteOf(fs, root);
    const record = { ...defined({ remote }), trust, at: rfc3339(now()) };
    return { stores: [...others, { ...record, ...signsOf(fs, stateDir, root, identity) }] };
  }, { durable: true });
}

/**
 * Takes down anew what a store that is trusted is known by, since each step lets only one of its signs
 * change: git may be set up around it, it moves, is put back from a copy, or git makes its files again.
 * When it was trusted, and with which remote, stays.
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
  }, { durable: true });
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

/** A folder of another account is never trusted, but root may work for others. */
export function isOurs(uid: number): boolean {
  const self = Deno.uid();
  return self === null || self === 0 || self === uid;
}
