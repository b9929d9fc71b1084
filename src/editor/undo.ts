/**
 * Undoes edits of a text without keeping the old text: for each step of the edit the one place that changed,
 * and what was there before, which for an insertion is nothing.
 */

/** At this offset, this many characters are replaced by `text`. */
export interface Splice {
  readonly at: number;
  readonly length: number;
  readonly text: string;
  /** What the edit inserted, by which the place is found if the text around it changed. */
  readonly put?: string;
  /**
   * After `put` this many characters stayed, and then came `tail`: somebody's comment between our comma and
   * what follows it. It is taken from the text, not kept here.
   */
  readonly stays?: number;
  readonly tail?: string;
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

/** The text after all splices; undefined if one lies outside of it. */
export function applySplices(text: string, splices: readonly Splice[]): string | undefined {
  let edited = text;
  for (const splice of splices) {
    if (splice.at + splice.length > edited.length) return undefined;
    edited = applied(edited, splice, splice.at);
  }
  return edited;
}

/** The same for a text that others changed since; undefined unless each insertion is found exactly once. */
export function applySplicesByText(text: string, splices: readonly Splice[]): string | undefined {
  let edited = text;
  for (const splice of splices) {
    const { put = "", stays = 0, tail = "" } = splice;
    // The second of two parts is long enough to be found.
    const mark = tail === "" ? put : tail;
    const found = edited.indexOf(mark);
    const at = tail === "" ? found : found - stays - put.length;
    if (mark === "" || at < 0 || edited.indexOf(mark, found + 1) >= 0) return undefined;
    if (!edited.startsWith(put, at)) return undefined;
    edited = applied(edited, splice, at);
  }
  return edited;
}

function applied(text: string, splice: Splice, at: number): string {
  const { length, put = "", stays } = splice;
  const from = at + put.length;
  const back = stays === undefined ? splice.text : text.slice(from, from + stays);
  return text.slice(0, at) + back + text.slice(at + length);
}

/** The smallest single splice that turns `from` into `to`. */
function spliceOf(from: string, to: string): Splice | undefined {
  if (from === to) return undefined;
  const most = Math.min(from.length, to.length);
  let start = 0;
  while (start < most && from[start] === to[start]) start++;
  let end = 0;
  while (end < most - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const put = from.slice(start, from.length - end);
  const text = to.slice(start, to.length - end);
  const at = /\S/.test(text) ? put.indexOf(text) : -1;
  return {
    at: start,
    length: put.length,
    ...(at < 0
      ? { text, put }
      : { text: "", put: put.slice(0, at), stays: text.length, tail: put.slice(at + text.length) }),
  };
}
