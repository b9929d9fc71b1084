/**
 * The display order of search results, where the query asks for more than the best score: matches of
 * quoted phrases and times first, the newer of equals first, an old version below the one that replaced
 * it. Nothing is hidden and no score is changed. Pure.
 */
import { compareText } from "../../base/text/text.ts";
import { phraseOf } from "../query/lexical.ts";
import type { IndexedNote } from "../document.ts";
import type { Dated, ParsedQuery } from "../query/query_syntax.ts";
import { type Trimmable, withSuccessorsFirst } from "./trim.ts";

export interface Arrangeable extends Trimmable, Placed {}

type Placed = Pick<IndexedNote, "created" | "updated" | "status" | "kind">;

/** The share of the best score from which a note fits about as well, so that 'latest' may choose it. */
const NEWEST_SHARE = 0.65;

export function arrange<T extends Arrangeable>(
  items: readonly T[],
  { phrases, since, wantsNewest, dated }: Pick<
    ParsedQuery,
    "phrases" | "since" | "wantsNewest" | "dated"
  >,
): T[] {
  let arranged = newestOfEquals(items);
  if (wantsNewest) arranged = first(arranged, isNear(items), newestFirst);
  if (dated !== undefined) arranged = datedFirst(arranged, dated);
  if (since !== undefined) arranged = first(arranged, (item) => saidAt(item) >= since);
  if (phrases.length > 0) arranged = first(arranged, (item) => hasAll(item, phrases));
  return withSuccessorsFirst(arranged);
}

/**
 * Puts the newer first among notes with the same score as it is displayed: yearly reports in the same
 * words score the same.
 */
function newestOfEquals<T extends Arrangeable>(items: readonly T[]): T[] {
  const equals = Map.groupBy(items, ({ combined }) => Math.round(combined * SHOWN));
  return [...equals.values()].flatMap((same) => same.sort(newestFirst));
}

/** Notes with a lower score are hardly the answer. */
const LIKELY = 0.5;
/** Scores are shown in thousandths. */
const SHOWN = 1000;

/** Notes of the kind and time first; without a time the newest of the kind, among likely ones where there are any. */
function datedFirst<T extends Arrangeable>(items: readonly T[], { kinds, from, to }: Dated): T[] {
  const isOf = ({ kind }: T): boolean => kinds.includes(kind);
  if (from !== undefined) {
    const isThen = (at: string): boolean => at >= from && (to === undefined || at < to);
    // A time without an end was said alone: no words of a question order what was written then.
    const by = to === undefined ? newestFirst : undefined;
    return first(items, (item) => isOf(item) && isThen(saidAt(item)), by);
  }
  const own = items.filter(isOf);
  const fits = own.some(({ combined }) => combined >= LIKELY) ? isNear(own) : () => true;
  return first(items, (item) => isOf(item) && fits(item), newestFirst);
}

function isNear<T extends Arrangeable>(items: readonly T[]): (item: T) => boolean {
  const best = items.reduce((most, { combined }) => Math.max(most, combined), 0);
  return ({ combined }) => combined >= best * NEWEST_SHARE;
}

function newestFirst(a: Arrangeable, b: Arrangeable): number {
  return compareText(saidAt(b), saidAt(a));
}

/** RFC 3339. For archived notes the date of creation: their last change may be the archiving. */
export function saidAt({ created, updated, status }: Omit<Placed, "kind">): string {
  return status === "archived" ? created : updated;
}

function hasAll({ title, snippet }: Arrangeable, phrases: readonly string[]): boolean {
  const text = ` ${phraseOf(`${title} ${snippet}`)} `;
  return phrases.every((phrase) => text.includes(` ${phrase} `));
}

/** Moves the items that fit to the front, sorted by `by` or in their own order. */
function first<T>(
  items: readonly T[],
  fits: (item: T) => boolean,
  by?: (a: T, b: T) => number,
): T[] {
  const chosen = items.filter(fits);
  if (by !== undefined) chosen.sort(by);
  return [...chosen, ...items.filter((item) => !fits(item))];
}
