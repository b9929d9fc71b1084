/**
 * Text as ASCII, which is all that the static model's tokenizer reads, and all that a model of Latin
 * languages understands of a text in another script. The runtime has Unicode tables; the Wasm core has not.
 */
import { isAscii, patternFor } from "./pattern.ts";

/** A text may have one foreign letter in so many: a quotation, a name. */
const FOREIGN_ONE_IN = 8;

/** Whether `toAscii` keeps nearly all letters of a text. */
export function isMostlyLatin(text: string): boolean {
  if (isAscii(text)) return true;
  const count = (letters: string): number =>
    letters.match(patternFor(letters, String.raw`[\p{L}]`, "gu"))?.length ?? 0;
  const all = count(text);
  return (all - count(toAscii(text))) * FOREIGN_ONE_IN <= all;
}

/** The text without diacritics, with straight apostrophes, and a space for anything else beyond ASCII. */
export function toAscii(text: string): string {
  if (isAscii(text)) return text;
  return text.normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u0080-\uffff]/g, " ");
}
