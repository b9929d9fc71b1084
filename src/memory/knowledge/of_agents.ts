/** What of a note is not an agent's to change. */
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author, NotSaved } from "../outcome.ts";

/** Why this author may not change that note, or undefined. */
export function refusedToAgent(
  memory: Memory,
  stored: StoredNote,
  author: Author,
): NotSaved | undefined {
  if (author.by === "person" || author.accepted === true) return undefined;
  if (isOfThisProject(memory, stored)) return undefined;
  return {
    kind: "excluded",
    reason: "that note is of every project, so it is the person's to change: `sage knowledge add`",
  };
}

/** What lies in the user's store without a project, or with another one, holds elsewhere too. */
export function isOfThisProject(memory: Memory, { store, note }: StoredNote): boolean {
  return store.scope === "project" || memory.places.projectIds.includes(note.project ?? "");
}
