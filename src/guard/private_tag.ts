/**
 * Parses one `<private>` or `</private>` at an offset, however it is spelled: case, white space, invisible
 * characters, full-width and look-alike letters, entities and escapes. It reports these tricks; private.ts
 * decides what follows. It looks ahead no further than a tag, so that a text is read in linear time.
 */
import { pattern } from "../base/text/pattern.ts";
import {
  isInvisible,
  isSpace,
  OPENING,
  plainLetter,
  plainPunctuation,
} from "../base/text/confusables.ts";

export interface PrivateTag {
  readonly kind: "open" | "close";
  readonly start: number;
  readonly end: number;
  /** How it differs from the plain spelling: a set of the bits below. */
  readonly tricks: number;
}

const NAME = "private";
const SPACED = 1;
const INVISIBLE = 2;
const WIDE = 4;
const ESCAPED = 8;

/** Matches wherever a tag can begin: at a bracket, an entity or an escape. */
export const CANDIDATE = new RegExp(
  String.raw`[${OPENING}](?![${OPENING}])|&(?=[#a-z])|\\(?=\\{0,3}[ux])|%(?=[\da-f]{2})`,
  "gi",
);

/** A spaced `<` is a tag only with a `>` this near: `a < private` is a comparison. */
const SPACED_TAG_CHARACTERS_MAX = 1024;

/** A decoded character, the offset after it, and the tricks it was spelled with. */
interface Atom {
  readonly char: string;
  readonly end: number;
  readonly tricks: number;
}

/** The tag that begins at `start`, if there is one. */
export function readTag(text: string, start: number): PrivateTag | undefined {
  const bracket = readAtom(text, start);
  if (plainPunctuation(bracket.char) !== "<") return undefined;
  let tricks = bracket.tricks | (bracket.char === "<" ? 0 : WIDE);
  let next = skipBlank(text, bracket.end);
  tricks |= next.tricks;
  const isClose = plainPunctuation(next.char) === "/";
  if (isClose) {
    if (next.char !== "/") tricks |= WIDE;
    next = skipBlank(text, next.end);
    tricks |= next.tricks;
  }
  let end = next.end;
  for (let i = 0; i < NAME.length; i++) {
    if (i > 0) {
      next = skipBlank(text, end);
      tricks |= next.tricks;
    }
    if (plainLetter(next.char) !== NAME[i]) return undefined;
    if (next.char.charCodeAt(0) > 127) tricks |= WIDE;
    end = next.end;
  }
  return isClose ? closeTag(text, start, end, tricks) : openTag(text, start, end, tricks);
}

/** Where the attributes of an opening tag end: after its `>`, or before the next private tag. */
export function attributesEnd(text: string, from: number): number {
  let at = from;
  let previous = "";
  while (at < text.length) {
    const atom = readAtom(text, at);
    const char = plainPunctuation(atom.char);
    if (char === ">") return atom.end;
    if (char === "<" && readTag(text, at) !== undefined) return at;
    at = atom.end;
    if ((char === '"' || char === "'") && previous === "=") at = quoteEnd(text, at, char);
    if (!isSpace(char) && !isInvisible(char)) previous = char;
  }
  return text.length;
}

function closeTag(text: string, start: number, end: number, known: number): PrivateTag | undefined {
  const next = skipBlank(text, end);
  if (plainPunctuation(next.char) !== ">") return undefined;
  // White space is regular before the `>`, and a trick anywhere else.
  const tricks = known | (next.tricks & ~SPACED) | (next.char === ">" ? 0 : WIDE);
  return { kind: "close", start, end: next.end, tricks };
}

function openTag(text: string, start: number, end: number, tricks: number): PrivateTag | undefined {
  let next = readAtom(text, end);
  while (next.char !== "" && isInvisible(next.char)) {
    tricks |= INVISIBLE;
    next = readAtom(text, next.end);
  }
  // `<private-key>` and `<privateer>` are other names; all else after the name is malformed at worst.
  if (pattern(String.raw`^[\p{L}\p{N}_-]$`, "u").test(next.char)) return undefined;
  if ((tricks & SPACED) !== 0 && !closesNearby(text, end)) return undefined;
  return { kind: "open", start, end, tricks };
}

