/** Explanations that fade: in full the first time a concept is met, a line up to the fifth, then never. */
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../base/limits.ts";
import { readState, updateState } from "../store/state.ts";
import type { Memory } from "./memory.ts";

interface Concept {
  readonly full: readonly string[];
  readonly short: readonly string[];
}

const CONCEPTS = {
  orientation: {
    full: [
      "- Sage keeps this project's memory across sessions: search_notes and sage_recall_knowledge look things up.",
      "- It saves before compaction and at turning points by itself; sage_save_checkpoint saves on request.",
    ],
    short: ["- search_notes looks things up; sage_save_checkpoint saves on request."],
  },
} as const satisfies Record<string, Concept>;

/** Up to here a short reminder is given. */
const REMINDERS_MAX = 4;

/** Whether nothing is said of the concept any more. */
export function isExplained(memory: Memory, concept: keyof typeof CONCEPTS): boolean {
  return !memory.config.get("teaching.enabled") || timesMet(memory, concept) > REMINDERS_MAX;
}

/** Whether the concept was met before. */
export function wasExplained(memory: Memory, concept: keyof typeof CONCEPTS): boolean {
  return timesMet(memory, concept) > 0;
}

/** What to say of a concept now; whoever says it counts the meeting. */
export function explanationOf(memory: Memory, concept: keyof typeof CONCEPTS): readonly string[] {
  if (isExplained(memory, concept)) return [];
  return wasExplained(memory, concept) ? CONCEPTS[concept].short : CONCEPTS[concept].full;
}

export function countMeeting(
  { fs, places, hook }: Memory,
  concept: keyof typeof CONCEPTS,
): void {
  try {
    updateState<{ readonly count: number }>(
      fs,
      places.stateDir,
      seenName(concept),
      (old) => ({ count: (old?.count ?? 0) + 1 }),
      { deadlineMs: hook ? LOCK_HOOK_MS_MAX : LOCK_MS_MAX },
    );
  } catch {
    // Said once more than needed: no harm.
  }
}

function timesMet({ fs, places }: Memory, concept: keyof typeof CONCEPTS): number {
  return readState<{ readonly count: number }>(fs, places.stateDir, seenName(concept))?.count ?? 0;
}

function seenName(concept: keyof typeof CONCEPTS): string {
  return `seen/${concept}.json`;
}
