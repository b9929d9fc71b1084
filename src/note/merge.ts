/**
 * Three-way merge by lines. Clean only where the two sides changed different places with at least
 * one line between them, or made the same change; anything else is for a person to decide.
 */

export type Merge = { readonly clean: true; readonly text: string } | { readonly clean: false };

/** Differences beyond this are no edit but another text; finding them would cost its square. */
const EDITS_MAX = 2000;

/** Lines of the base that one side replaced. */
interface Hunk {
  /** In the base, `end` exclusive; equal for an insertion. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** What both sides made of `base`. */
export function merge3(base: string, mine: string, theirs: string): Merge {
  if (mine === theirs || theirs === base) return { clean: true, text: mine };
  if (mine === base) return { clean: true, text: theirs };
  const lines = splitLines(base);
  const left = hunks(lines, splitLines(mine));
  const right = hunks(lines, splitLines(theirs));
  if (left === undefined || right === undefined) return { clean: false };
  const merged = interleave(left, right);
  if (merged === undefined) return { clean: false };
  const out: string[] = [];
  let at = 0;
  for (const hunk of merged) {
    out.push(...lines.slice(at, hunk.start), ...hunk.lines);
    at = hunk.end;
  }
  out.push(...lines.slice(at));
  return { clean: true, text: out.join("") };
}

/** Lines with their ends, so that a missing last line end is a difference like any other. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Both lists in the order of the base, or undefined where they touch without being the same. */
function interleave(left: readonly Hunk[], right: readonly Hunk[]): Hunk[] | undefined {
  const merged: Hunk[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    const mine = left[i];
    const theirs = right[j];
    if (mine !== undefined && (theirs === undefined || mine.end < theirs.start)) {
      merged.push(mine);
      i++;
    } else if (theirs !== undefined && (mine === undefined || theirs.end < mine.start)) {
      merged.push(theirs);
      j++;
    } else if (mine !== undefined && theirs !== undefined && isSame(mine, theirs)) {
      merged.push(mine);
      i++;
      j++;
    } else return undefined;
  }
  return merged;
}

function isSame(a: Hunk, b: Hunk): boolean {
  return a.start === b.start && a.end === b.end && a.lines.length === b.lines.length &&
    a.lines.every((line, i) => line === b.lines[i]);
}

/** What turns `from` into `to`, in order, or undefined where they have too little in common. */
function hunks(from: readonly string[], to: readonly string[]): Hunk[] | undefined {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head++;
  let tail = 0;
  while (
    tail < from.length - head && tail < to.length - head &&
    from[from.length - 1 - tail] === to[to.length - 1 - tail]
  ) tail++;
  const a = from.slice(head, from.length - tail);
  const b = to.slice(head, to.length - tail);
  const kept = commonLines(a, b);
  if (kept === undefined) return undefined;
  const found: Hunk[] = [];
  let x = 0;
  let y = 0;
  for (const [i, j] of [...kept, [a.length, b.length] as const]) {
    if (i > x || j > y) {
      found.push({ start: head + x, end: head + i, lines: b.slice(y, j) });
    }
    [x, y] = [i + 1, j + 1];
  }
  return found;
}

/** Pairs of equal lines along a shortest edit script (Myers), in order. */
function commonLines(
  a: readonly string[],
  b: readonly string[],
): (readonly [number, number])[] | undefined {
  const editsMax = Math.min(a.length + b.length, EDITS_MAX);
  const middle = editsMax + 1;
  // How far each diagonal reaches in `a`, and what it was before each round.
  const reach = new Int32Array(2 * middle + 1);
  const rounds: Int32Array[] = [];
  for (let edits = 0; edits <= editsMax; edits++) {
    rounds.push(reach.slice(middle - edits - 1, middle + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      let x = step(reach, middle, edits, k).x;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      reach[middle + k] = x;
      if (x >= a.length && x - k >= b.length) return walkBack(rounds, a.length, b.length);
    }
  }
  return undefined;
}

/** Where diagonal `k` starts in this round, and from which neighbour it came. */
function step(
  reach: Int32Array,
  middle: number,
  edits: number,
  k: number,
): { x: number; from: number } {
  const below = reach[middle + k - 1] ?? 0;
  const above = reach[middle + k + 1] ?? 0;
  return k === -edits || (k !== edits && below < above)
    ? { x: above, from: k + 1 }
    : { x: below + 1, from: k - 1 };
}

function walkBack(
  rounds: readonly Int32Array[],
  length: number,
  otherLength: number,
): (readonly [number, number])[] {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [length, otherLength];
  for (let edits = rounds.length - 1; edits >= 0; edits--) {
    const reach = rounds[edits] ?? new Int32Array();
    const { from } = step(reach, edits + 1, edits, x - y);
    const fromX = reach[edits + 1 + from] ?? 0;
    const fromY = fromX - from;
    while (x > fromX && y > fromY && x > 0 && y > 0) pairs.push([--x, --y]);
    [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}
