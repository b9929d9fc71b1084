/** Creates the stores a person asked for, and says what was there already. Everything else makes nothing. */
import { encode, type Fs, join } from "../base/fs.ts";
import { rfc3339 } from "../base/clock.ts";
import { renderScalar } from "../base/yaml_render.ts";
import { readGit } from "../store/git.ts";
import { recordTrust } from "../store/trust.ts";
import { rememberProject } from "../store/projects.ts";
import type { Memory } from "./memory.ts";

export interface InitReport {
  readonly created: readonly string[];
  readonly existing: readonly string[];
  readonly projectRoot: string | undefined;
  readonly userRoot: string;
}

/** Private notes for this project only; never in git. */
const IGNORES = "local/\n.inbox/\n.trash/\n";

export async function initStores(
  memory: Memory,
  options: { readonly project?: boolean } = {},
): Promise<InitReport> {
  const { fs, places } = memory;
  const created: string[] = [];
  const existing: string[] = [];
  makeFolder(fs, places.userRoot, 0o700, created, existing);
  let projectRoot: string | undefined;
  if (options.project ?? true) {
    projectRoot = places.project?.root ?? join(places.projectDir, ".sage");
    const isNew = makeFolder(fs, projectRoot, 0o755, created, existing);
    makeFile(fs, join(projectRoot, "project.yaml"), projectYaml(memory), created, existing);
    makeFile(fs, join(projectRoot, ".gitignore"), IGNORES, created, existing);
    // Only what was made here is one's own; a store that came with a clone waits for `sage trust`.
    if (isNew) recordTrust(fs, places.stateDir, fs.realPath(projectRoot), "own");
    const { projectId: id, projectName: name, projectDir: root } = places;
    await rememberProject(fs, places.userRoot, { id, name, root });
  }
  return { created, existing, projectRoot, userRoot: places.userRoot };
}

function projectYaml(memory: Memory): string {
  const { places } = memory;
  const remote = readGit(memory.fs, places.projectDir)?.remote;
  const entries: readonly (readonly [string, string])[] = [
    ["id", places.projectId],
    ["name", places.projectName],
    ["created", rfc3339(memory.now())],
    ...(remote === undefined ? [] : [["remote", remote] as const]),
  ];
  return entries.map(([key, value]) => `${key}: ${renderScalar(value)}\n`).join("");
}

function makeFolder(
  fs: Fs,
  path: string,
  mode: number,
  created: string[],
  existing: string[],
): boolean {
  if (fs.lstat(path) !== undefined) {
    existing.push(path);
    return false;
  }
  fs.makeDir(path, mode);
  created.push(path);
  return true;
}

function makeFile(fs: Fs, path: string, text: string, created: string[], existing: string[]): void {
  if (fs.lstat(path) !== undefined) return void existing.push(path);
  const file = fs.open(path, { write: true, createNew: true, mode: 0o644 });
  try {
    file.write(encode(text));
    file.sync();
  } finally {
    file.close();
  }
  created.push(path);
}
