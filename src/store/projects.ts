/**
 * The registry of projects that Sage has seen: `projects.yaml` in the user store, for people to read
 * and for Sage to find other projects by. Written in one plain form by a writer of its own; a file
 * that cannot be read is never rewritten.
 */
import { now, parseTime, rfc3339 } from "../base/clock.ts";
import { SageError, systemError } from "../base/errors.ts";
import { decodeExact, encode, type Fs, join, readBytes } from "../base/fs.ts";
import { FRONT_MATTER_BYTES_MAX, LOCK_HOOK_MS_MAX } from "../base/limits.ts";
import { withLock } from "../base/lock.ts";
import { loadYaml, YamlError, type YamlMap, type YamlValue } from "../base/yaml.ts";
import { renderScalar } from "../base/yaml_render.ts";
import { readSimpleYaml } from "../base/yaml_simple.ts";
import { writeAtomic } from "./atomic.ts";

export interface Project {
  readonly id: string;
  readonly name: string;
  /** The project's folder. */
  readonly root: string;
  /** RFC 3339. */
  readonly lastSeen: string;
}

const HEADER = "# Projects that Sage has seen. Machine-made; may be edited or deleted.\n";
/** Seen again sooner than this is not worth a write. */
const SEEN_MS_MIN = 3600 * 1000;
/** The longest unseen go first: the reader takes 64 KiB. */
const PROJECTS_MAX = 200;

/** All known projects, the last seen first. */
export async function listProjects(fs: Fs, userRoot: string): Promise<Project[]> {
  const text = readText(fs, userRoot);
  if (text === undefined) return [];
  return toProjects(readSimpleYaml(text) ?? await loadOrThrow(text));
}

/** Notes that a project was seen now. Returns false when there was nothing to write. */
export async function rememberProject(
  fs: Fs,
  userRoot: string,
  project: Omit<Project, "lastSeen">,
): Promise<boolean> {
  const known = await listProjects(fs, userRoot);
  if (known.some((other) => isSame(other, project) && !isOld(other))) return false;
  const lock = join(userRoot, "state", "locks", "projects.lock");
  const how = { deadlineMs: LOCK_HOOK_MS_MAX, holder: "sage" };
  // What was read before the lock may be old by now; what cannot be read in one go is left to next time.
  return withLock(fs, lock, how, () => {
    const text = readText(fs, userRoot);
    const read = text === undefined ? [] : toProjectsOrNothing(text);
    const others = (read ?? known).filter(({ id, root }) =>
      id !== project.id && root !== project.root
    );
    const seen = { ...project, lastSeen: rfc3339(now()) };
    writeProjects(fs, userRoot, [seen, ...others]);
    return true;
  });
}

function isSame(a: Omit<Project, "lastSeen">, b: Omit<Project, "lastSeen">): boolean {
  return a.id === b.id && a.name === b.name && a.root === b.root;
}

function isOld({ lastSeen }: Project): boolean {
  return now() - (parseTime(lastSeen) ?? 0) > SEEN_MS_MIN;
}

function writeProjects(fs: Fs, userRoot: string, projects: readonly Project[]): void {
  const lines = projects.slice(0, PROJECTS_MAX).map(({ id, name, root, lastSeen }) =>
    `  - id: ${renderScalar(id)}\n    name: ${renderScalar(name)}\n` +
    `    root: ${renderScalar(root)}\n    last_seen: ${lastSeen}\n`
  );
  const bytes = encode(`${HEADER}projects:\n${lines.join("")}`);
  try {
    writeAtomic(fs, registryPath(userRoot), bytes, { mode: 0o600, durable: true });
  } catch (error) {
    throw systemError(error, "write projects.yaml");
  }
}

function readText(fs: Fs, userRoot: string): string | undefined {
  const path = registryPath(userRoot);
  try {
    if (fs.lstat(path)?.kind !== "file") return undefined;
    const text = decodeExact(readBytes(fs, path, FRONT_MATTER_BYTES_MAX + 1));
    if (text !== undefined) return text;
  } catch (error) {
    throw systemError(error, "read projects.yaml");
  }
  throw invalid("it is not valid UTF-8");
}

async function loadOrThrow(text: string): Promise<YamlValue> {
  try {
    return await loadYaml(text);
  } catch (error) {
    throw error instanceof YamlError ? invalid(error.message) : error;
  }
}

function toProjectsOrNothing(text: string): Project[] | undefined {
  const map = readSimpleYaml(text);
  return map === undefined ? undefined : toProjects(map);
}

function toProjects(value: YamlValue): Project[] {
  const list = value instanceof Map ? value.get("projects") : undefined;
  if (list === undefined || list === "") return [];
  if (!Array.isArray(list)) throw invalid("`projects` is no list");
  return (list as readonly YamlValue[])
    .flatMap((item) => item instanceof Map ? toProject(item) : [])
    .sort((a, b) => a.lastSeen < b.lastSeen ? 1 : -1);
}

function toProject(map: YamlMap): Project[] {
  const field = (key: string): string => {
    const value = map.get(key);
    return typeof value === "string" ? value : "";
  };
  const [id, root] = [field("id"), field("root")];
  return id === "" || root === ""
    ? []
    : [{ id, name: field("name") || id, root, lastSeen: field("last_seen") }];
}

function invalid(reason: string): SageError {
  return new SageError("invalid_config", `Cannot read projects.yaml: ${reason}`, {
    hint: "mend it or delete it; it is made again",
  });
}

function registryPath(userRoot: string): string {
  return join(userRoot, "projects.yaml");
}
