/** The timeline: checkpoints, newest first, optionally filtered. */
import { parseTime } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { shortId } from "../../base/id.ts";
import { readCheckpoint, readTrigger, type Trigger } from "../../note/checkpoint.ts";
import { catalogue, extraField, relatedCatalogue, type RelatedEntry } from "../catalogue.ts";
import {
  afterCursor,
  type Entry,
  isHere,
  isListed,
  newestFirst,
  type Page,
  readEntry,
} from "../index/entries.ts";
import { type NoteItem, type StoredNote, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";

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
  /** Of all projects in reach. */
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
  return (await checkpointPage(memory, filter)).items;
}

/** `total`: how many match the filter, whatever its limit. */
export async function checkpointPage(
  memory: Memory,
  filter: TimelineFilter,
): Promise<{ readonly items: CheckpointItem[]; readonly total: number }> {
  const { trigger, skill } = filter;
  // These two are in the front matter only; for the other filters the index has fields of its own.
  const entries = trigger === undefined && skill === undefined
    ? within(memory, await catalogue(memory, KINDS), filter)
    : chosen(memory, await relatedCatalogue(memory, KINDS), filter);
  const items: CheckpointItem[] = [];
  for (const entry of afterCursor(entries, filter.cursor)) {
    if (items.length >= (filter.limit ?? Infinity)) break;
    const stored = await readEntry(entry);
    if (stored !== undefined) items.push(toCheckpointItem(stored));
  }
  return { items, total: entries.length };
}

const KINDS = ["checkpoint"] as const;

function chosen(
  memory: Memory,
  entries: readonly RelatedEntry[],
  filter: TimelineFilter,
): RelatedEntry[] {
  const { trigger, skill } = filter;
  return within(memory, entries, filter).filter((entry) =>
    (trigger === undefined || readTrigger(extraField(entry, "trigger")) === trigger) &&
    (skill === undefined || extraField(entry, "skill") === skill)
  );
}

function within<E extends Entry>(
  memory: Memory,
  entries: readonly E[],
  { all = false, session = "", sinceMs = -Infinity, untilMs = Infinity }: TimelineFilter,
): E[] {
  const isOfAnyTime = sinceMs === -Infinity && untilMs === Infinity;
  return timeline(memory, entries, all).filter(({ note }) => {
    if (!(note.session ?? "").startsWith(session)) return false;
    const at = isOfAnyTime ? undefined : parseTime(note.created);
    return isOfAnyTime || (at !== undefined && at >= sinceMs && at < untilMs);
  });
}

/** The checkpoints of this project, or of every project in reach, newest first. */
export async function checkpointEntries(
  memory: Memory,
  { all = false }: { readonly all?: boolean } = {},
): Promise<Entry[]> {
  return timeline(memory, await catalogue(memory, KINDS), all);
}

function timeline<E extends Entry>(memory: Memory, entries: readonly E[], all: boolean): E[] {
  return entries.filter((entry) => isListed(entry) && (all || isHere(memory, entry))).sort(
    newestFirst,
  );
}

export function toCheckpointItem(stored: StoredNote): CheckpointItem {
  const note = withoutPrivate(stored.note);
  const checkpoint = readCheckpoint(note);
  const { trigger, confidence, thesis, messages, tokens, session, skill, parent, git } = checkpoint;
  const parentShortId = parent === undefined ? undefined : shortId(parent);
  return {
    ...toItem({ ...stored, note }),
    trigger,
    confidence,
    ...defined({ messages, tokens, session, skill, parent, parent_short_id: parentShortId }),
    ...defined({ branch: git?.branch }),
    thesis,
  };
}
