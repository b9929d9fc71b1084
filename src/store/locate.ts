/** Finds the stores for a folder, and the project that it belongs to. Never creates anything. */
import type { Env } from "../base/environment.ts";
import { pattern } from "../base/text/pattern.ts";
import { type Fs, readIfFile } from "../base/fs.ts";
import { basename, dirname, join } from "../base/path.ts";
import { decode, withoutBom } from "../base/utf8.ts";
import { defined } from "../base/defined.ts";
import { sha256Hex } from "../base/hash.ts";
import { collapse, slug } from "../base/text/text.ts";
import { canonicalRemote, type GitState, readGit } from "./git/git.ts";
import { realRoot } from "./handle.ts";
import { formerIds } from "./projects.ts";
import { readTrust, type Trust } from "./trust.ts";
import { locateUserRoot, STORE_NAME } from "./user_root.ts";
import { readVault, type Vault } from "./vault.ts";

export interface Places {
  readonly home: string;
  /** `~/.sage`, or the folder that `SAGE_HOME` names. */
  readonly userRoot: string;
  readonly stateDir: string;
  /** The project's store, if it has one: the `.sage` folder, the folder it is in, and its trust. */
  readonly project?: { readonly root: string; readonly dir: string; readonly trust: Trust };
  readonly projectId: string;
  /**
   * All ids that notes of the project may have: the present one, those from former remotes and from before
   * it had one, and for a fork also its origin's.
   */
  readonly projectIds: readonly string[];
  readonly projectName: string;
  /** The project's folder, with or without a store; for a worktree without its own, the main checkout. */
  readonly projectDir: string;
  /** The folder of the project's files that we work in: in a worktree, the worktree. */
  readonly checkoutDir: string;
  /** The repository that we are in, which may be below the project's folder; for a worktree, the main checkout. */
  readonly repository?: string;
  /** The vault that notes are in, if any. */
  readonly vault?: Vault;
  /** The current folder, links resolved. */
  readonly here: string;
}

export interface Standpoint {
  readonly cwd: string;
  readonly home: string;
  readonly env: Env;
  readonly fs: Fs;
}

const PARENTS_MAX = 64;
const PROJECT_FILE_BYTES_MAX = 64 * 1024;

export function locateStores({ cwd, home, env, fs }: Standpoint): Places {
  const userRoot = locateUserRoot(home, env, fs);
  const stateDir = join(userRoot, "state");
  const here = realRoot(fs, cwd);
  const git = projectGit(fs, here, home);
  const found = findProjectStore(fs, here, [userRoot, realRoot(fs, join(home, STORE_NAME))], git);
  const project = found === undefined
    ? undefined
    : { ...found, trust: readTrust(fs, stateDir, found.root) };
  const projectDir = project?.dir ?? git?.mainCheckout ?? git?.top ?? here;
  const stated = project === undefined || project.trust === "unknown"
    ? {}
    : readProjectFile(fs, project.root);
  const derived = deriveIdentity(projectDir, git);
  const projectId = stated.id ?? derived.id;
  const byFolder = identityOf(projectDir);
  const vault = readVault(fs, userRoot);
  return {
    home,
    userRoot,
    stateDir,
    ...defined({ vault, project, repository: git?.mainCheckout ?? git?.top }),
    projectId,
    projectIds: [
      ...new Set([
        ...[projectId, derived.id, byFolder.id],
        ...formerIds(fs, userRoot, projectDir, gitOf(fs, projectDir, here, git)),
        ...forkedIds(projectDir, git),
      ]),
    ],
    projectName: stated.name ?? derived.name,
    projectDir,
    checkoutDir: isMainCheckout(fs, projectDir, git) ? git.top : projectDir,
    here,
  };
}

/**
 * The repository that we are in; undefined below a home folder that is kept in git, because each folder
 * there is a project of its own.
 */
function projectGit(fs: Fs, here: string, home: string): GitState | undefined {
  const git = readGit(fs, here);
  return git !== undefined && git.top !== here && git.top === realRoot(fs, home) ? undefined : git;
}

/**
 * The nearest `.sage` folder, upwards from here. A link does not count: it may have come with a clone, and
 * point anywhere. A worktree without its own takes the main checkout's before looking further up.
 */
