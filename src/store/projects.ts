/**
 * The registry of projects that Sage has seen: `projects.yaml` in the user store, for people to read and
 * for Sage to find other projects. Always written in one plain form, which `formerIds` relies on; a file
 * that cannot be read is never rewritten.
 */
import { writeAtomic } from "../base/atomic.ts";
import { now, parseTime, rfc3339 } from "../base/clock.ts";
import { SageError, systemError } from "../base/errors.ts";
import { type Fs, readIfFile } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decodeExact, encode } from "../base/utf8.ts";
import { defined, nonEmpty } from "../base/defined.ts";
import { sha256Hex } from "../base/hash.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import { compareText } from "../base/text/text.ts";
import { loadYaml, YamlError } from "../base/yaml/parse.ts";
import { renderScalar } from "../base/yaml/render.ts";
import { readSimpleYaml } from "../base/yaml/simple.ts";
import { isMapping, isSequence, type YamlMap, type YamlValue } from "../base/yaml/value.ts";
import { frontLines } from "../note/front_values.ts";
import { type GitState, readGit, repositoryMark } from "./git/git.ts";

export interface Project {
  readonly id: string;
  readonly name: string;
  /** The project's folder. */
  readonly root: string;
  /** RFC 3339. */
  readonly lastSeen: string;
  /** Its ids from before its remote was renamed or removed; notes may have them. */
  readonly former?: readonly string[];
  /** What it is recognised by apart from its path: `placeMark` in a repository, else `folderMark`. */
  readonly repository?: string;
}

/** The part of it that a caller knows. */
export type SeenProject = Pick<Project, "id" | "name" | "root">;

const HEADER = "# Projects that Sage has seen. Machine-made; may be edited or deleted.\n";
/** A project that is seen again sooner is not recorded again. */
const SEEN_MS_MIN = 3600 * 1000;
/** How the mark of a folder begins; that of a repository begins with a digit. */
const FOLDER = "folder-";
/** Former ids of a project; of more, the oldest are dropped. */
const FORMER_MAX = 8;
/** Of more projects, those that were not seen for longest are dropped. */
const PROJECTS_MAX = 200;
/** Larger than what Sage writes: six keys a project, and room for what people add by hand. */
const LIMITS = { bytesMax: 256 * 1024, keysMax: PROJECTS_MAX * 10 };

/** All known projects, the last seen first. */
export async function listProjects(fs: Fs, userRoot: string): Promise<Project[]> {
  const text = readText(fs, userRoot);
  if (text === undefined) return [];
  return toProjects(readSimpleYaml(text, LIMITS) ?? await loadOrThrow(text));
}

/** Whether `wanted` is the project's id, a former one, or its name. */
export function isCalled({ id, name, former = [] }: Project, wanted: string): boolean {
  return [id, ...former].includes(wanted) || name.toLowerCase() === wanted.toLowerCase();
}

/**
 * Records that a project was seen now. Returns false when there was nothing to write. `deadlineMs`: how long to
 * wait for others, longer where a person asked for it.
 */
export async function rememberProject(
  fs: Fs,
  userRoot: string,
  project: SeenProject,
  deadlineMs = LOCK_HOOK_MS_MAX,
): Promise<boolean> {
  const known = await listProjects(fs, userRoot);
  if (known.some((other) => isSame(other, project) && !isOld(other))) return false;
  return note(fs, userRoot, project, { known, claimed: [], deadlineMs });
}

/** Records that notes with these ids belong to this project, because a person said so. */
export async function claimIds(
  fs: Fs,
  userRoot: string,
  project: SeenProject,
  ids: readonly string[],
): Promise<void> {
  const known = await listProjects(fs, userRoot);
  note(fs, userRoot, project, { known, claimed: ids, deadlineMs: LOCK_MS_MAX });
}

