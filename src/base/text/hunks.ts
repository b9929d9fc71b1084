/** Diffs two lists of lines (Myers' algorithm). */

/** A run of lines that were replaced by others. */
export interface Hunk {
  /** In the old list, `end` exclusive; equal for an insertion. */
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

/** With more differences, finding them would take too long (quadratic time), and it is another text. */
const EDITS_MAX = 2000;

/** The hunks of a shortest edit, in order; undefined if the lists have too little in common. */
export function hunks(from: readonly string[], to: readonly string[]): Hunk[] | undefined {
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

/** Indices of equal lines along a shortest edit script, in order. */
function commonLines(
  a: readonly string[],
  b: readonly string[],
): (readonly [number, number])[] | undefined {
  const editsMax = Math.min(a.length + b.length, EDITS_MAX);
  const middle = editsMax + 1;
  // The furthest x on each diagonal k = x − y, and a copy of its middle before each round.
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

/** The x at which diagonal `k` starts in this round, and the neighbour from which the path came. */
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
