/** The projects that Sage has seen, the last seen first, and finding one by name. */
import { SageError } from "../../base/errors.ts";
import { nearest } from "../../base/text/text.ts";
import { listProjects, type Project } from "../../store/projects.ts";
import type { Memory } from "../memory.ts";

export interface ProjectItem {
  readonly id: string;
  readonly name: string;
  /** The project's folder. */
  readonly root: string;
  readonly last_seen: string;
  /** Whether it is this project. */
  readonly current: boolean;
  /** Whether its folder is still there. */
  readonly exists: boolean;
}

export async function knownProjects({ fs, places }: Memory): Promise<ProjectItem[]> {
  const projects = await listProjects(fs, places.userRoot);
  const isListed = projects.some(({ root }) => root === places.projectDir);
  return projects.map(({ id, name, root, lastSeen }: Project) => {
    const current = places.projectIds.includes(id);
    const isHere = fs.lstat(root)?.kind === "dir";
    // Moved since anything was saved in it.
    const isMoved = current && !isHere && !isListed;
    return {
      id,
      name,
      root: isMoved ? places.projectDir : root,
      last_seen: lastSeen,
      current,
      exists: isHere || isMoved,
    };
  });
}

/** By id, name, or a prefix of either; of a project with several checkouts, all. */
export async function findProjects(memory: Memory, wanted: string): Promise<ProjectItem[]> {
  const all = (await knownProjects(memory)).filter(({ exists }) => exists);
  const typed = wanted.trim().toLowerCase();
  const steps: readonly ((item: ProjectItem) => boolean)[] = [
    ({ id, root }) => id === wanted.trim() || root === wanted.trim(),
    ({ name }) => name.toLowerCase() === typed,
    ({ id, name }) => name.toLowerCase().startsWith(typed) || id.startsWith(typed),
  ];
  for (const step of typed === "" ? [] : steps) {
    const fits = all.filter(step);
    if (fits.length > 0) return fits;
  }
  const meant = nearest(wanted, all.map(({ name }) => name));
  throw new SageError("not_found", `No project is called "${wanted}"`, {
    hint: meant === undefined
      ? "sage project list shows those that Sage has seen"
      : `did you mean "${meant}"? sage project list shows all`,
  });
}
