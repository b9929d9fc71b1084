/**
 * Removes the parts of a text between `<private>` and `</private>`. Runs before everything else, in hooks
 * too, so it does not depend on the secret scanner. It fails closed: an opening tag counts in any odd
 * spelling, a closing tag only if it is spelled no more oddly than the opening one, and an unclosed part
 * extends to the end.
 */
import { replaceRanges } from "./finding.ts";
import { attributesEnd, CANDIDATE, readTag } from "./private_tag.ts";

/** The range of a private part, including its tags. */
export interface PrivateRange {
  readonly start: number;
  readonly end: number;
}

/** Removing a part can join the halves of another tag. If that goes on, all the rest is removed. */
const PASSES_MAX = 3;

/** The text without its private parts; the rest is unchanged. */
export function stripPrivate(text: string): string {
  return stripPrivateAcross([text])[0] ?? "";
}

/**
 * Like `stripPrivate` for consecutive texts, such as the items of a list: a part may begin in one and end
 * in a later one.
 */
export function stripPrivateAcross(texts: readonly string[]): readonly string[] {
  return openIn(texts).texts;
}

/** The texts without their private parts, and the end of the last closing tag that nothing opened. */
function openIn(texts: readonly string[]): {
  readonly texts: readonly string[];
  readonly closedTo: number;
} {
  let rest = texts;
  for (let pass = 0;; pass++) {
    const { ranges: [first, ...more], closedTo } = readRanges(rest.join(BETWEEN));
    if (first === undefined) return { texts: rest, closedTo };
    if (pass < PASSES_MAX) rest = withoutRanges(rest, [first, ...more]);
    else return { texts: withoutRanges(rest, [{ ...first, end: Infinity }]), closedTo };
  }
}

/** Joins the texts for the search of tags. */
const BETWEEN = "\n";

function withoutRanges(
  texts: readonly string[],
  ranges: readonly PrivateRange[],
): readonly string[] {
  let from = 0;
  return texts.map((text) => {
    const clamp = (at: number): number => Math.min(Math.max(at - from, 0), text.length);
    const own = ranges.map(({ start, end }) => ({ start: clamp(start), end: clamp(end) }));
    from += text.length + BETWEEN.length;
    return replaceRanges(text, own, () => "");
  });
}

/**
 * Like `stripPrivate` for an excerpt: a closing tag without its opening one was opened in the missing
 * text, so all before it is removed too.
 */
export function stripPrivateOfPart(text: string): string {
  const { texts: [open = ""], closedTo } = openIn([text]);
  return open.slice(closedTo);
}

/** The replacement for a private part in a text that is analysed sentence by sentence. */
export const WITHHELD = "[private]";

/**
 * The text with `WITHHELD` in place of each private part inside a line, so that a sentence that lost
 * something can be told from a whole one. If removing parts reveals others, all are just removed.
 */
export function withholdPrivate(text: string): string {
  const ranges = privateRanges(text);
  if (ranges.length === 0) return text;
  const stripped = replaceRanges(text, ranges, () => "");
  if (privateRanges(stripped).length > 0) return stripPrivate(stripped);
  // A part that is whole lines belongs to no sentence.
  return replaceRanges(
    text,
    ranges,
    ({ start, end }) => isWholeLines(text, start, end) ? "" : WITHHELD,
  );
}

function isWholeLines(text: string, start: number, end: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, start - 40), start)) &&
    /^[ \t]*(?:\r?\n|$)/.test(text.slice(end, end + 40));
}

/** The private parts of a text, in order, not overlapping. */
export function privateRanges(text: string): PrivateRange[] {
  return readRanges(text).ranges;
}

/**
 * The text of each private part, tags included, so that a write by an agent, which cannot see them, can
 * keep them.
 */
export function privateParts(text: string): string[] {
  return privateRanges(text).map(({ start, end }) => text.slice(start, end).trim());
}

/**
 * The first tag without its other half, if any. A text that was split inside a private part has one in
 * each piece.
 */
export function unpairedTag(text: string): { kind: "open" | "close"; offset: number } | undefined {
  return readRanges(text).unpaired;
}

interface Ranges {
  readonly ranges: PrivateRange[];
  readonly unpaired: { kind: "open" | "close"; offset: number } | undefined;
  /** The end of the last closing tag without an opening one; 0 if there is none. */
  readonly closedTo: number;
}

function readRanges(text: string): Ranges {
  const ranges: PrivateRange[] = [];
  /** The tricks of each open tag: its closing tag may use no others. */
  const open: number[] = [];
  let unpaired: Ranges["unpaired"];
  let closedTo = 0;
  let start = 0;
  CANDIDATE.lastIndex = 0;
  for (let found = CANDIDATE.exec(text); found !== null; found = CANDIDATE.exec(text)) {
    const tag = readTag(text, found.index);
    if (tag === undefined) continue;
    CANDIDATE.lastIndex = tag.end;
    if (tag.kind === "open") {
      if (open.length === 0) start = tag.start;
      open.push(tag.tricks);
      CANDIDATE.lastIndex = attributesEnd(text, tag.end);
    } else if (open.length === 0) {
      unpaired ??= { kind: "close", offset: tag.start };
      closedTo = tag.end;
    } else if ((tag.tricks & ~(open.at(-1) ?? 0)) === 0) {
      open.pop();
      if (open.length === 0) ranges.push({ start, end: tag.end });
    }
  }
  if (open.length > 0) {
    unpaired ??= { kind: "open", offset: start };
    ranges.push({ start, end: text.length });
  }
  return { ranges, unpaired, closedTo };
}

/** Maps an offset in the stripped text back to the original, to report the right line. */
export function originalOffset(text: string, offset: number): number {
  let original = offset;
  for (const range of privateRanges(text)) {
    if (range.start > original) break;
    original += range.end - range.start;
  }
  return original;
}
