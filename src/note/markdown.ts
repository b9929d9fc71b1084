/**
 * The parts of Markdown that Sage reads: headings, fences, wikilinks, tags. Headings and fences count only
 * at the beginning of a line, so that text which is indented below a list item never splits a section; a
 * fence that is not closed is none. It is no Markdown parser and renders nothing.
 */
import { pattern } from "../base/text/pattern.ts";
import { collapse } from "../base/text/text.ts";

/** Offsets of a section in a body; `textStart` is behind the heading's line. */
export interface Extent {
  readonly start: number;
  readonly textStart: number;
  readonly end: number;
}

export interface Section {
  /** 1 to 6; 0 for the text before the first heading. */
  readonly level: number;
  readonly heading: string;
  /** The headings of the sections that it is in, and its own. */
  readonly path: readonly string[];
  /** Offsets in the body: of the heading's line, and of the next heading of any level. */
  readonly start: number;
  readonly end: number;
  /** The text from behind the heading's line to `end`. */
  readonly text: string;
}

export interface Wikilink {
  readonly target: string;
  readonly start: number;
}

const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*\r?$/;
const HEADING = /^(#{1,6})(?=[ \t\r]|$)/;

/** For each line, whether it belongs to a fenced code block, its fences included. */
export function fencedLines(lines: readonly string[]): boolean[] {
  const longest = longestEnds(lines);
  const fenced: boolean[] = new Array(lines.length).fill(false);
  for (let i = 0; i < lines.length; i++) {
    const opening = fenceOf(lines[i] ?? "");
    const closes = longest[opening?.startsWith("~") ? "~" : "`"][i + 1] ?? 0;
    if (opening === undefined || closes < opening.length) continue;
    fenced[i] = true;
    while (++i < lines.length) {
      fenced[i] = true;
      const closing = FENCE_END.exec(lines[i] ?? "")?.[1];
      if (closing?.startsWith(opening)) break;
    }
  }
  return fenced;
}

/** The marks of an opening fence on this line, such as three backticks. */
export function fenceOf(line: string): string | undefined {
  const match = FENCE.exec(line);
  return match?.[1] ?? match?.[2];
}

/** For each line the longest closing fence from there on, by which an unclosed fence is known in one pass. */
function longestEnds(lines: readonly string[]): Record<"`" | "~", number[]> {
  const ends: Record<"`" | "~", number[]> = { "`": [], "~": [] };
  for (let i = lines.length - 1; i >= 0; i--) {
    const mark = FENCE_END.exec(lines[i] ?? "")?.[1] ?? "";
    for (const kind of ["`", "~"] as const) {
      const here = mark.startsWith(kind) ? mark.length : 0;
      ends[kind][i] = Math.max(here, ends[kind][i + 1] ?? 0);
    }
  }
  return ends;
}

/** All sections of a body, in order. */
export function sections(body: string): Section[] {
  const lines = body.split("\n");
  const fenced = fencedLines(lines);
  const found: Section[] = [];
  const above: { level: number; heading: string }[] = [];
  let open = { level: 0, heading: "", path: [] as string[], start: 0, textStart: 0 };
  let offset = 0;
  for (const [i, line] of lines.entries()) {
    const level = fenced[i] ? 0 : HEADING.exec(line)?.[1]?.length ?? 0;
    if (level > 0) {
      close(offset);
      while ((above.at(-1)?.level ?? 0) >= level) above.pop();
      const heading = line.slice(level).trim();
      above.push({ level, heading });
      const path = above.map((parent) => parent.heading);
      const textStart = Math.min(offset + line.length + 1, body.length);
      open = { level, heading, path, start: offset, textStart };
    }
    offset += line.length + 1;
  }
  close(body.length);
  return found;

  function close(end: number): void {
    const { level, heading, path, start, textStart } = open;
    const text = body.slice(textStart, end);
    if (level > 0 || text.trim() !== "") found.push({ level, heading, path, start, end, text });
  }
}

/** The first heading of level 1 that is not empty: the note's title. */
export function titleSection(body: string): Section | undefined {
  return sections(body).find(({ level, heading }) => level === 1 && heading !== "");
}

export function firstHeading(body: string): string | undefined {
  return titleSection(body)?.heading;
}

/**
 * The text below a heading, with its subsections; undefined if there is no such heading. `levelMax` is 2
 * for fields of a note, in whose text deeper headings belong.
 */
export function sectionText(body: string, heading: string, levelMax = 6): string | undefined {
  const range = sectionRange(body, heading, levelMax);
  return range === undefined ? undefined : trimLines(body.slice(range.textStart, range.end));
}

/** The body with another text below a heading; a missing section is added at the end. */
export function replaceSection(body: string, heading: string, text: string): string {
  const eol = body.includes("\r\n") ? "\r\n" : "\n";
  const content = trimLines(text).replace(/\r?\n/g, eol);
  const range = sectionRange(body, heading);
  const block = content === "" ? "" : eol + content + eol;
  if (range === undefined) {
    const above = body.trimEnd();
    return `${above}${above === "" ? "" : eol + eol}## ${heading}${eol}${block}`;
  }
  const onLine = /\n$/.test(body.slice(0, range.textStart)) ? "" : eol;
  const below = body.slice(range.end);
  return body.slice(0, range.textStart) + onLine + block + (below === "" ? "" : eol + below);
}

/** The extent of the section with this heading, with its subsections. Headings are compared by `nameOf`. */
export function sectionRange(body: string, heading: string, levelMax = 6): Extent | undefined {
  const all = sections(body);
  const wanted = nameOf(heading);
  const title = all.find((section) => section.level === 1 && section.heading !== "");
  const named = all.filter((section) =>
    section.level > 0 && section.level <= levelMax && nameOf(section.heading) === wanted &&
    (section !== title || levelMax === 6)
  );
  // The title may have the same name as a section.
  const found = named.find((section) => section.level === 2) ??
    named.find((section) => section !== title) ?? named[0];
  return found && extentOf(found, all, body);
}

/** The extent of one of these sections, with its subsections. */
export function extentOf(found: Section, all: readonly Section[], body: string): Extent {
  const next = all.slice(all.indexOf(found) + 1).find((section) => section.level <= found.level);
  const textStart = found.end - found.text.length;
  return { start: found.start, textStart, end: next?.start ?? body.length };
}

/** `**Key evidence:** ##` and `Key Evidence` are one name. */
export function nameOf(heading: string): string {
  return collapse(heading.replace(/[*_:#]+/g, " ")).toLowerCase();
}

/** `[[target#section|shown]]`; in a table the bar is escaped. */
const WIKILINK = /\[\[([^\[\]\n|#]{0,300}?)(#[^\[\]\n|]{0,300}?)?(?:\\?\|[^\[\]\n]{0,300})?\]\]/g;

/** Wikilinks outside code. `target` is without the section. */
export function links(body: string): Wikilink[] {
  const found: Wikilink[] = [];
  for (const match of withoutCode(body).matchAll(WIKILINK)) {
    const target = (match[1] ?? "").trim();
    if (target === "") continue;
    found.push({ target, start: match.index });
  }
  return found;
}

/** A link's new target; `shown` is used if the link has no text of its own. */
export interface Retarget {
  readonly target: string;
  readonly shown?: string;
}

/** The body with other targets in its wikilinks; links for which `change` returns undefined stay. */
export function withTargets(
  body: string,
  change: (link: { readonly target: string; readonly raw: string }) => Retarget | undefined,
): string {
  let out = "";
  let done = 0;
  for (const match of withoutCode(body).matchAll(WIKILINK)) {
    const [raw, written = "", section = ""] = match;
    const target = written.trim();
    const next = target === "" ? undefined : change({ target, raw });
    if (next === undefined) continue;
    const start = match.index + 2;
    const alias = raw.slice(2 + written.length + section.length, -2);
    const shown = alias === "" && next.shown !== undefined ? `|${next.shown}` : alias;
    const says = shown === `|${next.target}` && section === "" ? "" : shown;
    out += body.slice(done, start) + next.target + section + says;
    done = match.index + raw.length - 2;
  }
  return out + body.slice(done);
}

/** `#tags` in the text outside code, without the mark; a number alone is no tag. */
export function tags(body: string): string[] {
  const found = withoutCode(body).matchAll(
    pattern(String.raw`(?<=^|[\s(])#([\p{L}\p{N}_\/-]{1,100})`, "gmu"),
  );
  return [...new Set([...found].map((match) => match[1] ?? ""))].filter((tag) => /\D/.test(tag));
}

/** The body with code replaced by spaces, so that offsets stay. */
export function withoutCode(body: string): string {
  const lines = body.split("\n");
  const fenced = fencedLines(lines);
  return lines.map((line, i) =>
    fenced[i]
      ? " ".repeat(line.length)
      : line.replace(/`[^`]+`/g, (code) => " ".repeat(code.length))
  ).join("\n");
}

/** The text without blank lines at the beginning and white space at the end. */
export function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
}

/** The body without its title. */
export function withoutTitle(body: string): string {
  const title = titleSection(body);
  if (title === undefined) return trimLines(body);
  return trimLines(body.slice(0, title.start) + body.slice(title.end - title.text.length));
}
