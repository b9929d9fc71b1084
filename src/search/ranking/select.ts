/**
 * From scored notes to those that are shown: threshold, rank, trimming, count. Pure, and the only way
 * from scores to an answer, so that the benches measure what users get.
 */
import type { IndexedNote } from "../document.ts";
import { rank, type Rankable, type RankWeights } from "./rank.ts";
import { trim, type Trimmable, type TrimRule } from "./trim.ts";

export type Selectable = Rankable & Trimmable;

export interface SelectOptions {
  readonly threshold: number;
  readonly itemsMax: number;
  readonly weights: RankWeights;
  readonly nowMs: number;
}

export interface Dropped<T> {
  readonly item: T;
  readonly rule: TrimRule | "count";
  readonly because: string;
}

export interface Selection<T> {
  readonly selected: readonly T[];
  readonly dropped: readonly Dropped<T>[];
}

/**
 * Only the knowledge among the items, where there is any: beside a prompt, checkpoints and sessions would
 * repeat it. For what one question found: another part of the prompt may be about something else.
 */
export function knowledgeIfAny<T>(items: readonly T[], noteOf: (item: T) => IndexedNote): T[] {
  const known = items.filter((item) => noteOf(item).kind === "knowledge");
  return known.length > 0 ? known : [...items];
}

export function selectNotes<T extends Selectable>(
  items: readonly T[],
  options: SelectOptions,
): Selection<T> {
  const { threshold, itemsMax, weights, nowMs } = options;
  const passed = items.filter(({ combined }) => combined >= threshold);
  const { kept, dropped } = trim(rank(passed, weights, nowMs));
  const beyond = kept.slice(itemsMax).map((item) => ({
    item,
    rule: "count" as const,
    because: `${itemsMax}`,
  }));
  return { selected: kept.slice(0, itemsMax), dropped: [...dropped, ...beyond] };
}
