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

/** A place that both sides changed: the lines that each has there. */
export interface Clash {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * The same for whoever decides about every place by itself: runs of lines that stand, and clashes, in
 * order. Changes that only touch are none, but for two insertions at one place. Texts with too little
 * in common clash as a whole.
 */
export function mergePieces(
  base: string,
  mine: string,
  theirs: string,
): (readonly string[] | Clash)[] {
  const [lines, own, other] = [base, mine, theirs].map(splitLines) as [
    string[],
    string[],
    string[],
  ];
  const left = hunks(lines, own);
  const right = hunks(lines, other);
  if (left === undefined || right === undefined) return [{ base: lines, mine: own, theirs: other }];
  const pieces: (readonly string[] | Clash)[] = [];
  let at = 0;
  for (const { start, end, mine, theirs } of clusters(left, right)) {
    const side = (hunks: readonly Hunk[]): string[] => {
      const out: string[] = [];
      let from = start;
      for (const hunk of hunks) {
        out.push(...lines.slice(from, hunk.start), ...hunk.lines);
        from = hunk.end;
      }
      return [...out, ...lines.slice(from, end)];
    };
    pieces.push(lines.slice(at, start));
    if (theirs.length === 0) pieces.push(side(mine));
    else if (mine.length === 0) pieces.push(side(theirs));
    else pieces.push({ base: lines.slice(start, end), mine: side(mine), theirs: side(theirs) });
    at = end;
  }
  return [...pieces, lines.slice(at)].filter((piece) => !Array.isArray(piece) || piece.length > 0);
}

/** A stretch of the base, and what of each side lies in it. */
interface Cluster {
  start: number;
  end: number;
  readonly mine: Hunk[];
  readonly theirs: Hunk[];
}

/** Hunks of both sides that overlap lie in one stretch. */
function clusters(left: readonly Hunk[], right: readonly Hunk[]): Cluster[] {
  const all = [
    ...left.map((hunk) => ({ hunk, isMine: true })),
    ...right.map((hunk) => ({ hunk, isMine: false })),
  ].sort((a, b) => a.hunk.start - b.hunk.start || a.hunk.end - b.hunk.end);
  const found: Cluster[] = [];
  for (const { hunk, isMine } of all) {
    const { start, end } = hunk;
    let last = found.at(-1);
    const isOver = last !== undefined &&
      (start < last.end || (start === end && start === last.start && last.start === last.end));
    if (last === undefined || !isOver) {
      last = { start, end, mine: [], theirs: [] };
      found.push(last);
    }
    last.end = Math.max(last.end, end);
    (isMine ? last.mine : last.theirs).push(hunk);
  }
  return found;
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
