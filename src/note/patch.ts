/**
 * One change of a note: under a heading, at the end, a section, a key, or the whole text. Every other byte
 * stays. Pure. If the note was changed since it was read, `rebasePatch` adapts the change, or returns
 * undefined to leave it to a person.
 */
import { collapse, fold } from "../base/text/text.ts";
import { isMapping, isSequence } from "../base/yaml/value.ts";
import { renderField } from "./fields.ts";
import { editFrontMatter, readFrontMatter, splitFrontMatter } from "./front_matter.ts";
import { canonical, frontList } from "./front_values.ts";
import { contentRange, DIVIDING } from "./knowledge.ts";
import { firstHeading, nameOf, sectionRange, sections, titleSection } from "./markdown.ts";
import { merge3 } from "./merge.ts";
import { mergeLists } from "./merge_lists.ts";
import type { FrontMap, FrontValue } from "./note.ts";

export type Patch =
  /** Adds to the end of the text, above unmerged updates and the history. */
  | { readonly kind: "append"; readonly text: string }
  /** Adds to the end of the text right below a heading, which is added if it is missing. */
  | { readonly kind: "insert"; readonly heading: string; readonly text: string }
  /** Replaces the text below a heading, with its subsections. */
  | { readonly kind: "replace"; readonly heading: string; readonly text: string }
  /** Sets one key of the front matter, or removes it (undefined); `title` is set in the heading. */
  | { readonly kind: "set"; readonly key: string; readonly value: FrontValue | undefined }
  /** Replaces the whole text between title and history. */
  | { readonly kind: "rewrite"; readonly text: string };

/** Whether a patch only adds text, so that it applies to any version of the note. */
export function isAdditive({ kind }: Patch): boolean {
  return kind === "append" || kind === "insert";
}

/** The file's text with the change; undefined if it has no such section to replace. */
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
 * The text with another title: in the heading, and in the key `title` if there is one or no heading. The former
 * title becomes an alias, so that links by it still lead there.
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

/** The aliases as written, including items that are mappings to YAML, such as `Git: worktrees`. */
function aliasesOf(front: FrontMap): readonly FrontValue[] {
  const stated = front.get("aliases");
  if (isSequence(stated)) return stated;
  return isMapping(stated) ? [stated] : frontList(front, "aliases");
}

/**
 * A patch for `theirs` that has the effect that `patch` had on `base`. Undefined if both changed the same
 * place.
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
      const isFree = [old, patch.value].some((one) => canonical(one) === canonical(current));
      if (isFree) return patch;
      const areLists = [patch.value, current].every(isListOfWords);
      return areLists ? { ...patch, value: mergeLists(old, patch.value, current) } : undefined;
    }
    case "rewrite": {
      const merged = merge3(contentLines(before), `${patch.text.trim()}\n`, contentLines(now));
      return merged.clean ? { ...patch, text: merged.text } : undefined;
    }
  }
}

/** The extent of a section that may be replaced, without the note's history. */
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

/** The heading that merge_notes.ts and `sage knowledge edit` write. */
const UNMERGED = /^Updates \(unmerged\b/;

/** The end of the content, before unmerged updates: text added behind them would be removed with them. */
function endOfText(body: string): number {
  const { start, end } = contentRange(body);
  const isWithin = (at: number): boolean => at >= start && at < end;
  const own = sections(body).filter(({ level, start: at }) => level <= 2 && isWithin(at));
  const lastMerged = own.findLastIndex(({ heading }) => !UNMERGED.test(heading));
  return own[lastMerged + 1]?.start ?? end;
}

const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/;
const INDENTED_OR_ITEM = /^(?:[ \t]+\S|[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t])/;

/** Inserts a block behind the last line before `at` that is not blank. */
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

/** Replaces the text of a range, except for the blank lines at both ends. */
function replaceCore(body: string, from: number, to: number, text: string, eol: string): string {
  const block = text.replaceAll("\n", eol);
  const inner = body.slice(from, to);
  if (inner.trim() === "") {
    return block === "" ? body : insertBlock(body, from, block, eol);
  }
  const start = from + (/^(?:[ \t]*\r?\n)*/.exec(inner)?.[0].length ?? 0);
  return body.slice(0, start) + block + body.slice(endOfLines(body, to));
}

/** The end of the last line before `at` that is not blank. */
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

async function valueIn(text: string, key: string): Promise<FrontValue | undefined> {
  const heading = key === "title" ? firstHeading(splitFrontMatter(text).body) : undefined;
  return heading ?? (await frontOf(text)).get(key);
}

function isListOfWords(value: FrontValue | undefined): boolean {
  return isSequence(value) && value.every((item) => typeof item === "string");
}

async function frontOf(text: string): Promise<FrontMap> {
  const read = await readFrontMatter(text);
  return "map" in read ? read.map : new Map();
}
