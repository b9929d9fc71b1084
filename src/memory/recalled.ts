/** How words of a note reach a model: fenced and attributed, or quoted inside a sentence of ours. */
import { fence, type FencedItem, fenceNonce, neutralize } from "../base/printable.ts";
import { collapse, cut } from "../base/text.ts";

/** Recalled notes inside one fence; empty for none. */
export function fenceItems(items: readonly FencedItem[]): string {
  return items.length === 0 ? "" : fence(items, fenceNonce());
}

/** A note's words as a JSON string on one line: nothing in it can look like structure. */
export function quote(text: string, charactersMax: number): string {
  return JSON.stringify(cut(collapse(neutralize(text)).replaceAll("<", "‹"), charactersMax));
}

/** Words that end with a quotation, as a sentence: it may have brought its own end. */
export function asSentence(quoted: string): string {
  return /[.?!…]"$/.test(quoted) ? quoted : `${quoted}.`;
}