function note(
  fs: Fs,
  userRoot: string,
  project: SeenProject,
  { known, claimed, deadlineMs }: {
    readonly known: readonly Project[];
    readonly claimed: readonly string[];
    readonly deadlineMs: number;
  },
): boolean {
  const lock = join(userRoot, "state", "locks", "projects.lock");
  const how = { deadlineMs, holder: "sage" };
  // Read again under the lock; `known` stands in for a file that only the full YAML parser could read.
  return withLock(fs, lock, how, () => {
    const text = readText(fs, userRoot);
    const read = text === undefined ? [] : toProjectsOrNothing(text);
    const all = read ?? known;
    // Drops this project's other entry if its folder is gone, because then it was moved. Two clones may
    // have one id.
    const marks = marksOf(fs, project.root, readGit(fs, project.root));
    const others = all.filter((other) =>
      other.root !== project.root && !claimed.includes(other.id) &&
      !isMovedHere(fs, other, marks) &&
      (other.id !== project.id || fs.lstat(other.root)?.kind === "dir")
    );
    const [repository] = marks;
    const former = [...new Set([...claimed, ...idsOf(fs, all, project.root, marks)])]
      .filter((id) => id !== project.id);
    const seen = {
      ...project,
      lastSeen: rfc3339(now()),
      ...defined({ former: nonEmpty(former.slice(0, FORMER_MAX)), repository }),
    };
    writeProjects(fs, userRoot, [seen, ...others]);
    return true;
  });
}

/**
 * The former ids of the project in a folder, from the registry. Quick, because every hook locates its
 * project; empty if the registry is unreadable or was reformatted by hand.
 */
export function formerIds(
  fs: Fs,
  userRoot: string,
  root: string,
  git: GitState | undefined,
): string[] {
  try {
    const text = readText(fs, userRoot);
    if (text === undefined) return [];
    const marks = marksOf(fs, root, git);
    const signs = [
      `\n    root: ${renderScalar(root)}\n`,
      ...marks.map((mark) => `\n    repository: ${mark}\n`),
    ];
    const blocks = text.split(/^(?= {2}- )/m).filter((one) =>
      signs.some((sign) => one.includes(sign))
    );
    if (blocks.length === 0) return [];
    const known = toProjectsOrNothing(`projects:\n${blocks.join("")}`) ?? [];
    return idsOf(fs, known, root, marks);
  } catch {
    return [];
  }
}

/** By any of these the project in a folder is recognised; by the first it is recorded. */
function marksOf(fs: Fs, root: string, git: GitState | undefined): string[] {
  return [placeMark(fs, root, git), folderMark(fs, root)].filter((mark) => mark !== undefined);
}

/** Identifies a folder that may be renamed. The inode alone may be another folder's by now. */
function folderMark(fs: Fs, root: string): string | undefined {
  const { inode = 0, bornMs = 0 } = fs.lstat(root) ?? {};
  return inode === 0 || bornMs === 0 ? undefined : `${FOLDER}${inode}-${bornMs}`;
}

/** Identifies a repository and the folder in it: different folders of one repository are different projects. */
function placeMark(fs: Fs, root: string, git: GitState | undefined): string | undefined {
  const mark = repositoryMark(fs, git);
  const top = [git?.top, git?.mainCheckout].find((one) => root.startsWith(`${one}/`));
  if (mark === undefined || top === undefined) return mark;
  return `${mark}-${sha256Hex(root.slice(top.length)).slice(0, 8)}`;
}

/**
 * All ids of the project at `root` according to the registry: of the entry with one of its marks, in
 * this folder or in one that is gone, because it was moved here. Of an entry without a mark in this folder,
 * only the ids that a person claimed. An entry with another mark is of a repository that was here before.
 */
function idsOf(
  fs: Fs,
  known: readonly Project[],
  root: string,
  marks: readonly string[],
): string[] {
  return known.filter((project) =>
    project.root === root
      ? project.repository === undefined || isOf(marks, project)
      : isMovedHere(fs, project, marks)
  ).flatMap((project) => {
    const { id, former = [] } = project;
    return isOf(marks, project) ? [id, ...former] : former;
  });
}

