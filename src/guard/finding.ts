/**
 * What a scanner reports: the range of a secret and the rule that matched, never the secret itself. And
 * operations on ranges: merge, locate, replace.
 */

/** A half-open range of UTF-16 offsets, and the rule that matched it. */
export interface Match {
  readonly rule: string;
  readonly start: number;
  readonly end: number;
}

/** A match with its line and column, both from 1; the column is in UTF-16 units. */
export interface Finding extends Match {
  readonly line: number;
  readonly column: number;
}

/** Sorts matches and merges those that overlap, under the first rule that is not `generic-…`. */
export function mergeMatches(matches: readonly Match[]): Match[] {
  const merged: Match[] = [];
  for (const match of matches.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || match.start >= last.end) {
      merged.push(match);
      continue;
    }
    const rule = isGeneric(last.rule) && !isGeneric(match.rule) ? match.rule : last.rule;
    merged[merged.length - 1] = { rule, start: last.start, end: Math.max(last.end, match.end) };
  }
  return merged;
}

/** Adds line and column to sorted matches, in one pass over the text. */
export function locate(text: string, matches: readonly Match[]): Finding[] {
  let line = 1;
  let lineStart = 0;
  let next = text.indexOf("\n");
  return matches.map((match) => {
    while (next !== -1 && next < match.start) {
      line++;
      lineStart = next + 1;
      next = text.indexOf("\n", lineStart);
    }
    return { ...match, line, column: match.start - lineStart + 1 };
  });
}

/** Replaces each range, which must be sorted and not overlap. */
export function replaceRanges<R extends { readonly start: number; readonly end: number }>(
  text: string,
  ranges: readonly R[],
  instead: (range: R) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (const range of ranges) {
    parts.push(text.slice(from, range.start), instead(range));
    from = range.end;
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function isGeneric(rule: string): boolean {
  return rule.startsWith("generic-");
}
