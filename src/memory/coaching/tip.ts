/**
 * The tip that waits for the next session's start, and those given before. Apart from the code that
 * finds tips, because every start looks here and nearly none has one to give.
 */
import { LOCK_HOOK_MS_MAX } from "../../base/limits.ts";
import type { Fs } from "../../base/fs.ts";
import { readState, removeState, updateState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";

export interface Tip {
  /** The pattern of use behind it. */
  readonly pattern: string;
  /** What it is about, where that is one of several: a note's id. */
  readonly about: string;
  readonly text: string;
}

export interface Coaching {
  /** Newest last. */
  readonly told: readonly (Omit<Tip, "text"> & { readonly at: number })[];
  /** Sessions that ended since the last tip. */
  readonly sessions: number;
  /** When patterns were looked for last. */
  readonly lookedAt: number;
  readonly next?: Tip;
}

export const COACHING = "seen/coaching.json";
export const NO_COACHING: Coaching = { told: [], sessions: 0, lookedAt: 0 };
const TOLD_MAX = 50;

/** Returns the tip that waits and records it as given; undefined if none waits, as nearly always. */
export function takeTip(fs: Fs, stateDir: string, nowMs: number): string | undefined {
  try {
    if (readState<Coaching>(fs, stateDir, COACHING)?.next === undefined) return undefined;
    let text: string | undefined;
    updateState<Coaching>(fs, stateDir, COACHING, (now = NO_COACHING) => {
      const { next, ...rest } = now;
      if (next === undefined) return now;
      text = next.text;
      const told = { pattern: next.pattern, about: next.about, at: nowMs };
      return { ...rest, sessions: 0, told: [...rest.told, told].slice(-TOLD_MAX) };
    }, { deadlineMs: LOCK_HOOK_MS_MAX });
    return text;
  } catch {
    // A tip that cannot be recorded as given is not given: twice would be worse than never.
    return undefined;
  }
}

/** Forgets which tips were given, so that they may come again. True if there were any. */
export function forgetTips({ fs, places }: Memory): boolean {
  return removeState(fs, places.stateDir, COACHING);
}
