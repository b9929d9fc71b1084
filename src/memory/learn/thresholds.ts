/**
 * Thresholds that move with use: slowly, within fixed bounds, and only on enough evidence. If most of what
 * detection saved was used, it may save more; if most was never used, less. Shown by `sage config explain`
 * and `sage admin feedback`; a person's own setting overrides them.
 */
import { DAY_MS } from "../../base/clock.ts";
import { type Key, setting } from "../../config/keys.ts";
import { readLearned, withinBounds } from "../../config/learned.ts";
import { INFLECTIONS } from "../../detect/trigger/signal.ts";
import { readStateOrThrow, removeState, writeState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";
import { countUses, type Tallies } from "./tally.ts";
import { forgetUntilNow } from "./since.ts";

/** What learning may move. */
export const LEARNED_KEYS = [
  "detection.structural_alone",
  "detection.structural_confirmed",
] as const satisfies readonly Key[];

/** Fewer verdicts than this prove nothing. */
const VERDICTS_MIN = 10;
/** Counted as this many more verdicts, half good and half bad, so that single verdicts weigh little. */
const PRIOR = 10;
/** The largest step, so that a week of one kind of work does not change much. */
const STEP_MAX = 0.01;
/** Steps are at least this far apart. */
const STEP_MS_MIN = DAY_MS;
const STATE = "feedback/learned.json";

interface Verdicts {
  readonly good: number;
  readonly bad: number;
}

function verdictsOf(tallies: Tallies): Verdicts {
  let [good, bad] = [0, 0];
  for (const trigger of INFLECTIONS) {
    good += tallies[trigger].used;
    bad += tallies[trigger].removed + tallies[trigger].unused;
  }
  return { good, bad };
}

/** The threshold one step on from `now`; `now` itself if there are too few verdicts. */
export function nextValue(
  row: { readonly default: number; readonly learnsWithin: number },
  now: number,
  { good, bad }: Verdicts,
): number {
  if (good + bad < VERDICTS_MIN) return now;
  const share = (good + PRIOR / 2) / (good + bad + PRIOR);
  // All good: the lower bound, all bad: the upper one.
  const wanted = row.default + (0.5 - share) * 2 * row.learnsWithin;
  return now + Math.min(STEP_MAX, Math.max(-STEP_MAX, wanted - now));
}

/** Takes a step if one is due. Returns the keys that moved. */
export async function learnThresholds(memory: Memory): Promise<readonly Key[]> {
  const { fs, places } = memory;
  const last = readStateOrThrow<{ readonly at?: unknown }>(fs, places.stateDir, STATE)?.at;
  if (typeof last === "number" && Math.abs(memory.now() - last) < STEP_MS_MIN) return [];
  const { tallies } = await countUses(memory);
  const verdicts = verdictsOf(tallies);
  const known = readLearned(fs, places.userRoot).values;
  const moved: Key[] = [];
  const values: Record<string, number> = { at: memory.now() };
  for (const key of LEARNED_KEYS) {
    const row = setting(key);
    if (row.kind !== "number" || row.learnsWithin === undefined) continue;
    const now = known.get(key) ?? row.default;
    const bounded = { default: row.default, learnsWithin: row.learnsWithin };
    const next = withinBounds(row, nextValue(bounded, now, verdicts)) ?? now;
    if (next !== now) moved.push(key);
    if (next !== row.default) values[key] = next;
  }
  // Written even if nothing moved, because its date says when to look again.
  writeState(fs, places.stateDir, STATE, values);
  return moved;
}

/** Back to the defaults: uses until now no longer count. */
export function forgetLearned(memory: Memory): void {
  forgetUntilNow(memory);
  removeState(memory.fs, memory.places.stateDir, STATE);
}
