/** How words of a note reach a model: fenced and attributed, or quoted inside a sentence of ours. */
import { fence, type FencedItem, fenceNonce, neutralize } from "../base/printable.ts";
import { sha256Hex } from "../base/hash.ts";
import { collapse, cut } from "../base/text.ts";

/** Recalled notes inside one fence; empty for none. */
export function fenceItems(items: readonly FencedItem[]): string {
  return items.length === 0 ? "" : fence(items, fenceNonce());
}

/** A note's words as a JSON string on one line: nothing in it can look like structure. */
export function quote(text: string, charactersMax: number): string {
  return JSON.stringify(cut(quotable(text), charactersMax));
}

function quotable(text: string): string {
  return collapse(neutralize(text)).replaceAll("<", "‹");
}

/** What stands in quotations of a line of ours, each by a hash. */
export function quotedIn(line: string): string[] {
  return (line.match(/"(?:[^"\\]|\\.)*"/g) ?? []).map((one) => wordsHash(JSON.parse(one)));
}

/** Whether each line of a note's text was quoted whole to this conversation. */
export function isQuoted(text: string, told: ReadonlySet<string>): boolean {
  const lines = text.split("\n").map((line) => quotable(line.replace(/^\s*[-*] /, "")))
    .filter((line) => line !== "");
  return lines.length > 0 && lines.every((line) => told.has(wordsHash(line)));
}

function wordsHash(words: string): string {
  return sha256Hex(words).slice(0, 12);
}

/** Words that end with a quotation, as a sentence: it may have brought its own end. */
export function asSentence(quoted: string): string {
  return /[.?!…]"$/.test(quoted) ? quoted : `${quoted}.`;
}
