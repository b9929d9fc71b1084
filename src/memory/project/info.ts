/** The facts about one project: how it is identified, its other checkouts, its notes. */
import { canonicalRemote, readGit } from "../../store/git/git.ts";
import { catalogue } from "../catalogue.ts";
import { isHere, isListed, isOfProject } from "../index/entries.ts";
import { indexedItem, type NoteItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { readSharing, type Sharing } from "../team/share.ts";
import { knownProjects, type ProjectItem } from "./list.ts";
import { readProjectFile } from "./file.ts";

export interface ProjectInfo {
  readonly id: string;
  readonly name: string;
  /** The project's folder; for a worktree that of the main checkout. */
  readonly dir: string;
  /** The worktree that the command ran in, if that is another folder. */
  readonly worktree: string | undefined;
  /** What the id follows from. */
  readonly known_by: "project.yaml" | "git remote" | "folder";
  readonly remote: string | undefined;
  readonly forked_from: string | undefined;
  /** Other ids by which notes may know it. */
  readonly other_ids: readonly string[];
  readonly store: { readonly root: string; readonly trust: string } | undefined;
  /** Other folders that hold the same project. */
  readonly checkouts: readonly ProjectItem[];
  /** Notes of this project by kind, as the lists show them. */
  readonly counts: Readonly<Record<string, number>>;
  readonly pinned: readonly NoteItem[];
  readonly sharing: Sharing;
  /** Why project.yaml says nothing. */
  readonly problem: string | undefined;
}

export async function projectInfo(memory: Memory): Promise<ProjectInfo> {
  const { fs, places, project } = memory;
  const entries = (await catalogue(memory)).filter((entry) =>
    isHere(memory, entry) && isListed(entry)
  );
  const counts: Record<string, number> = {};
  // Notes for every project count for none.
  for (const { note } of entries.filter((entry) => isOfProject(memory, entry))) {
    counts[note.kind] = (counts[note.kind] ?? 0) + 1;
  }
  const git = readGit(fs, places.projectDir);
  const isRepository = git?.top === places.projectDir || git?.mainCheckout === places.projectDir;
  const { remote, upstream } = isRepository ? git : {};
  const { id, problem } = project === undefined
    ? { id: undefined, problem: undefined }
    : await readProjectFile(fs, project.home);
  const isStated = id === places.projectId && project?.trust !== "unknown";
  return {
    id: places.projectId,
    name: places.projectName,
    dir: places.projectDir,
    worktree: places.checkoutDir === places.projectDir ? undefined : places.checkoutDir,
    known_by: isStated ? "project.yaml" : remote === undefined ? "folder" : "git remote",
    remote: remote === undefined ? undefined : canonicalRemote(remote),
    forked_from: upstream === undefined ? undefined : canonicalRemote(upstream),
    other_ids: places.projectIds.filter((other) => other !== places.projectId),
    store: project === undefined ? undefined : { root: project.root, trust: project.trust },
    checkouts: (await knownProjects(memory)).filter((other) =>
      other.id === places.projectId && other.root !== places.projectDir && other.exists
    ),
    counts,
    pinned: entries.filter(({ note }) => note.pinned).map(({ store, note }) =>
      indexedItem(store, note)
    ),
    sharing: readSharing(memory),
    problem: project?.trust === "unknown"
      ? "this store is not trusted, so its project.yaml is ignored"
      : problem,
  };
}
