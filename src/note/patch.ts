/**
 * One change of a note's text by splicing: under a heading, at the end, a section, a key, the whole
 * text. Every byte that the change does not name stays. Pure; where the note was changed since it was
 * read, `rebasePatch` says whether the change still stands, and `undefined` leaves it to a person.
 */
import { collapse, fold } from "../base/text.ts";
import { isMapping, isSequence } from "../base/yaml_value.ts";
import { renderField } from "./fields.ts";
import { editFrontMatter, readFrontMatter, splitFrontMatter } from "./front_matter.ts";
import { canonical, frontList } from "./front_values.ts";
import { contentRange, DIVIDING } from "./knowledge.ts";
import { firstHeading, nameOf, sectionRange, sections, titleSection } from "./markdown.ts";
import { merge3 } from "./merge.ts";
import type { FrontMap, FrontValue } from "./note.ts";

export type Patch =
  /** At the end of the text, above what waits to be merged and the history. */
  | { readonly kind: "append"; readonly text: string }
  /** At the end of what stands right below the heading; the heading is made where it is missing. */
  | { readonly kind: "insert"; readonly heading: string; readonly text: string }
  /** Instead of what stands below the heading, deeper headings included. */
  | { readonly kind: "replace"; readonly heading: string; readonly text: string }
  /** One key of the front matter, `title` in the heading; undefined takes it out. */
  | { readonly kind: "set"; readonly key: string; readonly value: FrontValue | undefined }
  /** Instead of the whole text between title and history. */
  | { readonly kind: "rewrite"; readonly text: string };

/** Only adds, so that it can be made to whatever stands there by now. */
export function isAdditive({ kind }: Patch): boolean {
  return kind === "append" || kind === "insert";
}

/** The note's file with the change, or undefined where it has no such section to replace. */
export async function applyPatch(text: string, patch: Patch): Promise<string | undefined> {
  if (patch.kind === "set") {
    return patch.key === "title"
      ? await retitled(text, patch.value)
      : await editFrontMatter(text, new Map([[patch.key, patch.value]]));
  }
  const { body, bodyStart, eol } = splitFrontMatter(text);
  const head = text.slice(0, bodyStart);
  const onLine = head === "" || /[\r\n\uFEFF]$/.test(head) ? "" : eol;
  const next = patched(body, patch, eol);
  return next === undefined ? undefined : head + onLine + next;
}

/**
 * A note is called by its heading, and by the key only where it has none. Links by what it was called go
 * on leading there, by an alias.
 */
async function retitled(text: string, value: FrontValue | undefined): Promise<string> {
  const { body, bodyStart } = splitFrontMatter(text);
  const was = titleSection(body);
  const title = typeof value === "string" ? collapse(value) : value;
  if (was === undefined || typeof title !== "string") {
    return await editFrontMatter(text, new Map([["title", title]]));
  }
  const front = await frontOf(text);
  const isOther = (name: FrontValue): boolean =>
    typeof name !== "string" || fold(name) !== fold(title);
  const aliases = [...new Set([...aliasesOf(front), was.heading])].filter(isOther);
  const line = bodyStart + was.start;
  return await editFrontMatter(
    text.slice(0, line) + text.slice(line).replace(/^.*/, () => `# ${title}`),
    new Map<string, FrontValue | undefined>([
      ...(front.has("title") ? [["title", title]] as const : []),
      ["aliases", aliases.length === 0 ? undefined : aliases],
    ]),
  );
}

/** As written, including values that are no text to YAML, such as `Git: worktrees`: they stay a person's. */
function aliasesOf(front: FrontMap): readonly FrontValue[] {
  const stated = front.get("aliases");
  if (isSequence(stated)) return stated;
  return isMapping(stated) ? [stated] : frontList(front, "aliases");
}

/**
 * The change as it has to be made to `theirs`, when it was meant for `base`. Undefined where both
 * changed the same place.
 */
export async function rebasePatch(
  base: string,
  theirs: string,
  patch: Patch,
): Promise<Patch | undefined> {
  const [before, now] = [splitFrontMatter(base).body, splitFrontMatter(theirs).body];
  switch (patch.kind) {
    case "append":
      return patch;
    case "insert": {
      const wasThere = sectionRange(before, patch.heading) !== undefined;
      return wasThere && sectionRange(now, patch.heading) === undefined ? undefined : patch;
    }
    case "replace": {
      const [old, current] = [before, now].map((body) => sectionLines(body, patch.heading));
      if (old === undefined || current === undefined) return undefined;
      const merged = merge3(old, `${patch.text.trim()}\n`, current);
      return merged.clean ? { ...patch, text: merged.text } : undefined;
    }
    case "set": {
      const [old, current] = await Promise.all([
        valueIn(base, patch.key),
        valueIn(theirs, patch.key),
      ]);
      const wanted = canonical(patch.value);
      return current === old || current === wanted ? patch : undefined;
    }
    case "rewrite": {
      const merged = merge3(contentLines(before), `${patch.text.trim()}\n`, contentLines(now));
      return merged.clean ? { ...patch, text: merged.text } : undefined;
    }
  }
}

