/** Putting knowledge away and taking it back: its file stays where it is, and says so. */
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../outcome.ts";
import { patchKnowledge, type PatchOutcome } from "./patch.ts";

/** Out of recall and lists; search finds it, marked. */
export async function archiveKnowledge(
  memory: Memory,
  stored: StoredNote,
  author: Author,
): Promise<PatchOutcome> {
  const patch = { kind: "set", key: "status", value: "archived" } as const;
  return await patchKnowledge(memory, stored, [patch], author, {
    reason: `archived by ${author.by}`,
  });
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
