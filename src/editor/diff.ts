/** A unified diff of two small texts, for showing what a plan changes. Not for patching. */

const CONTEXT_LINES = 3;
/** Beyond this many comparisons the changed middle is shown as removed and added, unaligned. */
const CELLS_MAX = 4_000_000;

type Op = readonly [" " | "+" | "-", string];

/** Lines with their sign, in hunks with three lines of context; empty where nothing changed. */
export function renderDiff(before: string | undefined, after: string | undefined): string {
  const ops = compare(linesOf(before), linesOf(after));
  const out: string[] = [];
  let a = 1;
  let b = 1;
  for (let i = 0; i < ops.length;) {
    const next = ops.findIndex(([sign], at) => at >= i && sign !== " ");
    if (next < 0) break;
    const start = Math.max(i, next - CONTEXT_LINES);
    a += start - i;
    b += start - i;
    const end = hunkEnd(ops, next);
    const hunk = ops.slice(start, end);
    const removed = hunk.filter(([sign]) => sign !== "+").length;
    const added = hunk.filter(([sign]) => sign !== "-").length;
    out.push(`@@ -${removed === 0 ? a - 1 : a},${removed} +${added === 0 ? b - 1 : b},${added} @@`);
    for (const [sign, line] of hunk) out.push(sign + line);
    a += removed;
    b += added;
    i = end;
  }
  return out.length === 0 ? "" : out.join("\n") + "\n";
}

/** After the last change that is near enough to the one before it, and its context. */
function hunkEnd(ops: readonly Op[], first: number): number {
  let last = first;
  for (let i = first; i < ops.length && i - last <= 2 * CONTEXT_LINES; i++) {
    if (ops[i]?.[0] !== " ") last = i;
  }
  return Math.min(ops.length, last + CONTEXT_LINES + 1);
}

function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

function compare(a: readonly string[], b: readonly string[]): Op[] {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  const rest = Math.min(a.length, b.length) - head;
  while (tail < rest && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const same = (lines: readonly string[]): Op[] => lines.map((line): Op => [" ", line]);
  return [
    ...same(a.slice(0, head)),
    ...middle(a.slice(head, a.length - tail), b.slice(head, b.length - tail)),
    ...same(a.slice(a.length - tail)),
  ];
}

/** The longest common subsequence decides what stays. */
function middle(a: readonly string[], b: readonly string[]): Op[] {
  const removed = (lines: readonly string[]): Op[] => lines.map((line): Op => ["-", line]);
  const added = (lines: readonly string[]): Op[] => lines.map((line): Op => ["+", line]);
  if (a.length * b.length > CELLS_MAX) return [...removed(a), ...added(b)];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  const at = (i: number, j: number): number => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      lengths[i * width + j] = a[i] === b[j]
        ? at(i + 1, j + 1) + 1
        : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const ops: Op[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      ops.push([" ", a[i++] ?? ""]);
      j++;
    } else if (at(i + 1, j) >= at(i, j + 1)) ops.push(["-", a[i++] ?? ""]);
    else ops.push(["+", b[j++] ?? ""]);
  }
  return [...ops, ...removed(a.slice(i)), ...added(b.slice(j))];
}
