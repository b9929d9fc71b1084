/**
 * What the static model's tokenizer wants before it: text as ASCII. Apart from the tokenizer because
 * Unicode tables are the host's, not the core's.
 */

/** The text with diacritics dropped, typographic apostrophes straight, and all else a space. */
export function toAscii(text: string): string {
  if (!/[\u0080-\uffff]/.test(text)) return text;
  return text.normalize("NFKD")
    .replace(/[\u0300-\u036f]+/g, "")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u0080-\uffff]/g, " ");
}
