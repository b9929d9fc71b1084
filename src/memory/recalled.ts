/** How words of a note reach a model: fenced and attributed, or quoted inside a sentence of ours. */
import { fence, type FencedItem, fenceNonce, neutralize } from "../base/text/printable.ts";
import { sha256Hex } from "../base/hash.ts";
import { collapse, cut } from "../base/text/text.ts";
import { unspacedLength } from "../base/text/unspaced.ts";
import { CAME_OUT, LAST_ASKED, THEN } from "../detect/summary/summary_marks.ts";

/** Recalled notes inside one fence; empty for none. */
export function fenceItems(items: readonly FencedItem[]): string {
  return items.length === 0 ? "" : fence(items, fenceNonce());
}

/** A note's words as a JSON string on one line: nothing in it can look like structure. */
export function quote(text: string, charactersMax: number): string {
  const plain = quotable(text);
  return JSON.stringify(cut(plain, roomFor(plain, charactersMax)));
}

/** In scripts without spaces a character says as much as two letters, and costs a token. */
function roomFor(text: string, charactersMax: number): number {
  const share = unspacedLength(text) / Math.max(1, text.length);
  return Math.round(charactersMax * (1 - share / 2));
}

/** The most of a question that is quoted; the rest of the room is for what came of it. */
const ASKED_SHARE = 0.35;
const SINCE = ` ${THEN}`;

/**
 * Quotes a session's summary in little room: 'asked → came out'. The result is what somebody wants
 * back, so the question is cut first; of two requests the one that was answered is told, and what
 * followed from the result is kept.
 */
export function quoteSummary(summary: string, charactersMax: number): string {
  const text = quotable(summary);
  const at = text.indexOf(CAME_OUT);
  const most = roomFor(text, charactersMax);
  if (text.length <= most || at < 0) return quote(text, charactersMax);
  const asked = text.slice(0, at).split(LAST_ASKED).at(-1) ?? "";
  const outcome = text.slice(at + CAME_OUT.length);
  const room = Math.max(most * ASKED_SHARE, most - outcome.length - CAME_OUT.length);
  const lead = `${cut(asked, Math.floor(room))}${CAME_OUT}`;
  const since = outcome.lastIndexOf(SINCE);
  if (since < 0) return JSON.stringify(cut(lead + outcome, most));
  const last = outcome.slice(since);
  const left = most - lead.length;
  const before = Math.floor(Math.max(left / 2, left - last.length));
  return JSON.stringify(cut(`${lead}${cut(outcome.slice(0, since), before)}${last}`, most));
}

/** Where a session stopped, if its summary tells that after the result; undefined where the result came last. */
export function whereStopped(summary: string): string | undefined {
  const since = summary.lastIndexOf(SINCE);
  return since < 0 ? undefined : summary.slice(since + SINCE.length);
}

/** The summary without that. */
export function untilStop(summary: string): string {
  const since = summary.lastIndexOf(SINCE);
  return since < 0 ? summary : summary.slice(0, since);
}

/** `<name>`, whose brackets are changed together, so that it reads as it did. */
const TAG = /<([^\s<>][^<>]*)>/g;

/** The same without quotes, for a field that holds nothing else. */
export function quotable(text: string): string {
  return collapse(neutralize(text)).replace(TAG, "‹$1›").replaceAll("<", "‹");
}

/** The quotations in a line of ours, as hashes; paths of Windows may stand in it unescaped. */
export function quotedIn(line: string): string[] {
  return (line.match(QUOTED) ?? []).map((one) => wordsHash(JSON.parse(one)));
}

// deno-lint-ignore no-control-regex -- JSON has none of them in a text
const QUOTED = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/g;

/** Whether each line of a note's text was quoted whole to this conversation. */
export function isQuoted(text: string, told: ReadonlySet<string>): boolean {
  const lines = text.split("\n").map((line) => quotable(line.replace(/^\s*[-*] /, "")))
    .filter((line) => line !== "");
  return lines.length > 0 && lines.every((line) => told.has(wordsHash(line)));
}

function wordsHash(words: string): string {
  return sha256Hex(words).slice(0, 12);
}

/** Words that end with a quotation, as a sentence: the quotation may have its own full stop. */
export function asSentence(quoted: string): string {
  return /[.?!…。！？]"$/.test(quoted) ? quoted : `${quoted}.`;
}
