/**
 * Forgetting: the note, its versions, copies, trash, inbox, index, transcript copies and log lines,
 * then a tombstone with hashes and no content, so that nothing which runs later brings it back.
 */
import { shortId } from "../base/id.ts";
import { writeLog } from "../base/log.ts";
import { eraseNote } from "../store/erase.ts";
import { loadNote } from "../store/store.ts";
import { addTombstone } from "../store/tombstones.ts";
import { listTrash } from "../store/trash.ts";
import { sentenceHashes } from "./clean_draft.ts";
import { findNote, type Nearest } from "./find.ts";
import { type StoredNote, toStored } from "./item.ts";
import type { Memory } from "./memory.ts";
import { dropReferences } from "./references.ts";
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
  if (found.kind === "many") return found;
  const item = found.kind === "one" ? found.item : await findInTrash(memory, ref);
  if (item === undefined) return { kind: "none", nearest: "nearest" in found ? found.nearest : [] };
  const { id, title } = item.note;
  // The tombstone first: a crash from here on leaves a note that is still to be erased, never one
  // that comes back.
  const { stateDir } = memory.places;
  addTombstone(memory.fs, stateDir, { id, contentHash: item.hash });
  for (const contentHash of sentenceHashes(item.note.body)) {
    addTombstone(memory.fs, stateDir, { contentHash });
  }
  const places = await eraseNote(item.store, id);
  const remove = [...new Set([item.path, ...places])];
  memory.index(item.store).apply({ put: [], remove, erase: true }, memory.embedder());
  places.push(...await dropReferences(memory, id), ...forgetInState(memory, id, item.note));
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "forget", { short_id: shortId(id) });
  return { kind: "forgotten", id, shortId: shortId(id), title, places };
}

/** What was removed is out of every answer, but not yet gone: that is what forgetting is for. */
async function findInTrash(memory: Memory, ref: string): Promise<StoredNote | undefined> {
  const wanted = ref.trim().normalize("NFC").replace(/\.md$/, "");
  for (const store of memory.stores) {
    if (memory.fs.lstat(store.root) === undefined) continue;
    for (const { trash } of listTrash(store)) {
      if (!trash.endsWith(".md")) continue;
      const loaded = await loadNote(store, trash).catch(() => undefined);
      const id = loaded?.note.id;
      if (loaded === undefined || id === undefined) continue;
      if (id === wanted || shortId(id) === wanted) return toStored(store, loaded);
    }
  }
  return undefined;
}
