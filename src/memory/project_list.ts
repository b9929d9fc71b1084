/** The projects that Sage has seen, the last seen first. */
import { listProjects, type Project } from "../store/projects.ts";
import type { Memory } from "./memory.ts";

export interface ProjectItem {
  readonly id: string;
  readonly name: string;
  /** The project's folder. */
  readonly root: string;
  readonly last_seen: string;
  /** Whether it is the one that is asked. */
  readonly current: boolean;
}

export async function knownProjects({ fs, places }: Memory): Promise<ProjectItem[]> {
  const projects = await listProjects(fs, places.userRoot);
  return projects.map(({ id, name, root, lastSeen }: Project) => ({
    id,
    name,
    root,
    last_seen: lastSeen,
    current: places.projectIds.includes(id),
  }));
}
