/**
 * The line a person sees of what a hook did. By default only while the concept is new to them; an
 * account of what and why where they want one (`output.level`), nothing where they want silence.
 */
import { neutralize } from "../base/printable.ts";
import { collapse, cut } from "../base/text.ts";
import type { Memory } from "./memory.ts";
import { type Concept, explain, isExplained } from "./teaching.ts";

const CHARACTERS_MAX = 400;

/** `account`: what was done and why, for who wants to see the machinery. */
export function noticeOf(memory: Memory, concept: Concept, account: string): { notice?: string } {
  try {
    const parts = [
      ...(showsWork(memory) ? [`${account}.`] : []),
      ...explain(memory, concept),
    ];
    if (parts.length === 0) return {};
    return { notice: cut(`Sage: ${collapse(neutralize(parts.join(" ")))}`, CHARACTERS_MAX) };
  } catch {
    // A word to the person must not cost the model its answer.
    return {};
  }
}

/** Whether there would be anything to say of the concept now. */
export function hasNotice(memory: Memory, concept: Concept): boolean {
  return showsWork(memory) || !isExplained(memory, concept);
}

/** Whether the person wants to see what was done and why, every time. */
export function showsWork({ config }: Memory): boolean {
  return ["transparent", "educational"].includes(config.get("output.level"));
}
