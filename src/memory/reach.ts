/** Where a search looks: the stores here, and those of other projects where asked for. */
import type { Store } from "../store/handle.ts";
import { isCalled, listProjects, type Project } from "../store/projects.ts";
import { type Memory, storesThere } from "./memory.ts";
import { refreshOutsides } from "./outside/sources.ts";

export interface Reach {
  /** By store: ids of the projects whose notes count, "" for notes of no project; undefined for all. */
  readonly projects: ReadonlyMap<Store, readonly string[] | undefined>;
  /** The stores of other projects. */
  readonly others: ReadonlyMap<Store, Project>;
}

/** `wanted`: id or name of a project; `isAll`: every project. */
export async function reachOf(
  memory: Memory,
  wanted: string | undefined,
  isAll: boolean,
): Promise<Reach> {
  const here = [...storesThere(memory), ...await refreshOutsides(memory)];
  const others = await storesElsewhere(memory, wanted, isAll);
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

/** Stores of other projects, where all are wanted or another one is named. */
async function storesElsewhere(
  memory: Memory,
  wanted: string | undefined,
  isAll: boolean,
): Promise<ReadonlyMap<Store, Project>> {
  const isElsewhere = wanted !== undefined && !isThis(memory, wanted);
  if (!isAll && !isElsewhere) return new Map();
  const { refreshOtherProjects } = await import("./other_projects.ts");
  const found = await refreshOtherProjects(memory, wanted);
  return new Map(found.map(({ store, project }) => [store, project]));
}

/** All ids of a project, by id or name. */
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
  // A project's own store belongs to it, whatever the note says.
  if (store.scope === "project" && (named?.includes(projectId) ?? true)) return undefined;
  return named ?? (isAll ? undefined : ["", ...projectIds]);
}
