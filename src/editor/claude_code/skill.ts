/**
 * The skill of the plugin: when an agent writes to memory, what, and what to do if a note exists already.
 * Prose for a model, in skill.txt. Tests check its length, and that the tools it names exist.
 */
import { readAsset } from "../../base/assets.ts";
import { decode } from "../../base/utf8.ts";

export const SKILL_NAME = "managing-working-memory";

/** Listed in every session. The client decides by it, so it has the words that people use. */
export const SKILL_DESCRIPTION =
  "Writes to and reads from Sage, the memory that outlives the session. Use after a code review, " +
  "after a diagnosis (root cause found, bug fixed, workaround settled), after an architectural or " +
  "design decision, when a reusable pattern or convention emerges, when a constraint or gotcha is " +
  "discovered, and before work is handed off, paused or compacted. Also use when the user says " +
  '"remember this", "note that", "save this for later", "don\'t forget", "what did we decide", ' +
  '"why did we", "have we seen this before", "update memory", or corrects something that was ' +
  "recalled, and before redoing research that an earlier session may have done.";

export function skillText(): string {
  return decode(readAsset("skill.txt"));
}
