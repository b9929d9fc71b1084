/** Records which notes of a recall an agent was shown whole: it may save one of them without reading it again. */
import { readKnowledge } from "../../note/knowledge.ts";
import { loadNote } from "../../store/load.ts";
import { type StoredNote, toStored } from "../item.ts";
import { type Memory, storesThere } from "../memory.ts";
import { recordRead } from "../write/last_read.ts";
import { rememberMergeBase } from "../write/merge_base.ts";
import { withoutPrivate } from "../write/public_part.ts";
import type { RecallItem } from "./answer.ts";

export async function recordShownWhole(
  memory: Memory,
  items: readonly RecallItem[],
): Promise<void> {
  const known: RecallItem[] = [];
  for (const item of items.filter(({ type }) => type === "knowledge")) {
    const stored = await storedAt(memory, item.path);
    if (stored?.hash !== item.hash) continue;
    if (readKnowledge(withoutPrivate(stored.note)).content.trim() !== item.text) continue;
    rememberMergeBase(memory, stored);
    known.push(item);
  }
  recordRead(memory, memory.session, known);
}

/** Undefined for a note that is gone, or lies in no store of this project and this person. */
async function storedAt(memory: Memory, path: string): Promise<StoredNote | undefined> {
  const store = storesThere(memory).find(({ root }) => path.startsWith(`${root}/`));
  if (store === undefined) return undefined;
  const loaded = await loadNote(store, path.slice(store.root.length + 1)).catch(() => undefined);
  return loaded && toStored(store, loaded);
}
