/**
 * If nothing is known here: what recall would find in other projects. Only pointers, because those notes are
 * about another project; an agent that opens one is told so, and that is recorded.
 */
import { refreshOtherProjects } from "../other_projects.ts";
import { indexedItem, type NoteItem } from "../item.ts";
import { listProjects } from "../../store/projects.ts";
import type { Memory } from "../memory.ts";
import { gatherCandidates } from "./candidates.ts";

export interface Pointer extends NoteItem {
  readonly score: number;
  /** The project's name. */
  readonly of: string;
}

const POINTERS_MAX = 3;

export async function recallElsewhere(
  memory: Memory,
  query: string,
  also: readonly string[] = [],
): Promise<Pointer[]> {
  const others = await refreshOtherProjects(memory);
  const names = new Map(others.map(({ store, project }) => [store, project.name]));
  const known = await listProjects(memory.fs, memory.places.userRoot);
  const { scored } = await gatherCandidates(memory, query, { also, elsewhere: [...names.keys()] });
  const threshold = memory.config.get("retrieval.recall_threshold");
  return scored.filter(({ score }) => score >= threshold).slice(0, POINTERS_MAX).map((
    { candidate: { note }, store, score },
  ) => ({
    ...indexedItem(store, note),
    score,
    of: names.get(store) ?? known.find(({ id }) => id === note.project)?.name ?? note.project ?? "",
  }));
}
