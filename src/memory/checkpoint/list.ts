/** The timeline: checkpoints, newest first. */
import { type Checkpoint, readCheckpoint } from "../../note/checkpoint.ts";
import { catalogue } from "../catalogue.ts";
import { type Entry, isHere, newestFirst, readEntry } from "../entries.ts";
import { type NoteItem, type StoredNote, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../open_part.ts";

export interface CheckpointItem extends NoteItem {
  readonly trigger: string;
  readonly confidence: number;
  readonly messages?: number;
  readonly tokens?: number;
  readonly session?: string;
  readonly parent?: string;
  readonly thesis: string;
}

export async function listCheckpoints(
  memory: Memory,
  options: { readonly limit?: number; readonly all?: boolean } = {},
): Promise<CheckpointItem[]> {
  const entries = await checkpointEntries(memory, options.all ?? false);
  const items: CheckpointItem[] = [];
  for (const entry of entries.slice(0, options.limit ?? entries.length)) {
    const stored = await readEntry(entry);
    if (stored !== undefined) items.push(toCheckpointItem(stored));
  }
  return items;
}

/** The checkpoints of this project, or of every project in reach, newest first. */
export async function checkpointEntries(memory: Memory, all = false): Promise<Entry[]> {
  const entries = await catalogue(memory, ["checkpoint"]);
  return entries.filter((entry) => !entry.note.problem && (all || isHere(memory, entry))).sort(
    newestFirst,
  );
}

export function toCheckpointItem(stored: StoredNote): CheckpointItem {
  const note = withoutPrivate(stored.note);
  const checkpoint: Checkpoint = readCheckpoint(note);
  return {
    ...toItem({ ...stored, note }),
    trigger: checkpoint.trigger,
    confidence: checkpoint.confidence,
    ...(checkpoint.messages === undefined ? {} : { messages: checkpoint.messages }),
    ...(checkpoint.tokens === undefined ? {} : { tokens: checkpoint.tokens }),
    ...(checkpoint.session === undefined ? {} : { session: checkpoint.session }),
    ...(checkpoint.parent === undefined ? {} : { parent: checkpoint.parent }),
    thesis: checkpoint.thesis,
  };
}
