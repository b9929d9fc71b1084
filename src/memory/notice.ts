/**
 * The line that a person sees of what a hook did. By default only while the concept is new to them;
 * with what and why, or never, as they set it (`output.level`).
 */
import { neutralize } from "../base/text/printable.ts";
import { collapse, cut } from "../base/text/text.ts";
import type { Memory } from "./memory.ts";
import { type Concept, explain, isExplained } from "./teaching.ts";

const CHARACTERS_MAX = 400;

/** `account`: what was done and why, for people who want to see it. */
export function noticeOf(memory: Memory, concept: Concept, account: string): { notice?: string } {
  try {
    const parts = [...(showsWork(memory) ? [`${account}.`] : []), ...explain(memory, concept)];
    if (parts.length === 0) return {};
    return { notice: cut(`Sage: ${collapse(neutralize(parts.join(" ")))}`, CHARACTERS_MAX) };
  } catch {
    // A failed notice must not cost the model its answer.
    return {};
  }
}

/** Whether a notice about the concept would say anything now. */
export function hasNotice(memory: Memory, concept: Concept): boolean {
  return showsWork(memory) || !isExplained(memory, concept);
}

/** Whether the person wants to see what was done and why, every time. */
export function showsWork({ config }: Memory): boolean {
  return ["transparent", "educational"].includes(config.get("output.level"));
}
