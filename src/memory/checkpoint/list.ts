/** The timeline: checkpoints, newest first, all or those that fit a filter. */
import { parseTime } from "../../base/clock.ts";
import { shortId } from "../../base/id.ts";
import { type Checkpoint, readCheckpoint, type Trigger } from "../../note/checkpoint.ts";
import { catalogue, catalogued } from "../catalogue.ts";
import { behind, type Entry, isHere, newestFirst, type Page, readEntry } from "../entries.ts";
import { type NoteItem, type StoredNote, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../open_part.ts";

export interface CheckpointItem extends NoteItem {
  readonly trigger: string;
  readonly confidence: number;
  readonly messages?: number;
  readonly tokens?: number;
  readonly session?: string;
  readonly skill?: string;
  readonly parent?: string;
  readonly parent_short_id?: string;
  readonly branch?: string;
  readonly thesis: string;
}

export interface TimelineFilter extends Page {
  /** Of every project in reach. */
  readonly all?: boolean;
  readonly trigger?: Trigger;
  /** The beginning of a session's id. */
  readonly session?: string;
  readonly skill?: string;
  readonly sinceMs?: number;
  readonly untilMs?: number;
}

export async function listCheckpoints(
  memory: Memory,
  filter: TimelineFilter = {},
): Promise<CheckpointItem[]> {
  const entries = await checkpointEntries(memory, filter.all ?? false);
  const items: CheckpointItem[] = [];
  for (const entry of behind(entries, filter.cursor)) {
    if (items.length >= (filter.limit ?? Infinity)) break;
    // What the index knows is asked first; the rest stands in the file.
    if (!isWithin(entry, filter)) continue;
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const item = toCheckpointItem(stored);
    if (fits(item, filter)) items.push(item);
  }
  return items;
}

/** How many fit the filter, whatever its limit, by the index that was listed from. */
export async function countCheckpoints(memory: Memory, filter: TimelineFilter): Promise<number> {
  const { trigger, session, skill } = filter;
  if (trigger !== undefined || session !== undefined || skill !== undefined) {
    return (await listCheckpoints(memory, { ...filter, limit: Infinity })).length;
  }
  const entries = timeline(memory, catalogued(memory, ["checkpoint"]), filter.all ?? false);
  return entries.filter((entry) => isWithin(entry, filter)).length;
}

function isWithin({ note }: Entry, { sinceMs, untilMs }: TimelineFilter): boolean {
  if (sinceMs === undefined && untilMs === undefined) return true;
  const at = parseTime(note.created);
  return at !== undefined && at >= (sinceMs ?? -Infinity) && at < (untilMs ?? Infinity);
}

function fits(item: CheckpointItem, { trigger, session, skill }: TimelineFilter): boolean {
  return (trigger === undefined || item.trigger === trigger) &&
    (skill === undefined || item.skill === skill) &&
    (session === undefined || (item.session ?? "").startsWith(session));
}

/** The checkpoints of this project, or of every project in reach, newest first. */
export async function checkpointEntries(memory: Memory, all = false): Promise<Entry[]> {
  return timeline(memory, await catalogue(memory, ["checkpoint"]), all);
}

function timeline(memory: Memory, entries: readonly Entry[], all: boolean): Entry[] {
  return entries.filter((entry) => !entry.note.problem && (all || isHere(memory, entry))).sort(
    newestFirst,
  );
}

export function toCheckpointItem(stored: StoredNote): CheckpointItem {
  const note = withoutPrivate(stored.note);
  const checkpoint: Checkpoint = readCheckpoint(note);
  const { messages, tokens, session, skill, parent, git } = checkpoint;
  return {
    ...toItem({ ...stored, note }),
    trigger: checkpoint.trigger,
    confidence: checkpoint.confidence,
    ...(messages === undefined ? {} : { messages }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(session === undefined ? {} : { session }),
    ...(skill === undefined ? {} : { skill }),
    ...(parent === undefined ? {} : { parent, parent_short_id: shortId(parent) }),
    ...(git?.branch === undefined ? {} : { branch: git.branch }),
    thesis: checkpoint.thesis,
  };
}
