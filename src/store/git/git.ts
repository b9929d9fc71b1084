/**
 * What git knows of a folder, read from its files: the binary may not start programs. Read-only and
 * bounded; whatever looks odd is left out rather than guessed.
 */
import { SageError } from "../../base/errors.ts";
import { CONTROL } from "../../base/text/text.ts";
import { followed, type Fs, readBytes } from "../../base/fs.ts";
import { dirname, join, resolveFrom } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { defined } from "../../base/defined.ts";
import { readGitEntries } from "./config.ts";

export interface GitState {
  /** Undefined when the head is detached. */
  readonly branch?: string;
  readonly commit?: string;
  /** `origin`, else the first remote; without user name and password. */
  readonly remote?: string;
  /** What this is a fork of, as tools that fork name it; without user name and password. */
  readonly upstream?: string;
  /** The folder whose `.git` this is. */
  readonly top: string;
  /** In a linked worktree: the folder of the main one. */
  readonly mainCheckout?: string;
  readonly gitDir: string;
  /** Where refs, hooks and configuration are; for a linked worktree, the main checkout's git folder. */
  readonly commonDir: string;
}

const PARENTS_MAX = 64;
const SYMBOLIC_REFS_MAX = 5;
const SMALL_FILE_BYTES_MAX = 4 * 1024;
const PACKED_REFS_BYTES_MAX = 8 * 1024 * 1024;

/** Like `readGit`, for callers that need a repository. Throws if there is none. */
export function requireGit(fs: Fs, dir: string): GitState {
  const git = readGit(fs, dir);
  if (git !== undefined) return git;
  throw new SageError("not_found", `There is no git repository in ${dir} or above`, {
    hint: "go into one, or make one: git init",
  });
}

/** The state of the repository that `dir` is in, or undefined. */
export function readGit(fs: Fs, dir: string): GitState | undefined {
  const found = findGitDir(fs, dir);
  if (found === undefined) return undefined;
  const { top, gitDir } = found;
  const common = commonDir(fs, gitDir);
  const head = readHead(fs, gitDir, common);
  if (head === undefined) return undefined;
  const { remote, upstream } = readRemotes(fs, common);
  const mainCheckout = common === gitDir ? undefined : mainCheckoutOf(fs, top, gitDir, common);
  return {
    top,
    gitDir,
    commonDir: common,
    ...defined({ ...head, remote, upstream, mainCheckout }),
  };
}

/**
 * Tells a repository from one that is cloned to the same place later, whatever its remotes: the inode of
 * its folder, and the time of the `description` file that git makes in every new one.
 */
export function repositoryMark(
  fs: Fs,
  git: Pick<GitState, "commonDir"> | undefined,
): string | undefined {
  if (git === undefined) return undefined;
  const made = fs.lstat(join(git.commonDir, "description"))?.mtimeMs;
  const inode = fs.lstat(git.commonDir)?.inode;
  return made === undefined || inode === undefined ? undefined : `${inode}-${made}`;
}

function findGitDir(fs: Fs, dir: string): { top: string; gitDir: string } | undefined {
  let top = dir;
  for (let i = 0; i < PARENTS_MAX; i++) {
    const name = join(top, ".git");
    const found = fs.lstat(name)?.kind;
    const path = found === "link" ? behindLink(fs, name) : name;
    const kind = found === "link" ? fs.lstat(path)?.kind : found;
    if (kind === "dir") return { top, gitDir: path };
    if (kind === "file") {
      const target = /^gitdir: (.+)$/m.exec(readSmall(fs, path) ?? "")?.[1]?.trim();
      if (target !== undefined) return { top, gitDir: resolveFrom(top, target) };
    }
    if (dirname(top) === top) return undefined;
    top = dirname(top);
  }
  return undefined;
}

/**
 * The target of a link, because some tools keep a repository elsewhere, or share parts of one, by links;
 * for a broken link, the link itself.
 */
function behindLink(fs: Fs, path: string): string {
  try {
    return followed(fs, path);
  } catch {
    return path;
  }
}

/** A linked worktree keeps refs and configuration in the main one's folder. */
function commonDir(fs: Fs, gitDir: string): string {
  const target = readSmall(fs, join(gitDir, "commondir"))?.trim();
  return target === undefined || target === "" ? gitDir : resolveFrom(gitDir, target);
}

/**
 * The main checkout of a linked worktree, if its repository names this worktree too: a `.git` file from an
 * archive may point anywhere, and must not borrow another project's memory. By real paths, so that no link
 * can lead elsewhere.
 */
