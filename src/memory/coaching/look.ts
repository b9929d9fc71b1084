/**
 * Looks for a tip when a session ends: at most once a day, and not before five sessions have passed
 * since the last tip. A tip that was given and not followed is never repeated.
 */
import { LOCK_HOOK_MS_MAX } from "../../base/limits.ts";
import { readLog } from "../../base/log.ts";
import { neutralize } from "../../base/text/printable.ts";
import { collapse } from "../../base/text/text.ts";
import { cutTokens } from "../../base/text/tokens.ts";
import { readState, updateState } from "../../store/state.ts";
import { isExcluded } from "../write/capture.ts";
import type { Memory } from "../memory.ts";
import { LOOKED_AT_DAYS, PATTERNS } from "./patterns.ts";
import { COACHING, type Coaching, NO_COACHING, type Tip } from "./tip.ts";

/** At most one tip in this many sessions. */
export const SESSIONS_APART = 5;
const LOOK_MS_MIN = 20 * 3_600_000;
const TOKENS_MAX = 100;

export async function lookForTip(memory: Memory): Promise<void> {
  const { fs, places } = memory;
  const old = readState<Coaching>(fs, places.stateDir, COACHING) ?? NO_COACHING;
  const isQuiet = !memory.config.get("teaching.enabled") ||
    memory.config.get("output.level") === "silent" || await isExcluded(memory);
  const sessions = old.sessions + 1;
  const isDue = !isQuiet && sessions >= SESSIONS_APART && old.next === undefined &&
    Math.abs(memory.now() - old.lookedAt) >= LOOK_MS_MIN;
  const tip = isDue ? findTip(memory, old) : undefined;
  updateState<Coaching>(fs, places.stateDir, COACHING, (now = NO_COACHING) => {
    const { next, ...rest } = now;
    const waiting = isQuiet ? undefined : tip ?? next;
    return {
      ...rest,
      sessions: now.sessions + 1,
      ...(isDue ? { lookedAt: memory.now() } : {}),
      ...(waiting === undefined ? {} : { next: waiting }),
    };
  }, { deadlineMs: LOCK_HOOK_MS_MAX });
}

function findTip(memory: Memory, { told }: Coaching): Tip | undefined {
  const receipts = readLog(memory.fs, memory.places.stateDir, memory.now(), LOOKED_AT_DAYS)
    .filter(({ event, project }) =>
      event === "hook" && memory.places.projectIds.includes(String(project))
    );
  for (const pattern of PATTERNS) {
    const before = told.filter((one) => one.pattern === pattern.name);
    const last = before.at(-1);
    // It was given and not followed: the person knows, and prefers it otherwise.
    if (last !== undefined && !pattern.isHeeded(memory, receipts, last.about, last.at)) continue;
    const known = before.map(({ about }) => about);
    const found = pattern.find(memory, receipts).find(({ about }) => !known.includes(about));
    if (found === undefined) continue;
    return { ...found, pattern: pattern.name, text: printable(found.text) };
  }
  return undefined;
}

/** Safe for a terminal, because the text may quote a note's title. */
function printable(text: string): string {
  return cutTokens(collapse(neutralize(`Sage: ${text}`)), TOKENS_MAX);
}
