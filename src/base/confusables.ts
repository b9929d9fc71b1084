/**
 * What one character amounts to for a reader: nothing (invisible), or an ASCII letter or angle
 * bracket that it imitates. Apart because the privacy tags and the fence of recalled notes must
 * agree on it. Not a transliteration: only what can spell a tag is folded.
 */
import { lazyPattern } from "./pattern.ts";

const INVISIBLE = lazyPattern(
  String.raw`^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\u2800\uFFFD]$`,
  "u",
);
const SPACE = /^\s$/u;

/** Letters that compatibility folding leaves alone: Cyrillic, Greek, small capitals, Cherokee. */
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

/** What looks like `<`. Two are escaped, because an editor that normalises Unicode would change them. */
export const OPENING = "<＜﹤‹\u3008\u2329⟨❮❬˂";
const OPENINGS = new Set(OPENING);
const CLOSINGS = new Set(">＞﹥›\u3009\u232a⟩❯❭˃");

/** True for what a reader cannot see and what is no white space: zero-width, marks, controls, tags. */
export function isInvisible(char: string): boolean {
  return INVISIBLE().test(char) && !isSpace(char);
}

/** True for every kind of white space, line ends included (but not the zero-width ones). */
export function isSpace(char: string): boolean {
  return char !== "\uFEFF" && SPACE.test(char);
}

/** `<` or `>` for the characters that look like one, `/` for slashes, the character itself else. */
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
