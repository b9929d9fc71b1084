/**
 * What is not shown although it scored: copies of one text, and what a newer note replaces. Pure; says
 * for each dropped item which rule dropped it. The tail far below the best needs no rule: competition
 * (compete.ts) takes it under the threshold, and a cap on the gap changed no answer of the bench.
 */
import { patternFor } from "../../base/text/pattern.ts";
import { fold } from "../../base/text/text.ts";
import { withoutCircles } from "./successors.ts";

export interface Trimmable {
  readonly id: string;
  readonly title: string;
  readonly combined: number;
  readonly contentHash: string;
  readonly snippet: string;
  readonly supersedes: readonly string[];
  readonly supersededBy?: string | undefined;
}

export type TrimRule = "duplicate" | "superseded";

export interface Trimmed<T> {
  readonly kept: T[];
  readonly dropped: { readonly item: T; readonly rule: TrimRule; readonly because: string }[];
}

/** The Jaccard similarity of their words from which two snippets are one text. */
const SAME_TEXT = 0.9;

/** Applies the rules to items in their order, which what stays keeps. */
export function trim<T extends Trimmable>(items: readonly T[]): Trimmed<T> {
  const dropped: Trimmed<T>["dropped"] = [];
  const kept = dropDuplicates(dropSuperseded(items, dropped), dropped);
  return { kept, dropped };
}

function dropSuperseded<T extends Trimmable>(
  items: readonly T[],
  dropped: Trimmed<T>["dropped"],
): T[] {
  const successor = successorsAmong(items);
  return items.filter((item) => {
    const by = successor.get(item.id) ?? item.supersededBy;
    if (by !== undefined) dropped.push({ item, rule: "superseded", because: by });
    return by === undefined;
  });
}

/** Superseded items right below the end of their chain of successors, where that is among the items. */
export function withSuccessorsFirst<T extends Trimmable>(items: readonly T[]): T[] {
  const successor = successorsAmong(items);
  const late = new Map<string, T[]>();
  const kept = items.filter((item) => {
    const by = successor.get(item.id);
    if (by !== undefined) late.set(by, [...(late.get(by) ?? []), item]);
    return by === undefined;
  });
  if (late.size === 0) return kept;
  const out: T[] = [];
  const place = (item: T): void => {
    out.push(item);
    const waiting = late.get(item.id) ?? [];
    late.delete(item.id);
    for (const older of waiting) place(older);
  };
  for (const item of kept) place(item);
  return out;
}

function successorsAmong(items: readonly Trimmable[]): ReadonlyMap<string, string> {
  const successor = new Map<string, string>();
  for (const item of items) {
    for (const old of item.supersedes) if (old !== item.id) successor.set(old, item.id);
  }
  return withoutCircles(successor);
}

function dropDuplicates<T extends Trimmable>(
  items: readonly T[],
  dropped: Trimmed<T>["dropped"],
): T[] {
  const kept: { item: T; words: ReadonlySet<string> }[] = [];
  for (const item of items) {
    const words = new Set(wordsOf(fold(`${item.title} ${item.snippet}`)));
    const twin = kept.find((other) => isSameText(other.item, other.words, item, words));
    if (twin === undefined) kept.push({ item, words });
    else dropped.push({ item, rule: "duplicate", because: twin.item.id });
  }
  return kept.map(({ item }) => item);
}

function wordsOf(folded: string): string[] {
  return folded.split(patternFor(folded, String.raw`[^\p{L}\p{N}]+`, "u"));
}

function isSameText(
  a: Trimmable,
  aWords: ReadonlySet<string>,
  b: Trimmable,
  bWords: ReadonlySet<string>,
): boolean {
  if (a.contentHash !== "" && a.contentHash === b.contentHash) return true;
  const shared = aWords.intersection(bWords).size;
  return shared / Math.max(1, aWords.size + bWords.size - shared) >= SAME_TEXT;
}
