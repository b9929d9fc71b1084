/**
 * Moves old checkpoints to the trash. Planned and shown first, then done as planned; a note that
 * was changed or moved since stays.
 */
import { parseTime } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { trashNote } from "../../store/trash.ts";
import { readEntry } from "../index/entries.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";
import { checkpointEntries, type CheckpointItem, toCheckpointItem } from "./list.ts";

interface PruneRule {
  /** How many of the newest stay. */
  readonly keep?: number;
  /** Younger ones stay. */
  readonly olderThanMs?: number;
}

export interface PrunePlan {
  readonly remove: readonly StoredNote[];
  /** Old enough, but pinned by a person. */
  readonly pinned: readonly CheckpointItem[];
  readonly kept: number;
}

interface PruneReport {
  readonly removed: readonly CheckpointItem[];
  readonly skipped: readonly { readonly item: CheckpointItem; readonly reason: string }[];
}

/** What the rule would remove: with both parts, only what neither of them keeps. */
export async function planPrune(memory: Memory, rule: PruneRule): Promise<PrunePlan> {
  const entries = await checkpointEntries(memory);
  const remove: StoredNote[] = [];
  const pinned: CheckpointItem[] = [];
  for (const { note, store } of entries.slice(rule.keep ?? 0)) {
    if (!isOldEnough(memory, note.created, rule)) continue;
    const stored = await readEntry({ note, store });
    if (stored === undefined || stored.note.problem !== undefined) continue;
    if (stored.note.pinned) pinned.push(toCheckpointItem(stored));
    else remove.push(stored);
  }
  return { remove, pinned, kept: entries.length - remove.length };
}

/** A note that does not say when it was made is never old. */
function isOldEnough(memory: Memory, created: string, { olderThanMs }: PruneRule): boolean {
  if (olderThanMs === undefined) return true;
  const at = parseTime(created);
  return at !== undefined && memory.now() - at > olderThanMs;
}

export async function prune(memory: Memory, plan: PrunePlan): Promise<PruneReport> {
  const removed: CheckpointItem[] = [];
  const skipped: { item: CheckpointItem; reason: string }[] = [];
  for (const stored of plan.remove) {
    const item = toCheckpointItem(stored);
    try {
      const outcome = await trashNote(stored.store, stored.loaded);
      if (outcome.kind === "trashed") removed.push(item);
      else skipped.push({ item, reason: "it changed meanwhile" });
    } catch (error) {
      if (!(error instanceof SageError) || error.code !== "not_found") throw error;
      skipped.push({ item, reason: "it is gone already" });
    }
  }
  for (const store of memory.stores) {
    if (plan.remove.some((stored) => stored.store === store)) await indexSaved(memory, store);
  }
  return { removed, skipped };
}
