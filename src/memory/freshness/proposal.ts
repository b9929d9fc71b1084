/**
 * Once a month, at a session's start, one line has the agent ask the person about archiving old notes.
 * Whether there are any is looked up when a session ends, so that a start pays only when there is
 * something to say.
 */
import { age, DAY_MS } from "../../base/clock.ts";
import { isExcluded } from "../write/capture.ts";
import type { Memory } from "../memory.ts";
import { quote } from "../recalled.ts";
import type { Candidate } from "../session/orientation/pack.ts";
import { agedOfProject, ageMs } from "./freshness.ts";
import { readFreshnessState, updateFreshnessState } from "./state.ts";

/** The least time between two questions in one project. */
const ASKED_MS_MIN = 30 * DAY_MS;
/** The least time between two looks. */
const LOOKED_MS_MIN = 20 * 3_600_000;
const NAMED_MAX = 2;

/** Looks whether the next start has something to ask, at most once a day. */
export async function lookForAged(memory: Memory): Promise<void> {
  const now = memory.now();
  const { looked = 0, asked = 0 } = readFreshnessState(memory);
  if (Math.abs(now - looked) < LOOKED_MS_MIN || Math.abs(now - asked) < ASKED_MS_MIN) return;
  const isQuiet = memory.config.get("output.level") === "silent" || await isExcluded(memory);
  const waits = !isQuiet && agedOfProject(memory).length > 0;
  updateFreshnessState(memory, (state) => ({ ...state, looked: now, waits }));
}

/** The line for a session's start; undefined if nothing is old enough any more. */
export function archiveProposal(memory: Memory): Candidate | undefined {
  const aged = agedOfProject(memory);
  if (aged.length === 0) return undefined;
  const titles = aged.slice(0, NAMED_MAX).map(({ note }) => quote(note.title, 60));
  const others = aged.length - titles.length;
  const named = titles.join(", ") + (others === 0 ? "" : ` and ${others} more`);
  return {
    priority: 4.6,
    asks: true,
    text:
      `- Not updated for ${age(0, ageMs(memory))} or more: ${named}. Ask the person once whether ` +
      "to archive: y `sage admin prune --stale --yes`, n nothing, review `sage admin prune --stale`.",
  };
}
