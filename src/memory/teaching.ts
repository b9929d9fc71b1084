/**
 * Explanations that fade: in full the first time a concept is met, one line up to the fifth time, then
 * never. How much is said at all is for the person to set (`output.level`): nothing, this, or always
 * everything.
 */
import { LOCK_HOOK_MS_MAX, LOCK_MS_MAX } from "../base/limits.ts";
import { readState, removeState, updateState } from "../store/state.ts";
import type { Memory } from "./memory.ts";

interface Explanation {
  readonly full: readonly string[];
  readonly short: readonly string[];
}

/** Holds only where the editor's hooks report prompts and stops; session/lesson.ts knows where. */
export const SAVES_BY_ITSELF =
  "- It saves before compaction and at turning points by itself; sage_save_checkpoint saves on request.";

/** These are for the agent at a session's start; the others are for the person. */
const CONCEPTS = {
  orientation: {
    full: [
      "- Sage keeps this project's memory across sessions: search_notes and sage_recall_knowledge look things up.",
      SAVES_BY_ITSELF,
    ],
    short: ["- search_notes looks things up; sage_save_checkpoint saves on request."],
  },
  handoff: {
    full: [
      "The agent was told in a few lines where the work stands; sage status --verbose shows what there is.",
    ],
    short: ["The agent was told where the work stands."],
  },
  trust: {
    full: [
      "The notes in this project's .sage came from elsewhere, as with a clone: none of them is shown unasked until you have looked at them and run sage trust.",
    ],
    short: ["The notes here came from elsewhere and are not shown until you run sage trust."],
  },
  surfacing: {
    full: [
      "The agent was shown a note that your prompt is about: once a session, fenced and dated. sage config set surfacing.enabled false stops that.",
    ],
    short: ["The agent was shown a note that your prompt is about."],
  },
  checkpoint: {
    full: [
      "A checkpoint keeps where the thinking stands: question, conclusion, evidence, what is open. sage load continues from one, in any session.",
    ],
    short: ["A checkpoint was saved; sage load continues from it."],
  },
  threshold: {
    full: [
      "The context window fills up, so a checkpoint was saved before a compaction can take anything. detection.context_threshold sets when.",
    ],
    short: ["A checkpoint was saved, because the context window fills up."],
  },
  compaction: {
    full: [
      "A checkpoint was saved before this compaction. What its summary leaves out is given back, as far as there is room; sage session show names it.",
    ],
    short: ["A checkpoint was saved before this compaction."],
  },
  knowledge: {
    full: [
      'Knowledge is shown to an agent when a prompt is about it; keywords help. sage knowledge match "…" shows what a prompt would find.',
    ],
    short: ['sage knowledge match "…" shows whether a prompt would find it.'],
  },
} as const satisfies Record<string, Explanation>;

export type Concept = keyof typeof CONCEPTS;

export const CONCEPT_NAMES = Object.keys(CONCEPTS) as Concept[];

/** Up to this many times a short reminder is given. */
const REMINDERS_MAX = 4;

/** Whether the concept is no longer explained. */
export function isExplained(memory: Memory, concept: Concept): boolean {
  const level = memory.config.get("output.level");
  if (!memory.config.get("teaching.enabled") || level === "silent") return true;
  return level !== "educational" && timesMet(memory, concept) > REMINDERS_MAX;
}

/** Whether the concept was met before. */
export function wasExplained(memory: Memory, concept: Concept): boolean {
  return timesMet(memory, concept) > 0;
}

/** What to say of a concept now; the caller counts the meeting. */
export function explanationOf(memory: Memory, concept: Concept): readonly string[] {
  if (isExplained(memory, concept)) return [];
  const isFull = memory.config.get("output.level") === "educational" ||
    !wasExplained(memory, concept);
  return isFull ? CONCEPTS[concept].full : CONCEPTS[concept].short;
}

/** The same for callers that say it in any case: counts the meeting. */
export function explain(memory: Memory, concept: Concept): readonly string[] {
  const lines = explanationOf(memory, concept);
  if (lines.length > 0) countMeeting(memory, concept);
  return lines;
}

export function countMeeting({ fs, places, hook }: Memory, concept: Concept): void {
  try {
    updateState<{ readonly count: number }>(
      fs,
      places.stateDir,
      seenName(concept),
      (old) => ({ count: (old?.count ?? 0) + 1 }),
      { deadlineMs: hook ? LOCK_HOOK_MS_MAX : LOCK_MS_MAX },
    );
  } catch {
    // At worst it is said once more than needed.
  }
}

export function timesMet({ fs, places }: Memory, concept: Concept): number {
  try {
    return readState<{ readonly count: number }>(fs, places.stateDir, seenName(concept))?.count ??
      0;
  } catch {
    // Another account's file, as after sudo: explaining again costs less than failing.
    return 0;
  }
}

/** Makes the concept new again; true where it was known. */
export function forgetMeetings({ fs, places }: Memory, concept: Concept): boolean {
  return removeState(fs, places.stateDir, seenName(concept));
}

function seenName(concept: Concept): string {
  return `seen/${concept}.json`;
}