function closesNearby(text: string, from: number): boolean {
  const limit = Math.min(text.length, from + SPACED_TAG_CHARACTERS_MAX);
  for (let at = from; at < limit;) {
    const atom = readAtom(text, at);
    if (plainPunctuation(atom.char) === ">") return true;
    at = atom.end;
  }
  return false;
}

function quoteEnd(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length;) {
    const atom = readAtom(text, at);
    at = atom.end;
    if (atom.char === quote) return at;
  }
  return text.length;
}

/** The next visible character, with the tricks of what was skipped. */
function skipBlank(text: string, from: number): Atom {
  let tricks = 0;
  let atom = readAtom(text, from);
  while (atom.char !== "") {
    if (isSpace(atom.char)) tricks |= SPACED;
    else if (isInvisible(atom.char)) tricks |= INVISIBLE;
    else break;
    tricks |= atom.tricks;
    atom = readAtom(text, atom.end);
  }
  return { char: atom.char, end: atom.end, tricks: tricks | atom.tricks };
}

const NAMED: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  sol: "/",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  shy: "\u00AD",
  zwj: "\u200D",
  zwnj: "\u200C",
  zerowidthspace: "\u200B",
  nobreak: "\u2060",
  tab: "\t",
  newline: "\n",
  lang: "⟨",
  rang: "⟩",
};
const ENTITY = /&(?:amp;?){0,4}(?:#(\d{1,8})|#x([\da-f]{1,6})|([a-z]{2,15}));?/iy;
const ESCAPE =
  /\\{1,4}(?:u([\da-f]{4})|u\{([\da-f]{1,6})\}|x([\da-f]{2})|([>/"']))|%([\da-f]{2})/iy;

/** One character as a browser, a JSON reader or a Markdown renderer would see it; "" at the end. */
function readAtom(text: string, at: number): Atom {
  const code = text.codePointAt(at);
  if (code === undefined) return { char: "", end: at, tricks: 0 };
  if (code === 0x26 || code === 0x5c || code === 0x25) {
    const decoded = code === 0x26 ? readEntity(text, at) : readEscape(text, at);
    if (decoded !== undefined) return decoded;
  }
  const char = String.fromCodePoint(code);
  return { char, end: at + char.length, tricks: 0 };
}

function readEntity(text: string, at: number): Atom | undefined {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(text);
  if (match === null) return undefined;
  const [whole, decimal, hex, name] = match;
  if (decimal !== undefined) return escaped(parseInt(decimal, 10), at + whole.length);
  if (hex !== undefined) return escaped(parseInt(hex, 16), at + whole.length);
  const word = (name ?? "").toLowerCase();
  // `lt` and `gt` need no semicolon, so the word after them may be glued on: `&ltprivate`.
  for (const [known, char] of Object.entries(NAMED)) {
    if (word !== known && !(word.startsWith(known) && known.length === 2)) continue;
    const nameStart = at + whole.length - word.length - (whole.endsWith(";") ? 1 : 0);
    const nameEnd = nameStart + known.length;
    const end = text[nameEnd] === ";" ? nameEnd + 1 : nameEnd;
    return { char, end, tricks: ESCAPED };
  }
  return undefined;
}

function readEscape(text: string, at: number): Atom | undefined {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) return undefined;
  const end = at + match[0].length;
  if (match[4] !== undefined) return { char: match[4], end, tricks: ESCAPED };
  const digits = match[1] ?? match[2] ?? match[3] ?? match[5] ?? "";
  return escaped(parseInt(digits, 16), end);
}

function escaped(code: number, end: number): Atom | undefined {
  if (code > 0x10ffff) return undefined;
  return { char: String.fromCodePoint(code), end, tricks: ESCAPED };
}
