/**
 * Which questions were announced, and on which day: a session's start announces each once a day.
 * Loads next to nothing, because every start asks.
 */
import { localDay, localDayStart } from "../../base/clock.ts";
import type { Fs } from "../../base/fs.ts";
import { readState, writeState } from "../../store/state.ts";

interface Told {
  /** `2026-01-13`, where the person is. */
  readonly day: string;
  readonly ids: readonly string[];
  /** On how many days each was told, that one included. */
  readonly days?: Readonly<Record<string, number>>;
}

/** Whoever did not answer on so many days is not asked at a start any more; `sage inbox` keeps it. */
export const ANNOUNCED_DAYS_MAX = 3;

const NAME = "questions/told.json";
/** Of the others, told longest ago, it is not known any more on how many days. */
const KEPT_MAX = 500;

/** Ids of the questions that were told today, and of each on how many days. */
export function readAnnounced(
  fs: Fs,
  stateDir: string,
  nowMs: number,
): { readonly today: readonly string[]; readonly days: Readonly<Record<string, number>> } {
  const { day, ids = [], days = {} } = readState<Partial<Told>>(fs, stateDir, NAME) ?? {};
  return { today: day === localDay(nowMs) ? ids : [], days };
}

/** They stand in what a session was told just now. */
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

/** When the day is over, and what still waits is told again. */
export function nextDay(nowMs: number): number {
  return localDayStart(nowMs, -1);
}
