/**
 * On how many days Sage saw an entry in the trash. Each day on which Sage works counts once, so a clock
 * that is off by years adds one day, where by time alone it would add thirty.
 */
import { utcDay } from "../base/clock.ts";
import { fieldsOf, isObject } from "../base/fields.ts";
import { LOCK_HOOK_MS_MAX, TRASH_DAYS } from "../base/limits.ts";
import type { Store } from "./handle.ts";
import { readState, updateState } from "./state.ts";

/** One count for all stores: a day's work in one counts for each. */
interface Seen {
  /** How many there were. */
  readonly days: number;
  /** The last days counted: a clock that goes to and fro shows the same ones again. */
  readonly lately: readonly string[];
  /** By store: on which day an entry was first seen. */
  readonly since: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const NAME = "trash.json";
const LATELY_MAX = 64;
/**
 * A store in use empties its trash long before; for one that is gone this many days are kept, and counted
 * anew if it comes back.
 */
const GONE_DAYS = 3 * TRASH_DAYS;

/** Records what is in the trash today, and tells how many days ago each was first seen. */
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
      // On a full disk, for instance, which should be cleared all the same: unrecorded entries stay a
      // day longer.
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

/** The same value where nothing is new. */
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
