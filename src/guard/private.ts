/**
 * Removes what a person marked as private. Apart from the secret scanner because it needs no rules
 * and runs before everything else, hooks included. It fails closed: an odd opening tag counts, an
 * odd closing tag does not close, and what is not closed goes to the end.
 */
import { replaceRanges } from "./finding.ts";
import { attributesEnd, CANDIDATE, readTag } from "./private_tag.ts";

/** A part of the text that is private, its tags included. */
export interface PrivateRange {
  readonly start: number;
  readonly end: number;
}

/** Taking out a part can join the halves of another tag; what does so thrice is no accident. */
const PASSES_MAX = 3;

/** The text without its private parts; everything outside them stays byte for byte. */
export function stripPrivate(text: string): string {
  return stripPrivateAcross([text])[0] ?? "";
}

/**
 * The same of texts that follow one another, as the items of a list do: what is opened in one is private
 * up to where another closes it.
 */
export function stripPrivateAcross(texts: readonly string[]): readonly string[] {
  return openIn(texts).texts;
}

/** What is open in the texts, and where in it the last tag ends that closes what was not opened. */
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

/** The separator of texts: a line break. */
const BETWEEN = "\n";

function withoutRanges(
  texts: readonly string[],
  ranges: readonly PrivateRange[],
): readonly string[] {
  let from = 0;
  return texts.map((text) => {
    const clamp = (at: number): number => Math.min(Math.max(at - from, 0), text.length);
    const own = ranges.map(({ start, end }) => ({ start: clamp(start), end: clamp(end) }))
      .filter(({ start, end }) => start < end);
    from += text.length + BETWEEN.length;
    return replaceRanges(text, own, () => "");
  });
}

/**
 * The same of a text whose middle may be missing: what closes and was not opened was opened there, and
 * nobody knows what came before it.
 */
export function stripPrivateOfPart(text: string): string {
  const { texts: [open = ""], closedTo } = openIn([text]);
  return open.slice(closedTo);
}

/** What stands for a private part where a text goes on being read as sentences. */
export const WITHHELD = "[private]";

/**
 * The text with a word in place of each private part, so that a sentence that lost something can be
 * told from a whole one. Where tags are nested in odd ways nothing stands for them.
 */
export function withholdPrivate(text: string): string {
  const ranges = privateRanges(text);
  if (ranges.length === 0) return text;
  const stripped = replaceRanges(text, ranges, () => "");
  if (privateRanges(stripped).length > 0) return stripPrivate(stripped);
  // A block of its own belongs to no sentence.
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
 * The text of the private parts, tags included. An agent that writes through Sage can neither see nor repeat
 * it.
 */
export function privateParts(text: string): string[] {
  return privateRanges(text).map(({ start, end }) => text.slice(start, end).trim());
}

/**
 * Where a tag stands without its other half: what opens is not closed, or what closes was not opened.
 * A text that was split between its tags has one in each part, and neither says what was between them.
 */
export function unpairedTag(text: string): { kind: "open" | "close"; offset: number } | undefined {
  return readRanges(text).unpaired;
}

interface Ranges {
  readonly ranges: PrivateRange[];
  readonly unpaired: { kind: "open" | "close"; offset: number } | undefined;
  /** Behind the last tag that closes what was not opened. */
  readonly closedTo: number;
}

function readRanges(text: string): Ranges {
  const ranges: PrivateRange[] = [];
  /** The tricks of each tag that is open: a closing tag may use no other. */
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

/** Where in the text an offset of the stripped text was, to tell a person the right line. */
export function originalOffset(text: string, offset: number): number {
  let original = offset;
  for (const range of privateRanges(text)) {
    if (range.start > original) break;
    original += range.end - range.start;
  }
  return original;
}