function mainCheckoutOf(fs: Fs, top: string, gitDir: string, common: string): string | undefined {
  const back = readSmall(fs, join(gitDir, "gitdir"))?.trim();
  if (back === undefined) return undefined;
  try {
    const main = fs.realPath(common);
    const isNamedBack = fs.realPath(resolveFrom(gitDir, back)) === fs.realPath(join(top, ".git"));
    const isInside = fs.realPath(gitDir).startsWith(`${main}/worktrees/`);
    return isNamedBack && isInside && main.endsWith("/.git") ? dirname(main) : undefined;
  } catch {
    return undefined;
  }
}

function readHead(
  fs: Fs,
  gitDir: string,
  common: string,
): { branch?: string | undefined; commit?: string | undefined } | undefined {
  const head = readSmall(fs, join(gitDir, "HEAD"))?.trim();
  if (head === undefined) return undefined;
  const ref = refOf(head);
  if (ref === undefined) return isCommit(head) ? { commit: head } : undefined;
  const commit = resolveRef(fs, gitDir, common, ref);
  // With the `reftable` format HEAD names a branch that cannot exist.
  const branch = ref === "refs/heads/.invalid" ? undefined : ref.replace(/^refs\/heads\//, "");
  return { branch, commit };
}

function refOf(text: string): string | undefined {
  const ref = /^ref:\s*(\S+)$/.exec(text)?.[1];
  return ref === undefined || !/^refs\//.test(ref) ||
      /(^|\/)\.\.?(\/|$)|\\/.test(ref) || CONTROL.test(ref)
    ? undefined
    : ref;
}

function resolveRef(fs: Fs, gitDir: string, common: string, first: string): string | undefined {
  let ref: string | undefined = first;
  for (let i = 0; i < SYMBOLIC_REFS_MAX && ref !== undefined; i++) {
    const text: string | undefined = (readSmall(fs, join(gitDir, ref)) ??
      (common === gitDir ? undefined : readSmall(fs, join(common, ref))))?.trim();
    if (text === undefined) return packedRef(fs, common, ref);
    if (isCommit(text)) return text;
    ref = refOf(text);
  }
  return undefined;
}

function packedRef(fs: Fs, common: string, ref: string): string | undefined {
  const text = readFile(fs, join(common, "packed-refs"), PACKED_REFS_BYTES_MAX);
  const at = text?.indexOf(` ${ref}\n`) ?? -1;
  if (text === undefined || at < 0) return undefined;
  const commit = text.slice(text.lastIndexOf("\n", at) + 1, at);
  return isCommit(commit) ? commit : undefined;
}

function isCommit(text: string): boolean {
  return /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}

function readRemotes(
  fs: Fs,
  common: string,
): { remote?: string | undefined; upstream?: string | undefined } {
  const remotes = new Map<string, string>();
  for (const { section, subsection, key, value } of readGitEntries(fs, join(common, "config"))) {
    if (section === "remote" && key === "url" && !remotes.has(subsection)) {
      remotes.set(subsection, value);
    }
  }
  const url = remotes.get("origin") ?? [...remotes.values()][0];
  return { remote: withoutCredentials(url), upstream: withoutCredentials(remotes.get("upstream")) };
}

/** Remote URLs often have tokens, which Sage must not record. */
function withoutCredentials(url: string | undefined): string | undefined {
  return url?.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, "$1");
}

/**
 * One form for all spellings of a remote: `git@Host:a/b.git` and `https://host/a/b` become `host/a/b`.
 */
export function canonicalRemote(url: string): string {
  const scp = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url);
  const path = /^[a-z]:[\\/]/i.test(url) || scp === null
    ? url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "").replace(/^[^@/]*@/, "")
    : `${scp[1]}/${scp[2]}`;
  const [host = "", ...rest] = path.replace(/(?:\/\.?)+$/, "").replace(/\.git$/i, "").split("/");
  return [host.toLowerCase().replace(/:\d+$/, ""), ...rest.filter((part) => part !== "")].join("/");
}

function readSmall(fs: Fs, path: string): string | undefined {
  return readFile(fs, path, SMALL_FILE_BYTES_MAX);
}

/** The text of a regular file; undefined for anything else, and for a file that is too large. */
function readFile(fs: Fs, from: string, bytesMax: number): string | undefined {
  try {
    const path = behindLink(fs, from);
    const info = fs.lstat(path);
    if (info?.kind !== "file" || info.size > bytesMax) return undefined;
    return decode(readBytes(fs, path, bytesMax));
  } catch {
    // What git knows is optional everywhere.
    return undefined;
  }
}
