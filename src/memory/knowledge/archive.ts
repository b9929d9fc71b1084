/** Archives knowledge and brings it back: the file stays where it is, and says so. */
import { SageError } from "../../base/errors.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { patchKnowledge, type PatchOptions, type PatchOutcome } from "./patch.ts";

/** Archived notes are out of recall and lists; search finds them, marked. */
export async function archiveKnowledge(
  memory: Memory,
  stored: StoredNote,
  author: Author,
  options: Pick<PatchOptions, "asRead"> = {},
): Promise<PatchOutcome> {
  const patch = { kind: "set", key: "status", value: "archived" } as const;
  const reason = `archived by ${author.by}`;
  return await patchKnowledge(memory, stored, [patch], author, { ...options, reason });
}

/** Why a note that was just read could not be archived; undefined where it was. */
export async function archiveAsRead(
  memory: Memory,
  stored: StoredNote,
  author: Author,
): Promise<string | undefined> {
  try {
    const outcome = await archiveKnowledge(memory, stored, author, { asRead: true });
    switch (outcome.kind) {
      case "patched":
      case "unchanged":
        return undefined;
      case "excluded":
      case "over_cap":
        return outcome.reason;
      default:
        return "it changed meanwhile";
    }
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return error.message;
  }
}

export async function unarchiveKnowledge(
  memory: Memory,
  stored: StoredNote,
  author: Author,
): Promise<PatchOutcome> {
  const { id, title } = stored.note;
  if (stored.note.status !== "archived") return { kind: "unchanged", id, title };
  const patch = { kind: "set", key: "status", value: "active" } as const;
  const reason = `taken back from the archive by ${author.by}`;
  return await patchKnowledge(memory, stored, [patch], author, { reason });
}
