/**
 * The form of a note that was merged into another: written by merge.ts, and recognised when the
 * note is forgotten.
 */
import { frontLines, frontList, listOrNothing } from "../../note/front_values.ts";
import type { FrontChanges, FrontMap, FrontValue } from "../../note/note.ts";

/** Keys whose lists are joined. */
export const JOINED = ["tags", "aliases", "keywords", "patterns", "skills"] as const;

/** A note's text under a heading of its own. `content`: as `readKnowledge` returns it. */
export function mergedPart(title: string, date: string, content: string): string {
  return `${mergedHeading(title)}${date})\n\n${content}`;
}

/** The line in the history. */
export function mergeReason(titles: readonly string[], by: string): string {
  return `merged with ${titles.map(quoted).join(", ")} by ${by}`;
}

export function joinedList(front: FrontMap, key: typeof JOINED[number]): readonly string[] {
  return key === "patterns" ? frontLines(front, key) : frontList(front, key);
}

/** A note's content and title at one time. */
export interface SaidOnce {
  readonly title: string;
  readonly content: string;
}

/**
 * The file's text without the parts that a merge took from the note, and without its title in the
 * history. Parts that a person has changed since are not recognised.
 */
export function withoutMerged(text: string, said: readonly SaidOnce[]): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  // Longest first, because a short text may be a prefix of a longer one.
  const contents = said.map(({ content }) => content.trim().replace(/\r?\n/g, eol))
    .toSorted((a, b) => b.length - a.length);
  let left = text;
  for (const title of new Set(said.map(({ title }) => title))) {
    left = left.split(eol)
      .map((line) => MERGED.test(line) ? line.replace(quoted(title), "a forgotten note") : line)
      .join(eol);
    const heading = mergedHeading(title);
    for (let at = left.indexOf(heading); at >= 0; at = left.indexOf(heading, at + 1)) {
      const start = endOfLine(left, at, eol);
      const content = contents.find((one) => left.startsWith(one, start) && ends(left, start, one));
      if (content === undefined) continue;
      const below = left.slice(start + content.length).replace(/^\s+/, "");
      left = `${left.slice(0, at).trimEnd()}${eol}${below === "" ? "" : eol}${below}`;
    }
  }
  return left;
}

/** Whether a part that a merge wrote is still there, whatever it says by now. */
export function holdsMerged(text: string, said: readonly SaidOnce[]): boolean {
  return said.some(({ title }) => text.includes(mergedHeading(title)));
}

/**
 * The changes that remove what `gone` brought into the lists of `front`. `before`: the front matter of the
 * same note before the merge.
 */
export function withoutJoined(
  front: FrontMap,
  before: FrontMap | undefined,
  gone: FrontMap,
  titles: readonly string[],
): FrontChanges {
  const changes = new Map<string, FrontValue | undefined>();
  for (const key of JOINED) {
    const own = new Set(before === undefined ? [] : joinedList(before, key));
    const theirs = new Set([...joinedList(gone, key), ...(key === "aliases" ? titles : [])]);
    const list = joinedList(front, key);
    const kept = list.filter((item) => own.has(item) || !theirs.has(item));
    if (kept.length < list.length) changes.set(key, listOrNothing(kept));
  }
  return changes;
}

/** A line of a history about a merge. */
const MERGED = /^- \d{4}-\d{2}-\d{2}: merged with /;

function mergedHeading(title: string): string {
  return `## ${title} (merged `;
}

function quoted(title: string): string {
  return `"${title}"`;
}

/** Where the text below the heading at `at` begins. */
function endOfLine(text: string, at: number, eol: string): number {
  const line = text.indexOf(eol, at);
  return line < 0 ? text.length : line + (/^\s*/.exec(text.slice(line))?.[0].length ?? 0);
}

/** Whether it ends a paragraph: another paragraph follows, or nothing. */
function ends(text: string, start: number, content: string): boolean {
  return /^(?:\s*$|[ \t]*\r?\n)/.test(text.slice(start + content.length));
}
