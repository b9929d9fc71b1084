/** What an agent may not change in a note. */
import { SageError } from "../../base/errors.ts";
import { isOfProject } from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author, NotSaved } from "../write/outcome.ts";

/** Why this author may not change that note; undefined if they may. */
export function refusedToAgent(
  memory: Memory,
  stored: StoredNote,
  author: Author,
): Extract<NotSaved, { readonly kind: "excluded" }> | undefined {
  if (author.by === "person" || author.accepted === true) return undefined;
  if (isOfProject(memory, stored)) return undefined;
  const of = stored.note.project === undefined ? "every project" : "another project";
  return {
    kind: "excluded",
    reason: `that note belongs to ${of}, so only the person changes it, with \`sage knowledge\``,
  };
}

/** Throws where an agent may not move this note to the trash. Without an author nobody is refused. */
export function refuseAgentRemoval(
  memory: Memory,
  stored: StoredNote,
  author: Author | undefined,
): void {
  const { kind, id } = stored.note;
  const refused = kind === "knowledge" && author !== undefined
    ? refusedToAgent(memory, stored, author)
    : undefined;
  if (refused === undefined) return;
  throw new SageError("refused", `Cannot remove "${id}": ${refused.reason}`, {
    hint: "ask the person",
  });
}
