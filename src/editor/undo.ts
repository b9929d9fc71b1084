/**
 * How a text becomes again what it was before an edit, without keeping what it was: for each step of
 * the edit the one place that changed, and what stood there. Of an insertion that is nothing.
 */

/** In the text as it is at this point: so many characters from here on become that. */
export interface Splice {
  readonly at: number;
  readonly length: number;
  readonly text: string;
  /** What the edit put there: by that the place is found when the text was changed around it. */
  readonly put?: string;
}

/** What undoes the steps from one text to the next, the last step first. */
export function undoOf(steps: readonly string[]): Splice[] {
  const undo: Splice[] = [];
  for (let i = steps.length - 1; i > 0; i--) {
    const splice = spliceOf(steps[i] ?? "", steps[i - 1] ?? "");
    if (splice !== undefined) undo.push(splice);
  }
  return undo;
}

/** The text after all of them; undefined where one leads outside of it. */
export function applySplices(text: string, splices: readonly Splice[]): string | undefined {
  let edited = text;
  for (const splice of splices) {
    if (splice.at + splice.length > edited.length) return undefined;
    edited = edited.slice(0, splice.at) + splice.text + edited.slice(splice.at + splice.length);
  }
  return edited;
}

/** The same in a text that others changed since; undefined where what was put is not there just once. */
export function respliced(text: string, splices: readonly Splice[]): string | undefined {
  let edited = text;
  for (const { put = "", text: was } of splices) {
    const at = edited.indexOf(put);
    if (put === "" || at < 0 || edited.indexOf(put, at + 1) >= 0) return undefined;
    edited = edited.slice(0, at) + was + edited.slice(at + put.length);
  }
  return edited;
}

/** The smallest one place whose change makes `to` of `from`. */
function spliceOf(from: string, to: string): Splice | undefined {
  if (from === to) return undefined;
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start++;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  return {
    at: start,
    length: from.length - end - start,
    text: to.slice(start, to.length - end),
    put: from.slice(start, from.length - end),
  };
}
