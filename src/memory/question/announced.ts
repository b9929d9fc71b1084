/**
 * Which questions were announced, and on which day: a session's start announces each once a day.
 * Loads next to nothing, because every start asks.
 */
import { localDay, localDayStart } from "../../base/clock.ts";
import type { Fs } from "../../base/fs.ts";
import { readState, writeState } from "../../store/state.ts";

interface Told {
  /** `2026-01-13` in the person's time zone. */
  readonly day: string;
  readonly ids: readonly string[];
  /** On how many days each question was announced, that one included. */
  readonly days?: Readonly<Record<string, number>>;
}

/**
 * After this many days without an answer a question is not announced any more; `sage inbox` still lists it.
 */
export const ANNOUNCED_DAYS_MAX = 3;

const NAME = "questions/told.json";
/** The counts of questions announced longest ago are dropped. */
const KEPT_MAX = 500;

/** The questions announced today, and the counts of days. */
export function readAnnounced(
  fs: Fs,
  stateDir: string,
  nowMs: number,
): { readonly today: readonly string[]; readonly days: Readonly<Record<string, number>> } {
  const { day, ids = [], days = {} } = readState<Partial<Told>>(fs, stateDir, NAME) ?? {};
  return { today: day === localDay(nowMs) ? ids : [], days };
}

/** Records what a session was told just now. */
export function markAnnounced(
  fs: Fs,
  stateDir: string,
  nowMs: number,
  ids: readonly string[],
): void {
  if (ids.length === 0) return;
  const { today, days } = readAnnounced(fs, stateDir, nowMs);
  const fresh = ids.filter((id) => !today.includes(id));
  const others = Object.entries(days).filter(([id]) => !fresh.includes(id));
  const counted = fresh.map((id): [string, number] => [id, (days[id] ?? 0) + 1]);
  writeState(fs, stateDir, NAME, {
    day: localDay(nowMs),
    ids: [...today, ...fresh],
    days: Object.fromEntries([...others, ...counted].slice(-KEPT_MAX)),
  });
}

/** When the day is over, and open questions are announced again. */
export function nextDay(nowMs: number): number {
  return localDayStart(nowMs, -1);
}
