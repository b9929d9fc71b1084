/**
 * That questions wait is said when a session starts, and not again that day: which ones, and when.
 * Loads next to nothing, for every start asks.
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
const DAYS_MAX = 3;

const NAME = "questions/told.json";

/** Ids of the questions that were told today. */
export function toldToday(fs: Fs, stateDir: string, nowMs: number): readonly string[] {
  const told = readState<Told>(fs, stateDir, NAME);
  return told?.day === localDay(nowMs) ? told.ids : [];
}

/** Whether a question was told on enough days. */
export function isToldEnough(fs: Fs, stateDir: string): (id: string) => boolean {
  const { days = {} } = readState<Told>(fs, stateDir, NAME) ?? {};
  return (id) => (days[id] ?? 0) >= DAYS_MAX;
}

/** They stand in what a session was told just now. */
export function markTold(fs: Fs, stateDir: string, nowMs: number, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const today = toldToday(fs, stateDir, nowMs);
  const { days = {} } = readState<Told>(fs, stateDir, NAME) ?? {};
  const fresh = ids.filter((id) => !today.includes(id));
  writeState(fs, stateDir, NAME, {
    day: localDay(nowMs),
    ids: [...today, ...fresh],
    days: { ...days, ...Object.fromEntries(fresh.map((id) => [id, (days[id] ?? 0) + 1])) },
  });
}

/** When the day is over, and what still waits is told again. */
export function nextDay(nowMs: number): number {
  return localDayStart(nowMs, -1);
}
