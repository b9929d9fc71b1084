/**
 * What the static model's tokenizer wants before it: text as ASCII. Apart from the tokenizer because
 * Unicode tables are the host's, not the core's.
 */
import { isAscii, pattern } from "../base/pattern.ts";

/** Letters beyond these, one of so many: a quotation, a name. */
const FOREIGN_ONE_IN = 8;

/** Whether hardly a letter is lost by `toAscii`. */
export function isMostlyLatin(text: string): boolean {
  if (isAscii(text)) return true;
  const count = (letters: string): number =>
    letters.match(pattern(String.raw`\p{L}`, "gu"))?.length ?? 0;
  const all = count(text);
  return (all - count(toAscii(text))) * FOREIGN_ONE_IN <= all;
}

/** The text with diacritics dropped, typographic apostrophes straight, and all else a space. */
export function toAscii(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u0080-\uffff]/g, " ");
}
