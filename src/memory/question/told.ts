/**
 * That questions wait is said when a session starts, and not again that day: which ones, and when.
 * Loads next to nothing, for every start asks.
 */
import { DAY_MS, parseTime, utcDay } from "../../base/clock.ts";
import type { Fs } from "../../base/fs.ts";
import { readState, writeState } from "../../store/state.ts";

interface Told {
  /** `2026-01-13`. */
  readonly day: string;
  readonly ids: readonly string[];
}

const NAME = "questions/told.json";

/** Ids of the questions that were told today. */
export function toldToday(fs: Fs, stateDir: string, nowMs: number): readonly string[] {
  const told = readState<Told>(fs, stateDir, NAME);
  return told?.day === utcDay(nowMs) ? told.ids : [];
}

/** They stand in what a session was told just now. */
export function markTold(fs: Fs, stateDir: string, nowMs: number, ids: readonly string[]): void {
  if (ids.length === 0) return;
  const all = new Set([...toldToday(fs, stateDir, nowMs), ...ids]);
  writeState(fs, stateDir, NAME, { day: utcDay(nowMs), ids: [...all] });
}

/** When the day is over, and what still waits is told again. */
export function nextDay(nowMs: number): number {
  return (parseTime(utcDay(nowMs)) ?? nowMs) + DAY_MS;
}
