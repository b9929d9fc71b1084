/**
 * What sessions remember about a project's old notes: the last look, the last question, and which notes
 * a person wants to keep, by hash. A small file of its own, because every start may read it.
 */
import type { Fs } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../../base/limits.ts";
import { readState, updateState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";

const FRESHNESS_FOLDER = "freshness";

/** Times are milliseconds. */
interface FreshnessState {
  readonly looked?: number;
  /** When the person was last asked, or decided unasked. */
  readonly asked?: number;
  /** There is something to ask. */
  readonly waits?: boolean;
  /** When a note was said to be kept. */
  readonly kept?: Readonly<Record<string, number>>;
  /** When a note was first found stale. */
  readonly stale?: Readonly<Record<string, number>>;
}

/** The state of the project in a folder. */
export function freshnessName(projectDir: string): string {
  return `${FRESHNESS_FOLDER}/${sha256Hex(projectDir).slice(0, 16)}.json`;
}

export function readFreshnessState({ fs, places }: Memory): FreshnessState {
  return readState<FreshnessState>(fs, places.stateDir, freshnessName(places.projectDir)) ?? {};
}

export function updateFreshnessState(
  memory: Memory,
  change: (state: FreshnessState) => FreshnessState,
): void {
  const { fs, places, hook } = memory;
  const how = { deadlineMs: hook ? LOCK_HOOK_MS_MAX : LOCK_MS_MAX };
  const name = freshnessName(places.projectDir);
  updateState<FreshnessState>(fs, places.stateDir, name, (old) => change(old ?? {}), how);
}

/** Records that the person was asked: not again for a month. */
export function settleAsked(fs: Fs, stateDir: string, projectDir: string, nowMs: number): void {
  updateState<FreshnessState>(fs, stateDir, freshnessName(projectDir), (old) => ({
    ...old,
    asked: nowMs,
    waits: false,
  }), { deadlineMs: LOCK_HOOK_MS_MAX });
}
