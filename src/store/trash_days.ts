/**
 * Counts on how many days Sage has seen an entry in the trash. Each day on which Sage runs counts once, so a
 * clock that is off by years adds one day only, while by time alone everything would expire.
 */
import { utcDay } from "../base/clock.ts";
import { fieldsOf, isObject } from "../base/fields.ts";
import { LOCK_HOOK_MS_MAX, TRASH_DAYS } from "../base/limits.ts";
import type { Store } from "./handle.ts";
import { readState, updateState } from "./state.ts";

/** Days are counted for all stores together. */
interface Seen {
  /** The number of days counted so far. */
  readonly days: number;
  /** The last counted days, so that a clock that goes back and forth does not count one twice. */
  readonly lately: readonly string[];
  /** For each store and entry, the value of `days` when the entry was first seen. */
  readonly since: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const NAME = "trash.json";
const LATELY_MAX = 64;
/**
 * Entries of a store that was not seen for so many days are dropped: a store in use empties its trash long
 * before. If it comes back, its days are counted from 0.
 */
const GONE_DAYS = 3 * TRASH_DAYS;

/** Records what is in the trash today. Returns how many counted days ago an entry was first seen. */
export function noteTrash(
  store: Store,
  entries: readonly string[],
  nowMs: number,
  dryRun: boolean,
): (entry: string) => number {
  const { fs, stateDir } = store;
  const note = (old: unknown): Seen => seenOn(wholeOf(old), store.id, entries, utcDay(nowMs));
  const old = readState<Seen>(fs, stateDir, NAME);
  let seen = note(old);
  if (seen !== old && !dryRun && (old !== undefined || entries.length > 0)) {
    try {
      seen = updateState<Seen>(fs, stateDir, NAME, note, { deadlineMs: LOCK_HOOK_MS_MAX });
    } catch {
      // A full disk, for instance, whose trash should be emptied all the same: entries that are not
      // recorded stay a day longer.
    }
  }
  return (entry) => seen.days - (seen.since[store.id]?.[entry] ?? seen.days);
}

/** A damaged file counts as missing. */
function wholeOf(read: unknown): Seen | undefined {
  const { days, lately, since } = fieldsOf(read);
  const isWhole = Number.isInteger(days) && Array.isArray(lately) && isObject(since) &&
    Object.values(since).every(isObject);
  return isWhole ? read as Seen : undefined;
}

/** The record after seeing these entries on a day; `old` itself if nothing is new. */
function seenOn(
  old: Seen | undefined,
  storeId: string,
  entries: readonly string[],
  day: string,
): Seen {
  const { days: before, lately, since } = old ?? { days: 0, lately: [], since: {} };
  const isNew = !lately.includes(day);
  const { [storeId]: known = {}, ...others } = since;
  const isKnown = Object.keys(known).length === entries.length &&
    entries.every((entry) => known[entry] !== undefined);
  if (old !== undefined && !isNew && isKnown) return old;
  const days = before + (isNew ? 1 : 0);
  const own = Object.fromEntries(entries.map((entry) => [entry, known[entry] ?? days]));
  const kept = Object.fromEntries(
    Object.entries(others).filter(([, noted]) =>
      days - Math.max(...Object.values(noted)) < GONE_DAYS
    ),
  );
  return {
    days,
    lately: isNew ? [...lately, day].slice(-LATELY_MAX) : lately,
    since: entries.length === 0 ? kept : { ...kept, [storeId]: own },
  };
}
