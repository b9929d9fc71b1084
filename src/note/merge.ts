/**
 * Three-way merge by lines. It is clean only if the two sides changed different places with at least one
 * line in between, or made the same change; anything else is left to a person.
 */
import { type Hunk, hunks } from "../base/text/hunks.ts";
import { mapEach } from "../base/map_each.ts";

export type Merge = { readonly clean: true; readonly text: string } | { readonly clean: false };

/** Merges the changes that both sides made to `base`. */
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

/** A place that both sides changed, with the lines of each version. */
export interface Clash {
  readonly base: readonly string[];
  readonly mine: readonly string[];
  readonly theirs: readonly string[];
}

/**
 * The same for a caller that settles conflicts itself: runs of merged lines and clashes, in order. Changes of
 * adjacent lines do not clash, except for two insertions at one place. Texts with too little in common are
 * one clash.
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

/** A range of the base, and the hunks of each side in it. */
interface Cluster {
  start: number;
  end: number;
  readonly mine: Hunk[];
  readonly theirs: Hunk[];
}

/** Groups hunks of both sides that overlap. */
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

/** Lines with their ends, so that a missing end of the last line is a difference like any other. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Both lists in the order of the base; undefined if hunks touch that are not the same. */
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
