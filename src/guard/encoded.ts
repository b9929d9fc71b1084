/**
 * Secrets inside base64: the whole run is one finding, because a secret in it has no range of its own in
 * the text. Escapes, which keep ranges, are in escaped.ts.
 */
import type { Match } from "./finding.ts";

const LETTER = "[A-Za-z0-9+/_-]";
/**
 * Four characters that decode to three ASCII bytes, the first of them no control character. A run
 * qualifies with four of these in a row near its beginning; other text may come first.
 */
const PLAIN = `[I-Za-f][A-HQ-Xg-nw-z0-3]${LETTER}{2}`;
/** A run on one line, or lines of 64 or 76 characters, as encoders wrap them, and the last one. */
const RUN = new RegExp(
  `(?<!${LETTER})(?=(?:${LETTER}{4}){0,8}?(?:${PLAIN}){4})` +
    `(?:(?:(?:${LETTER}{76}|${LETTER}{64})\\r?\\n[ \\t]{0,16})+${LETTER}+|${LETTER}{22,})={0,2}`,
  "g",
);

/** Finds runs of base64 that decode to text for which `isSecret` is true. */
export function encodedSecrets(text: string, isSecret: (inside: string) => boolean): Match[] {
  const found: Match[] = [];
  for (const { 0: run, index: start } of text.matchAll(RUN)) {
    const inside = decoded(run);
    if (inside === undefined || !isSecret(inside)) continue;
    found.push({ rule: "base64-secret", start, end: start + run.length });
  }
  return found;
}

/** The bytes of a run as Latin-1; undefined if they have control characters, so are no text. */
function decoded(run: string): string | undefined {
  const letters = run.replace(/[\s=]+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  const whole = letters.slice(0, letters.length - (letters.length % 4 === 1 ? 1 : 0));
  const text = atob(whole);
  return /^[\t\n\r\x20-\x7E\x80-\xFF]*$/.test(text) ? text : undefined;
}