function isOf(marks: readonly string[], { repository }: Project): boolean {
  return repository !== undefined && marks.includes(repository);
}

/** A folder is itself, whatever is at its former path by now; of a repository there may be two clones. */
function isMovedHere(fs: Fs, project: Project, marks: readonly string[]): boolean {
  return isOf(marks, project) &&
    (project.repository?.startsWith(FOLDER) === true || fs.lstat(project.root) === undefined);
}

function isSame(a: SeenProject, b: SeenProject): boolean {
  return a.id === b.id && a.name === b.name && a.root === b.root;
}

/** Whether it is time to record the project again; a time in the future came from a wrong clock. */
function isOld({ lastSeen }: Project): boolean {
  return Math.abs(now() - (parseTime(lastSeen) ?? 0)) > SEEN_MS_MIN;
}

function writeProjects(fs: Fs, userRoot: string, projects: readonly Project[]): void {
  const lines = projects.slice(0, PROJECTS_MAX).map((project) =>
    `  - id: ${renderScalar(project.id)}\n    name: ${renderScalar(project.name)}\n` +
    `    root: ${renderScalar(project.root)}\n    last_seen: ${project.lastSeen}\n` +
    (project.repository === undefined ? "" : `    repository: ${project.repository}\n`) +
    (project.former === undefined
      ? ""
      : `    former: [${project.former.map((id) => renderScalar(id, true)).join(", ")}]\n`)
  );
  const head = `${HEADER}projects:\n`;
  let room = LIMITS.bytesMax - encode(head).length;
  // With long paths fewer projects fit: an oversized file could not be read again.
  const fitting = lines.filter((line) => (room -= encode(line).length) >= 0);
  const bytes = encode(head + fitting.join(""));
  try {
    writeAtomic(fs, registryPath(userRoot), bytes, { mode: 0o600, durable: true });
  } catch (error) {
    throw systemError(error, `write "${registryPath(userRoot)}"`);
  }
}

function readText(fs: Fs, userRoot: string): string | undefined {
  const path = registryPath(userRoot);
  try {
    const bytes = readIfFile(fs, path, LIMITS.bytesMax + 1);
    if (bytes === undefined) return undefined;
    const text = decodeExact(bytes);
    if (text !== undefined) return text;
  } catch (error) {
    throw systemError(error, `read "${path}"`);
  }
  throw invalid("it is not valid UTF-8");
}

async function loadOrThrow(text: string): Promise<YamlValue> {
  try {
    return await loadYaml(text, LIMITS);
  } catch (error) {
    throw error instanceof YamlError ? invalid(error.message) : error;
  }
}

function toProjectsOrNothing(text: string): Project[] | undefined {
  const map = readSimpleYaml(text, LIMITS);
  return map === undefined ? undefined : toProjects(map);
}

function toProjects(value: YamlValue): Project[] {
  if (!isMapping(value) && value !== "") throw invalid("it has no `projects`");
  const list = isMapping(value) ? value.get("projects") : undefined;
  if (list === undefined || list === "") return [];
  if (!isSequence(list)) throw invalid("`projects` is no list");
  return list.flatMap((item) => isMapping(item) ? toProject(item) : [])
    .sort((a, b) => compareText(b.lastSeen, a.lastSeen));
}

function toProject(map: YamlMap): Project[] {
  const field = (key: string): string => {
    const value = map.get(key);
    return typeof value === "string" ? value : "";
  };
  const [id, root, repository] = [field("id"), field("root"), field("repository")];
  const former = frontLines(map, "former");
  if (id === "" || root === "") return [];
  return [{
    id,
    name: field("name") || id,
    root,
    lastSeen: field("last_seen"),
    ...defined({ former: nonEmpty(former), repository: repository || undefined }),
  }];
}

function invalid(reason: string): SageError {
  return new SageError("invalid_config", `Cannot read projects.yaml: ${reason}`, {
    hint: "mend it or delete it; it is made again",
  });
}

function registryPath(userRoot: string): string {
  return join(userRoot, "projects.yaml");
}
