/** Where a search looks: the stores that are here, those of other projects where they are asked for. */
import type { Store } from "../store/handle.ts";
import { isCalled, listProjects, type Project } from "../store/projects.ts";
import { type Memory, storesThere } from "./memory.ts";
import { refreshExternals } from "./external_sources.ts";

export interface Reach {
  /** Of each store the projects whose notes are meant, "" for those of none; undefined: all. */
  readonly projects: ReadonlyMap<Store, readonly string[] | undefined>;
  /** The stores that belong to other projects. */
  readonly others: ReadonlyMap<Store, Project>;
}

/** `wanted`: only of the project of that id or name; `isAll`: of every project. */
export async function reachOf(
  memory: Memory,
  wanted: string | undefined,
  isAll: boolean,
): Promise<Reach> {
  const here = [...storesThere(memory), ...await refreshExternals(memory)];
  const others = await otherProjects(memory, wanted, isAll);
  const named = await idsOf(memory, wanted);
  const projects = new Map<Store, readonly string[] | undefined>();
  for (const store of here) projects.set(store, projectsOf(memory, store, named, isAll));
  for (const store of others.keys()) projects.set(store, undefined);
  return { projects, others };
}

export function inReach(
  { projects }: Reach,
  store: Store,
  note: { readonly project?: string | undefined },
): boolean {
  return projects.get(store)?.includes(note.project ?? "") ?? true;
}

/** Stores of other projects, where all are wanted or one is named that is not this. */
async function otherProjects(
  memory: Memory,
  wanted: string | undefined,
  isAll: boolean,
): Promise<ReadonlyMap<Store, Project>> {
  const isElsewhere = wanted !== undefined && !isThis(memory, wanted);
  if (!isAll && !isElsewhere) return new Map();
  const { refreshOtherProjects: readyElsewhere } = await import("./other_projects.ts");
  return new Map(
    (await readyElsewhere(memory, wanted)).map(({ store, project }) => [store, project]),
  );
}

/** All ids of the project that is named by an id or by its name. */
async function idsOf(
  memory: Memory,
  wanted: string | undefined,
): Promise<readonly string[] | undefined> {
  if (wanted === undefined) return undefined;
  if (isThis(memory, wanted)) return memory.places.projectIds;
  const known = (await listProjects(memory.fs, memory.places.userRoot)).filter((project) =>
    isCalled(project, wanted)
  );
  return [wanted, ...known.flatMap(({ id, former = [] }) => [id, ...former])];
}

function isThis({ places: { projectIds, projectName } }: Memory, wanted: string): boolean {
  return projectIds.includes(wanted) || projectName.toLowerCase() === wanted.toLowerCase();
}

function projectsOf(
  { places: { projectId, projectIds } }: Memory,
  store: Store,
  named: readonly string[] | undefined,
  isAll: boolean,
): readonly string[] | undefined {
  // What lies in a project's own store is of it, whatever the note says, or does not.
  if (store.scope === "project" && (named?.includes(projectId) ?? true)) return undefined;
  return named ?? (isAll ? undefined : ["", ...projectIds]);
}
