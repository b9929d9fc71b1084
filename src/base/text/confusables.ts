/**
 * What a character looks like to a reader: nothing (invisible), or the ASCII letter or angle bracket that it
 * imitates. Privacy tags and the fence of recalled notes both rely on it. Only what can spell a tag is
 * folded; it is no transliteration.
 */
import { lazyPattern } from "./pattern.ts";

const INVISIBLE = lazyPattern(
  String.raw`^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\u2800\uFFFD]$`,
  "u",
);
const SPACE = /^\s$/u;

/** Look-alikes that compatibility folding does not change: Cyrillic, Greek, small capitals, Cherokee. */
const CONFUSABLE = new Map(
  Object.entries({
    a: "аαɑᴀ",
    c: "сϲᴄ",
    d: "ԁᴅ",
    e: "еεᴇ",
    h: "һʜ",
    i: "іιıɪ",
    l: "ӏʟ",
    m: "мᴍ",
    n: "пηɴ",
    o: "оοᴏ",
    p: "рρᴘ",
    r: "гʀꭇ",
    s: "ѕꜱ",
    t: "тτᴛ",
    u: "υᴜ",
    v: "ѵνᴠ",
    y: "уγʏ",
  }).flatMap(([letter, forms]) => [...forms].map((form): [string, string] => [form, letter])),
);

/** Characters that look like `<`. Two are written as escapes, because Unicode normalisation would change them. */
export const OPENING = "<＜﹤‹\u3008\u2329⟨❮❬˂";
const OPENINGS = new Set(OPENING);
const CLOSINGS = new Set(">＞﹥›\u3009\u232a⟩❯❭˃");

/** Whether a reader cannot see a character that is no white space: zero-width, marks, controls, tags. */
export function isInvisible(char: string): boolean {
  return INVISIBLE().test(char) && !isSpace(char);
}

/** Whether it is white space with a width, or a line end. */
export function isSpace(char: string): boolean {
  return char !== "\uFEFF" && SPACE.test(char);
}

/** `<`, `>` or `/` for characters that look like one; otherwise the character itself. */
export function plainPunctuation(char: string): string {
  if (OPENINGS.has(char)) return "<";
  if (CLOSINGS.has(char)) return ">";
  return char === "／" || char === "⁄" || char === "∕" ? "/" : char;
}

/** The lower-case ASCII letter that `char` is or imitates, or "". */
export function plainLetter(char: string): string {
  const code = char.charCodeAt(0);
  if (code < 128) {
    const lower = code | 32;
    return lower >= 97 && lower <= 122 && (code >= 65) ? String.fromCharCode(lower) : "";
  }
  const folded = char.normalize("NFKD").charAt(0).toLowerCase();
  if (folded >= "a" && folded <= "z") return folded;
  return CONFUSABLE.get(folded) ?? CONFUSABLE.get(char.toLowerCase()) ?? "";
}