/** Where a section lies that may be replaced: of a note's history nothing is of any section. */
export function placeIn(body: string, heading: string): ReturnType<typeof sectionRange> {
  const range = sectionRange(body, heading);
  const { end } = contentRange(body);
  if (range === undefined || range.start >= end) return range;
  return { ...range, end: Math.min(range.end, end) };
}

/** The headings that a note may be changed under: not its title, not its history. */
export function headingsOf(body: string): string[] {
  return sections(body).filter(({ level, heading }) =>
    level > 1 && heading !== "" && nameOf(heading) !== "history"
  ).map(({ heading }) => heading);
}

function patched(
  body: string,
  patch: Exclude<Patch, { kind: "set" }>,
  eol: string,
): string | undefined {
  switch (patch.kind) {
    case "append":
      return insertBlock(body, endOfText(body), renderField(patch.text, DIVIDING), eol);
    case "insert": {
      const range = sectionRange(body, patch.heading);
      const text = renderField(patch.text);
      if (range === undefined) {
        const heading = collapse(patch.heading);
        return insertBlock(body, contentRange(body).end, `## ${heading}\n\n${text}`, eol);
      }
      const section = sections(body).find(({ start }) => start === range.start);
      return insertBlock(body, section?.end ?? range.end, text, eol);
    }
    case "replace": {
      const range = placeIn(body, patch.heading);
      if (range === undefined) return undefined;
      const level = /^#+/.exec(body.slice(range.start))?.[0].length ?? 2;
      const dividing = new RegExp(String.raw`^(\\*)(#{1,${level}}(?:[ \t]|$))`);
      return replaceCore(body, range.textStart, range.end, renderField(patch.text, dividing), eol);
    }
    case "rewrite": {
      const { start, end } = contentRange(body);
      return replaceCore(body, start, end, renderField(patch.text, DIVIDING), eol);
    }
  }
}

/** As `merge_notes.ts` and `knowledge edit` write it. */
const UNMERGED = /^Updates \(unmerged\b/;

/** In front of what a person has yet to merge: what stood there would be taken out along with it. */
function endOfText(body: string): number {
  const { start, end } = contentRange(body);
  const isWithin = (at: number): boolean => at >= start && at < end;
  const own = sections(body).filter(({ level, start: at }) => level <= 2 && isWithin(at));
  const lastMerged = own.findLastIndex(({ heading }) => !UNMERGED.test(heading));
  return own[lastMerged + 1]?.start ?? end;
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const INDENTED_OR_ITEM = /^(?:[ \t]+\S|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/;

/** The block behind the last line above `at` that says something; nothing that is there is touched. */
function insertBlock(body: string, at: number, text: string, eol: string): string {
  const end = endOfLines(body, at);
  const head = body.slice(0, end);
  const rest = body.slice(end);
  const block = text.replaceAll("\n", eol);
  const above = head.slice(head.lastIndexOf("\n") + 1);
  const isContinued = (ITEM.test(block) && INDENTED_OR_ITEM.test(above)) ||
    (block.startsWith("|") && above.startsWith("|"));
  const gap = head.trim() === "" ? "" : isContinued ? eol : eol + eol;
  return head + gap + block + (rest === "" || !/^\r?\n/.test(rest) ? eol : "") + rest;
}

/** Other text between the blank lines at both ends of a range. */
function replaceCore(body: string, from: number, to: number, text: string, eol: string): string {
  const block = text.replaceAll("\n", eol);
  const inner = body.slice(from, to);
  if (inner.trim() === "") {
    return block === "" ? body : insertBlock(body, from, block, eol);
  }
  const start = from + (/^(?:[ \t]*\r?\n)*/.exec(inner)?.[0].length ?? 0);
  return body.slice(0, start) + block + body.slice(endOfLines(body, to));
}

/** Where the last line above `at` that says something ends, its own white space included. */
function endOfLines(body: string, at: number): number {
  let end = at;
  while (end > 0) {
    const lineStart = body.lastIndexOf("\n", end - 1) + 1;
    if (body.slice(lineStart, end).trim() !== "") break;
    if (lineStart === 0) return 0;
    end = lineStart - 1;
  }
  return body.charAt(end - 1) === "\r" ? end - 1 : end;
}

function sectionLines(body: string, heading: string): string | undefined {
  const range = placeIn(body, heading);
  return range === undefined ? undefined : linesOf(body.slice(range.textStart, range.end));
}

function contentLines(body: string): string {
  const { start, end } = contentRange(body);
  return linesOf(body.slice(start, end));
}

function linesOf(text: string): string {
  return `${text.replaceAll("\r\n", "\n").trim()}\n`;
}

async function valueIn(text: string, key: string): Promise<string> {
  const heading = key === "title" ? firstHeading(splitFrontMatter(text).body) : undefined;
  return canonical(heading ?? (await frontOf(text)).get(key));
}

async function frontOf(text: string): Promise<FrontMap> {
  const read = await readFrontMatter(text);
  return "map" in read ? read.map : new Map();
}
