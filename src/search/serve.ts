/**
 * From scored notes to those that are served: threshold, order, trimming, count. Pure, and the only
 * way from scores to an answer, so that what is measured is what happens.
 */
import type { IndexedNote } from "./document.ts";
import { rank, type Rankable, type RankWeights } from "./rank.ts";
import { trim, type Trimmable, type TrimOptions, type TrimRule } from "./trim.ts";

export type Servable = Rankable & Trimmable;

export interface ServeOptions extends TrimOptions {
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

export interface Served<T> {
  readonly served: readonly T[];
  readonly dropped: readonly Dropped<T>[];
}

/** Unasked, what happened is told only where nothing is known: both would say the same twice. */
export function knownElseHappened<T>(items: readonly T[], noteOf: (item: T) => IndexedNote): T[] {
  const known = items.filter((item) => noteOf(item).kind === "knowledge");
  return known.length > 0 ? known : [...items];
}

export function serve<T extends Servable>(items: readonly T[], options: ServeOptions): Served<T> {
  const { threshold, itemsMax, weights, nowMs } = options;
  const passed = items.filter(({ combined }) => combined >= threshold);
  const { kept, dropped } = trim(rank(passed, weights, nowMs), options);
  const beyond = kept.slice(itemsMax).map((item) => ({
    item,
    rule: "count" as const,
    because: `${itemsMax}`,
  }));
  return { served: kept.slice(0, itemsMax), dropped: [...dropped, ...beyond] };
}
