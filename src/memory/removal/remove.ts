/** Removes a note by moving it to the trash; forget.ts erases. */
import { DAY_MS, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { TRASH_DAYS } from "../../base/limits.ts";
import { frontText } from "../../note/front_values.ts";
import type { NoteKind } from "../../note/note.ts";
import { trashNote } from "../../store/trash.ts";
import { findNamed, type NotFound } from "../find.ts";
import { refuseAgentRemoval } from "../knowledge/agent_limits.ts";
import type { Memory } from "../memory.ts";
import { type NoteRef, refOf } from "../item.ts";
import type { Author } from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { recordUse } from "../use.ts";

type RemoveOutcome =
  | NoteRef & { readonly kind: "removed"; readonly restore_until: string }
  | NotFound;

export async function removeNote(
  memory: Memory,
  ref: string,
  kinds?: readonly NoteKind[],
  options: { readonly expectedHash?: string; readonly author?: Author } = {},
): Promise<RemoveOutcome> {
  const found = await findNamed(memory, ref, kinds);
  if (found.kind !== "one") return found;
  const { store, loaded, note, hash } = found.item;
  refuseAgentRemoval(memory, found.item, options.author);
  const isSeen = (options.expectedHash ?? hash) === hash;
  if (!isSeen || (await trashNote(store, loaded)).kind === "conflict") {
    throw new SageError(
      "conflict",
      `Cannot remove "${note.id}": the file changed while it was read`,
      { hint: "look at it again, then repeat" },
    );
  }
  const trigger = note.kind === "checkpoint" ? frontText(note.front, "trigger") : undefined;
  recordUse(memory, "removed", note.id, trigger);
  await indexSaved(memory, store, found.item.path);
  const until = memory.now() + TRASH_DAYS * DAY_MS;
  return { kind: "removed", ...refOf(note), restore_until: rfc3339(until) };
}
