/** Creates the stores a person asked for, and says which existed. Nothing else in Sage creates a store. */
import { writeNew } from "../base/atomic.ts";
import { SageError } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import { basename, dirname, join, slashed } from "../base/path.ts";
import { encode } from "../base/utf8.ts";
import { DAY_MS, rfc3339 } from "../base/clock.ts";
import { randomHex } from "../base/hash.ts";
import { LOCK_MS_MAX } from "../base/limits.ts";
import { renderScalar } from "../base/yaml/render.ts";
import { readGit } from "../store/git/git.ts";
import { realRoot } from "../store/handle.ts";
import { locateStores, type Places } from "../store/locate.ts";
import { GITIGNORE } from "../store/layout.ts";
import { recordTrust, requireTrust } from "../store/trust.ts";
import { rememberProject } from "../store/projects.ts";
import { STORE_NAME } from "../store/user_root.ts";
import type { Memory } from "./memory.ts";
import { lostStore } from "./trust.ts";

export interface InitReport {
  readonly created: readonly string[];
  readonly existing: readonly string[];
  readonly projectRoot: string | undefined;
  readonly userRoot: string;
}

export async function initStores(
  memory: Memory,
  options: { readonly project?: boolean } = {},
): Promise<InitReport> {
  const { fs, places } = memory;
  if (options.project === false) letGo(memory);
  const created: string[] = [];
  const existing: string[] = [];
  const report = (path: string, isNew: boolean): boolean => {
    (isNew ? created : existing).push(path);
    return isNew;
  };
  if (options.project ?? true) refuseTooWide(memory);
  report(places.userRoot, makeFolder(fs, places.userRoot, 0o700));
  let projectRoot: string | undefined;
  const wanted = wantedRoot(memory);
  // In the home folder project and user store would be one: it is the user's alone.
  const isUsersOwn = [places.userRoot, realRoot(fs, join(places.home, STORE_NAME))]
    .some((own) => wanted === own || wanted.startsWith(`${own}/`));
  if ((options.project ?? true) && !isUsersOwn) {
    projectRoot = wanted;
    // Before it is made: a store of the person's that is not recorded as theirs would count as a stranger's.
    if (fs.lstat(projectRoot) === undefined) requireTrust(fs, places.stateDir);
    const isNew = report(projectRoot, makeFolder(fs, projectRoot, 0o755));
    const ignored = join(projectRoot, ".gitignore");
    report(ignored, makeFile(fs, ignored, GITIGNORE));
    // A store that was created here is trusted; one that came with a clone waits for `sage trust`.
    if (isNew) {
      hideAge(memory, ignored);
      recordTrust(fs, places.stateDir, fs.realPath(projectRoot), "own");
    }
    // With its own store the folder may count as another project than before.
    const made = locateStores({
      cwd: dirname(projectRoot),
      home: places.home,
      env: memory.env,
      fs,
    });
    const file = join(projectRoot, "project.yaml");
    report(file, makeFile(fs, file, projectYaml(memory, made)));
    const { projectId: id, projectName: name, projectDir: root } = made;
    await rememberProject(fs, places.userRoot, { id, name, root }, LOCK_MS_MAX);
  }
  return { created, existing, projectRoot, userRoot: places.userRoot };
}

/** The person goes on without the project's store, which was deleted: it is not missed any more. */
function letGo(memory: Memory): void {
  const { fs, places } = memory;
  for (let lost = lostStore(memory); lost !== undefined; lost = lostStore(memory)) {
    recordTrust(fs, places.stateDir, lost, "unknown");
  }
}

/**
 * Sets the file's time to a random one. A later copy of the store is recognised by it (store/trust.ts),
 * and the store's own age could be read from project.yaml.
 */
function hideAge({ fs, now }: Memory, path: string): void {
  try {
    fs.setTime(path, now() - DAY_MS - Number.parseInt(randomHex(4), 16));
  } catch {
    // On a file system without times no copy is recognised.
  }
}

/** Before anything is made: everything below the folder would become one project. */
function refuseTooWide(memory: Memory): void {
  const dir = dirname(wantedRoot(memory));
  const what = tooWide(memory, dir);
  if (what === undefined || memory.fs.lstat(join(dir, STORE_NAME)) !== undefined) return;
  throw new SageError("usage", `Cannot make a project of "${dir}": it is ${what}`, {
    hint: "go to the project's folder first; sage init --user makes your own store alone",
  });
}

/** Folders in which many projects lie. The home folder is handled apart: its store is the person's. */
export function tooWide({ fs, env }: Memory, dir: string): string | undefined {
  if (dirname(dir) === dir) return "the whole disk";
  if (dirname(dirname(dir)) === dirname(dir) && ["home", "Users"].includes(basename(dir))) {
    return "the folder of everybody's home";
  }
  const temporary = ["/tmp", "/var/tmp", env("TMPDIR"), env("TEMP"), env("TMP")];
  const isTemporary = temporary.some((one) =>
    one !== undefined && one !== "" && realRoot(fs, slashed(one)) === dir
  );
  return isTemporary ? "the folder for temporary files" : undefined;
}

/** A repository below a foreign store is a project of its own; on a whole disk any folder is. */
function wantedRoot(memory: Memory): string {
  const { project, projectDir, repository, here } = memory.places;
  if (project !== undefined && tooWide(memory, project.dir) !== undefined) {
    return join(repository ?? here, STORE_NAME);
  }
  const isBelow = project !== undefined && repository !== undefined &&
    repository.startsWith(`${project.dir === "/" ? "" : project.dir}/`);
  if (isBelow) return join(repository, STORE_NAME);
  return project?.root ?? join(projectDir, STORE_NAME);
}

function projectYaml(memory: Memory, places: Places): string {
  const remote = readGit(memory.fs, places.projectDir)?.remote;
  const entries: readonly (readonly [string, string])[] = [
    ["id", places.projectId],
    ["name", places.projectName],
    ["created", rfc3339(memory.now())],
    ...(remote === undefined ? [] : [["remote", remote] as const]),
  ];
  return entries.map(([key, value]) => `${key}: ${renderScalar(value)}\n`).join("");
}

/** Creates the store; false where it exists. */
function makeFolder(fs: Fs, path: string, mode: number): boolean {
  const info = fs.lstat(path);
  if (info?.kind === "dir") return false;
  if (info !== undefined) {
    throw new SageError("io", `Cannot make the folder "${path}": something else is there`, {
      hint: "move it away, then repeat",
    });
  }
  fs.makeDir(path, mode);
  return true;
}

function makeFile(fs: Fs, path: string, text: string): boolean {
  if (fs.lstat(path) !== undefined) return false;
  writeNew(fs, path, encode(text), 0o644);
  return true;
}
