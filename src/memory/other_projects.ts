/**
 * Notes of other projects, for callers that ask for them. Covers projects that Sage has seen, in
 * stores that the person trusts. Read only. Notes of other projects in the person's own store are
 * in reach without this.
 */
import { SageError } from "../base/errors.ts";
import { shortId } from "../base/id.ts";
import { join } from "../base/path.ts";
import { openStore, type Store } from "../store/handle.ts";
import { loadNote } from "../store/load.ts";
import { locateStores } from "../store/locate.ts";
import { isCalled, listProjects, type Project } from "../store/projects.ts";
import { placeOf } from "../store/vault.ts";
import type { Entry } from "./index/entries.ts";
import { type StoredNote, toStored } from "./item.ts";
import type { Memory } from "./memory.ts";
import { refreshStore } from "./index/reindex.ts";

/** The store of another project. */
interface OtherProject {
  readonly project: Project;
  readonly store: Store;
}

/** More are of no use, and each costs a walk over its files. */
const PROJECTS_MAX = 24;

/** The stores of other projects, the last seen first. `wanted`: id or name of a project. */
export async function otherProjects(
  memory: Memory,
  wanted?: string,
  most = PROJECTS_MAX,
): Promise<OtherProject[]> {
  const { fs, places } = memory;
  const projects = (await listProjects(fs, places.userRoot)).filter((project) =>
    !places.projectIds.includes(project.id) && (wanted === undefined || isCalled(project, wanted))
  );
  const found: OtherProject[] = [];
  for (const project of projects) {
    if (found.length === most) break;
    const root = join(project.root, ".sage");
    if (root === places.userRoot || fs.lstat(root)?.kind !== "dir") continue;
    const { stateDir, holder, hook } = memory.user;
    const vault = placeOf(places.vault, [project.id]);
    const projectId = project.id;
    const shared = { stateDir, holder, hook, fs, projectId };
    const store = openStore({ root, vault, scope: "project", ...shared });
    if (store.trust !== "unknown") found.push({ project, store });
  }
  return found;
}

/** The same, with their indexes refreshed, each by its own ignore rules. */
export async function refreshOtherProjects(
  memory: Memory,
  wanted?: string,
): Promise<OtherProject[]> {
  memory.restsOnMore?.();
  const found = await otherProjects(memory, wanted);
  for (const { project, store } of found) {
    const { env, fs, places: { home } } = memory;
    const places = locateStores({ cwd: project.root, home, env, fs });
    await refreshStore({ ...memory, places, settled: undefined }, store);
  }
  return found;
}

/** Notes of other projects by whole id, short id or file, because ids made of titles repeat. */
export async function findInOtherProjects(memory: Memory, ref: string): Promise<StoredNote[]> {
  const wanted = ref.trim();
  const found: StoredNote[] = [];
  if (wanted === "") return found;
  for (const { store } of await refreshOtherProjects(memory)) {
    const note = memory.index(store).notes().find(({ id, path }) =>
      id === wanted || shortId(id) === wanted || join(store.root, path) === wanted
    );
    if (note === undefined) continue;
    try {
      found.push(toStored(store, await loadNote(store, note.path), note));
    } catch (error) {
      // It is gone meanwhile.
      if (!(error instanceof SageError) || error.code !== "not_found") throw error;
    }
  }
  return found;
}

/** The project of a note where it is another one: by its store, or by its own field. */
export async function projectOf(
  memory: Memory,
  { store, note }: { readonly store: Store; readonly note: Entry["note"] | StoredNote["note"] },
): Promise<Pick<Project, "id" | "name" | "root" | "former"> | undefined> {
  const { fs, places } = memory;
  const id = note.project ?? "";
  const isOurs = store.scope === "project"
    ? store.root === memory.project?.root
    : id === "" || places.projectIds.includes(id);
  if (isOurs) return undefined;
  const projects = await listProjects(fs, places.userRoot);
  if (store.scope === "project") {
    return projects.find(({ root }) => join(root, ".sage") === store.home);
  }
  return projects.find((project) => project.id === id || project.former?.includes(id)) ??
    { id, name: id, root: "" };
}
