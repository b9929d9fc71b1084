/**
 * Chinese and Japanese, which put no space between words. There is no word segmentation: counts take
 * two characters for a word. The engine's own dictionary would be better, and takes a hook ten
 * milliseconds to open.
 */

/** Kana and Han, with the marks that repeat and lengthen them. */
const CHARACTER = String.raw`\u3005-\u3007\u3041-\u3096\u309d-\u30fa\u30fc-\u30ff\u3400-\u9fff`;
const ANY = new RegExp(`[${CHARACTER}]`);
const TWO = new RegExp(`[${CHARACTER}]{1,2}`, "g");
const RUN = new RegExp(`[${CHARACTER}]+`, "g");

export function isUnspaced(text: string): boolean {
  return ANY.test(text);
}

/** With spaces, so that what counts words counts them. */
export function spaced(text: string): string {
  return text.replace(TWO, " $& ");
}

/** Each run of such characters replaced, with spaces around. */
export function replaceRuns(text: string, replacement: (run: string) => string): string {
  return text.replace(RUN, (run) => ` ${replacement(run)} `);
}

/** How many such characters there are. */
export function unspacedLength(text: string): number {
  return text.match(RUN)?.reduce((sum, run) => sum + run.length, 0) ?? 0;
}