function findProjectStore(
  fs: Fs,
  here: string,
  userRoots: readonly string[],
  git: GitState | undefined,
): { root: string; dir: string } | undefined {
  const storeIn = (dir: string): { root: string; dir: string } | undefined => {
    const named = join(dir, STORE_NAME);
    if (fs.lstat(named)?.kind !== "dir") return undefined;
    // The real path, because trust is recorded by it, and macOS finds `.SAGE` by this name too.
    const root = fs.realPath(named);
    return userRoots.includes(root) ? undefined : { root, dir };
  };
  let dir = here;
  for (let i = 0; i < PARENTS_MAX; i++) {
    const own = storeIn(dir);
    if (own !== undefined) return own;
    if (git?.mainCheckout !== undefined && dir === git.top) {
      const main = storeIn(realRoot(fs, git.mainCheckout));
      if (main !== undefined) return main;
    }
    if (dirname(dir) === dir) return undefined;
    dir = dirname(dir);
  }
  return undefined;
}

/** The repository of the project's folder; `git` is that of `here`, mostly the same. */
function gitOf(
  fs: Fs,
  projectDir: string,
  here: string,
  git: GitState | undefined,
): GitState | undefined {
  const isSame = [here, git?.top, git?.mainCheckout].includes(projectDir);
  return isSame ? git : readGit(fs, projectDir);
}

/** Whether the project is the main checkout of the linked worktree that we are in. */
function isMainCheckout(fs: Fs, projectDir: string, git: GitState | undefined): git is GitState {
  return git?.mainCheckout !== undefined &&
    realRoot(fs, git.mainCheckout) === realRoot(fs, projectDir);
}

/** Id and name from the remote, so that every clone has the same; else from the folder of the main checkout. */
function deriveIdentity(
  projectDir: string,
  git: GitState | undefined,
): { id: string; name: string } {
  const isRepository = git !== undefined &&
    (git.top === projectDir || git.mainCheckout === projectDir);
  if (!isRepository) return identityOf(projectDir);
  return identityOf(
    git.remote === undefined ? git.mainCheckout ?? projectDir : canonicalRemote(git.remote),
  );
}

/** The origin's id for a fork: knowledge of a project holds in its forks, but not the other way round. */
function forkedIds(projectDir: string, git: GitState | undefined): string[] {
  const isOwn = git?.top === projectDir || git?.mainCheckout === projectDir;
  return isOwn && git?.upstream !== undefined ? [identityOf(canonicalRemote(git.upstream)).id] : [];
}

function identityOf(origin: string): { id: string; name: string } {
  // A folder's name may have line breaks, and is printed within lines.
  const name = collapse(basename(origin)) || "root";
  return { id: `${slug(name, 40)}-${sha256Hex(origin).slice(0, 8)}`, name };
}

/** `id` and `name` of project.yaml, if they are plain top-level lines, as Sage writes them. */
function readProjectFile(fs: Fs, root: string): { id?: string; name?: string } {
  const path = join(root, "project.yaml");
  try {
    const bytes = readIfFile(fs, path, PROJECT_FILE_BYTES_MAX + 1);
    if (bytes === undefined || bytes.length > PROJECT_FILE_BYTES_MAX) return {};
    const text = withoutBom(decode(bytes));
    const id = plainLine(text, "id");
    const name = plainLine(text, "name");
    return {
      ...(id !== undefined && isProjectId(id) ? { id } : {}),
      ...(name === undefined || name === "" ? {} : { name: name.slice(0, 120) }),
    };
  } catch {
    // Then the derived identity is used; `sage project info` reports what is wrong with the file.
    return {};
  }
}

function isProjectId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$/.test(text) ||
    pattern(String.raw`^[\p{L}\p{N}][\p{L}\p{N}._-]{0,80}$`, "u").test(text);
}

function plainLine(text: string, key: string): string | undefined {
  const line = text.split("\n").find((line) => line.startsWith(`${key}:`))?.slice(0, 256);
  const value = line?.slice(key.length + 1).trim();
  if (value === undefined || /^[&*!|>[{#]/.test(value)) return undefined;
  const [, single, double] = /^(?:'((?:[^']|'')*)'|"((?:[^"\\]|\\.)*)")/.exec(value) ?? [];
  if (single !== undefined) return single.replaceAll("''", "'");
  // Other escapes are line breaks and tabs: a space will do.
  const unescaped = double?.replace(/\\(.)/g, (_, sign: string) => /["\\]/.test(sign) ? sign : " ");
  if (unescaped !== undefined) return collapse(unescaped);
  return value.split(" #")[0]?.trim();
}
