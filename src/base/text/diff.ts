/** A unified diff of two small texts, for showing what a plan changes. Not for patching. */
import { hunks } from "./hunks.ts";

const CONTEXT_LINES = 3;

type Op = readonly [" " | "+" | "-", string];

/** The unified diff with three lines of context; empty if nothing changed. */
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

/** The end of a hunk: changes whose context overlaps belong to one. */
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

/** All lines with their signs. If the texts have too little in common, everything is removed and added. */
function compare(a: readonly string[], b: readonly string[]): Op[] {
  const ops: Op[] = [];
  let at = 0;
  for (const { start, end, lines } of hunks(a, b) ?? [{ start: 0, end: a.length, lines: b }]) {
    for (const line of a.slice(at, start)) ops.push([" ", line]);
    for (const line of a.slice(start, end)) ops.push(["-", line]);
    for (const line of lines) ops.push(["+", line]);
    at = end;
  }
  for (const line of a.slice(at)) ops.push([" ", line]);
  return ops;
}
