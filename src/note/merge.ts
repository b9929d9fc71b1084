/**
 * Three-way merge by lines. Clean only where the two sides changed different places with at least
 * one line between them, or made the same change; anything else is for a person to decide.
 */
import { type Hunk, hunks } from "../base/hunks.ts";
import { mapEach } from "../base/map_each.ts";

export type Merge = { readonly clean: true; readonly text: string } | { readonly clean: false };

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
 * The same for a caller that decides about every place itself: runs of lines and clashes, in order. Changes
 * that only touch do not clash, except for two insertions at one place. Texts with too little in common clash
 * as a whole.
 */
export function mergePieces(
  base: string,
  mine: string,
  theirs: string,
): (readonly string[] | Clash)[] {
  const [lines, own, other] = mapEach([base, mine, theirs], splitLines);
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
      (start < last.end || (start === end && start === last.start));
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
