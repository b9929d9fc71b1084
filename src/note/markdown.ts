/**
 * The little of Markdown that Sage looks at: headings, fences, wikilinks, tags. Headings and fences
 * count at the start of a line only, so that what is indented below a list item never splits a
 * section; a fence that nobody closed is none. It is no Markdown parser and renders nothing.
 */
import { pattern } from "../base/pattern.ts";
import { collapse } from "../base/text.ts";

/** Offsets in a body; the text begins below the heading's line. */
export interface Extent {
  readonly start: number;
  readonly textStart: number;
  readonly end: number;
}

export interface Section {
  /** 1 to 6; 0 for what stands before the first heading. */
  readonly level: number;
  readonly heading: string;
  /** The headings above and its own. */
  readonly path: readonly string[];
  /** Offsets in the body: the heading's line, and where the next heading of any level begins. */
  readonly start: number;
  readonly end: number;
  /** Below the heading's line, up to `end`. */
  readonly text: string;
}

export interface Wikilink {
  readonly target: string;
  readonly start: number;
}

const FENCE = /^(?:(`{3,})[^`]*|(~{3,}).*)$/;
const FENCE_END = /^ {0,3}(`{3,}|~{3,})[ \t]*\r?$/;
const HEADING = /^(#{1,6})(?=[ \t\r]|$)/;

/** For each line, whether it belongs to a code fence (its own lines included). */
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

/** The run of marks that opens a fence on this line. */
export function fenceOf(line: string): string | undefined {
  const match = FENCE.exec(line);
  return match?.[1] ?? match?.[2];
}

/** The longest closing mark from each line on, so that an unclosed fence costs nothing to know. */
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

/** The body in sections, in order; nothing is left out. */
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

/** The first heading of level 1 that says something: the note's title. */
export function titleSection(body: string): Section | undefined {
  return sections(body).find(({ level, heading }) => level === 1 && heading !== "");
}

export function firstHeading(body: string): string | undefined {
  return titleSection(body)?.heading;
}

/**
 * What stands below a heading, deeper sections included; undefined where there is no such heading.
 * Fields of a note are headings of level 2 at most; below that, a heading belongs to their text.
 */
export function sectionText(body: string, heading: string, levelMax = 6): string | undefined {
  const range = sectionRange(body, heading, levelMax);
  return range === undefined ? undefined : trimLines(body.slice(range.textStart, range.end));
}

/** The body with other text below a heading; the section is added at the end where it is missing. */
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

/** Offsets of a section with its subsections. Names are compared as people write them. */
export function sectionRange(
  body: string,
  heading: string,
  levelMax = 6,
): Extent | undefined {
  const all = sections(body);
  const wanted = nameOf(heading);
  const title = all.find((section) => section.level === 1 && section.heading !== "");
  const named = all.filter((section) =>
    section.level > 0 && section.level <= levelMax && nameOf(section.heading) === wanted &&
    (section !== title || levelMax === 6)
  );
  // A title may be called like a section of its note.
  const found = named.find((section) => section.level === 2) ??
    named.find((section) => section !== title) ?? named[0];
  return found && extentOf(found, all, body);
}

/** Where one of these sections of a body lies, with its subsections. */
export function extentOf(found: Section, all: readonly Section[], body: string): Extent {
  const next = all.slice(all.indexOf(found) + 1).find((section) => section.level <= found.level);
  const textStart = found.end - found.text.length;
  return { start: found.start, textStart, end: next?.start ?? body.length };
}

/** `**Key evidence:** ##` and `Key Evidence` are one name. */
export function nameOf(heading: string): string {
  return collapse(heading.replace(/[*_:#]+/g, " ")).toLowerCase();
}

/** `[[target#section|shown]]`; in a table the bar has a backslash before it. */
const WIKILINK = /\[\[([^\[\]\n|#]{0,300}?)(#[^\[\]\n|]{0,300}?)?(?:\\?\|[^\[\]\n]{0,300})?\]\]/g;

/** Wikilinks outside code. The target is without its section. */
export function links(body: string): Wikilink[] {
  const found: Wikilink[] = [];
  for (const match of withoutCode(body).matchAll(WIKILINK)) {
    const target = (match[1] ?? "").trim();
    if (target === "") continue;
    found.push({ target, start: match.index });
  }
  return found;
}

/** What a link is to be instead; `shown` where it shows no name of its own. */
export interface Retarget {
  readonly target: string;
  readonly shown?: string;
}

/** The body with other targets in its wikilinks; what `change` does not name stays to the byte. */
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

/** `#tags` in the text, outside code, without the mark; numbers alone are none. */
export function tags(body: string): string[] {
  const found = withoutCode(body).matchAll(
    pattern(String.raw`(?<=^|[\s(])#([\p{L}\p{N}_\/-]{1,100})`, "gmu"),
  );
  return [...new Set([...found].map((match) => match[1] ?? ""))].filter((tag) => /\D/.test(tag));
}

/** The body with code blanked out, every offset kept. */
export function withoutCode(body: string): string {
  const lines = body.split("\n");
  const fenced = fencedLines(lines);
  return lines.map((line, i) =>
    fenced[i]
      ? " ".repeat(line.length)
      : line.replace(/`[^`]+`/g, (code) => " ".repeat(code.length))
  ).join("\n");
}

/** Without blank lines above and white space below. */
export function trimLines(text: string): string {
  return text.replace(/^(?:[ \t]*\r?\n)+/, "").trimEnd();
}

/** The body without its first heading of level 1. */
export function withoutTitle(body: string): string {
  const title = titleSection(body);
  if (title === undefined) return trimLines(body);
  return trimLines(body.slice(0, title.start) + body.slice(title.end - title.text.length));
}
