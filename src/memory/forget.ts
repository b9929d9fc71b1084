/**
 * Forgetting: the note, its versions, copies, trash, inbox, index, transcript copies and log lines,
 * then a tombstone with hashes and no content, so that nothing which runs later brings it back.
 */
import { shortId } from "../base/id.ts";
import { writeLog } from "../base/log.ts";
import { eraseNote } from "../store/erase.ts";
import { addTombstone } from "../store/tombstones.ts";
import { sentenceHashes } from "./clean_draft.ts";
import { findNote, type Nearest } from "./find.ts";
import type { StoredNote } from "./item.ts";
import type { Memory } from "./memory.ts";
import { forgetInState } from "./session/forget_state.ts";

export type ForgetOutcome =
  | {
    readonly kind: "forgotten";
    readonly id: string;
    readonly shortId: string;
    readonly title: string;
    /** Every place that held it. */
    readonly places: readonly string[];
  }
  | { readonly kind: "none"; readonly nearest: readonly Nearest[] }
  | { readonly kind: "many"; readonly items: readonly StoredNote[] };

export async function forget(memory: Memory, ref: string): Promise<ForgetOutcome> {
  const found = await findNote(memory, ref);
  if (found.kind !== "one") return found;
  const { item } = found;
  const { id, title } = item.note;
  // The tombstone first: a crash from here on leaves a note that is still to be erased, never one
  // that comes back.
  const { stateDir } = memory.places;
  addTombstone(memory.fs, stateDir, { id, contentHash: item.hash });
  for (const contentHash of sentenceHashes(item.note.body)) {
    addTombstone(memory.fs, stateDir, { contentHash });
  }
  const places = await eraseNote(item.store, id);
  memory.index(item.store).apply({ put: [], remove: [item.path], erase: true }, memory.embedder());
  places.push(...forgetInState(memory, id, item.note));
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "forget", { short_id: shortId(id) });
  return { kind: "forgotten", id, shortId: shortId(id), title, places };
}
