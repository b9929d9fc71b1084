/**
 * Chinese and Japanese, which put no spaces between words. Two characters count as a word: segmenting with
 * the runtime's dictionary would be better, but costs a hook ten milliseconds.
 */

/** Kana and Han, with the marks that repeat and lengthen them. */
const CHARACTER = String.raw`\u3005-\u3007\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u3400-\u9fff`;
const ANY = new RegExp(`[${CHARACTER}]`);
const TWO = new RegExp(`[${CHARACTER}]{1,2}`, "g");
const RUN = new RegExp(`[${CHARACTER}]+`, "g");

export function isUnspaced(text: string): boolean {
  return ANY.test(text);
}

/** The text with spaces around every two such characters, for code that counts words. */
export function spaced(text: string): string {
  return text.replace(TWO, " $& ");
}

/** Replaces each run of such characters, and puts spaces around it. */
export function replaceRuns(text: string, replacement: (run: string) => string): string {
  return text.replace(RUN, (run) => ` ${replacement(run)} `);
}

/** The number of such characters. */
export function unspacedLength(text: string): number {
  return text.match(RUN)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
}
