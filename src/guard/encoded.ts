/**
 * Secrets whose letters are others, because they were put into base64: whole, as one finding. Apart
 * from escaped.ts because there every letter stands for itself and a match keeps its place.
 */
import type { Match } from "./finding.ts";

const LETTER = "[A-Za-z0-9+/_-]";
/**
 * Four letters that say three of plain text: none has its highest bit, the first is no control character.
 * Sixteen such letters near the beginning; before them may stand a word of another language.
 */
const PLAIN = `[I-Za-f][A-HQ-Xg-nw-z0-3]${LETTER}{2}`;
/** One run, or the full lines that an encoder makes and their last one. */
const RUN = new RegExp(
  `(?<!${LETTER})(?=(?:${LETTER}{4}){0,8}?(?:${PLAIN}){4})` +
    `(?:(?:(?:${LETTER}{76}|${LETTER}{64})\\r?\\n[ \\t]{0,16})+${LETTER}+|${LETTER}{22,})={0,2}`,
  "g",
);

/** Runs of base64 that are a text, and in it what `isSecret` says yes to. */
export function encodedSecrets(text: string, isSecret: (inside: string) => boolean): Match[] {
  const found: Match[] = [];
  for (const { 0: run, index: start } of text.matchAll(RUN)) {
    const inside = decoded(run);
    if (inside === undefined || !isSecret(inside)) continue;
    found.push({ rule: "base64-secret", start, end: start + run.length });
  }
  return found;
}

/** Undefined where it is no text; a letter of several bytes is several. */
function decoded(run: string): string | undefined {
  const letters = run.replace(/[\s=]+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  const whole = letters.slice(0, letters.length - (letters.length % 4 === 1 ? 1 : 0));
  const text = atob(whole);
  return /^[\t\n\r\x20-\x7E\x80-\xFF]*$/.test(text) ? text : undefined;
}
