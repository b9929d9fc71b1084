/**
 * The order in which a search shows what it found, where the score alone is not what was asked: quoted
 * phrases and times first, the newest of equals first, and never an old version above the one that
 * replaced it. Nothing is hidden and no score is changed. Pure.
 */
import { phraseOf } from "./lexical.ts";
import type { Asked } from "./query_syntax.ts";
import { type Trimmable, withSuccessorsFirst } from "./trim.ts";

export interface Arrangeable extends Trimmable {
  readonly updated: string;
}

/** 'Latest' chooses among notes that fit about as well as the best. */
const NEWEST_SHARE = 0.65;

export function arrange<T extends Arrangeable>(
  items: readonly T[],
  { phrases, since, wantsNewest }: Pick<Asked, "phrases" | "since" | "wantsNewest">,
): T[] {
  let arranged = [...items];
  if (wantsNewest) arranged = first(arranged, isNear(items), newestFirst);
  if (since !== undefined) arranged = first(arranged, ({ updated }) => updated >= since);
  if (phrases.length > 0) arranged = first(arranged, (item) => hasAll(item, phrases));
  return withSuccessorsFirst(arranged);
}

function isNear<T extends Arrangeable>(items: readonly T[]): (item: T) => boolean {
  const best = items.reduce((most, { combined }) => Math.max(most, combined), 0);
  return ({ combined }) => combined >= best * NEWEST_SHARE;
}

function newestFirst(a: Arrangeable, b: Arrangeable): number {
  return a.updated === b.updated ? 0 : a.updated > b.updated ? -1 : 1;
}

function hasAll({ title, snippet }: Arrangeable, phrases: readonly string[]): boolean {
  const text = ` ${phraseOf(`${title} ${snippet}`)} `;
  return phrases.every((phrase) => text.includes(` ${phrase} `));
}

/** Those that fit before those that do not, else in their order. */
function first<T>(
  items: readonly T[],
  fits: (item: T) => boolean,
  by?: (a: T, b: T) => number,
): T[] {
  const chosen = items.filter(fits);
  if (by !== undefined) chosen.sort(by);
  return [...chosen, ...items.filter((item) => !fits(item))];
}
