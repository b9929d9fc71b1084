/**
 * Renders and reads topics: pages of links that a person curates. Sage writes only between its two marks.
 * Which notes belong to a topic is decided in memory/topic.ts.
 */
import { SageError } from "../base/errors.ts";
import { collapse } from "../base/text/text.ts";
import { renderTitle } from "./fields.ts";
import { renderFrontMatter, splitFrontMatter } from "./front_matter.ts";
import { links } from "./markdown.ts";
import type { Note } from "./note.ts";
import { type Generated, generatedValue, type Header, headerEntries } from "./provenance.ts";

const BEGIN = "<!-- sage:begin -->";
const END = "<!-- sage:end -->";

/** The marks, with white space and case as an editor may change them. */
const BEGIN_MARK = /<!--[ \t]*sage:begin[ \t]*-->/i;
const END_MARK = /<!--[ \t]*sage:end[ \t]*-->/i;
const ANY_MARK = /<!--(?=[ \t]*sage:(?:begin|end))/gi;

export interface TopicLink {
  /** The id or title that the link names. */
  readonly target: string;
  readonly alias?: string | undefined;
  /** One line on why it is listed. */
  readonly summary?: string | undefined;
}

export interface TopicDraft {
  readonly title: string;
  /** Markdown above the region, which belongs to the person from then on. */
  readonly introduction?: string | undefined;
  readonly links: readonly TopicLink[];
  readonly generated?: Generated | undefined;
}

export interface Topic {
  /** The text between the marks; undefined without marks. */
  readonly region: string | undefined;
  /** Every link of the page, the person's included. */
  readonly targets: readonly string[];
}

export function renderTopic(draft: TopicDraft, header: Header): string {
  const front = renderFrontMatter([
    ...headerEntries("topic", header),
    ["generated", generatedValue(draft.generated)],
  ]);
  const introduction = draft.introduction?.trim() ?? "";
  const above = introduction === "" ? "" : `${inert(introduction)}\n\n`;
  return `${front}\n${renderTitle(draft.title)}${above}${block(renderLinks(draft.links), "\n")}\n`;
}

export function readTopic(note: Note): Topic {
  const found = regionOf(note.body);
  return {
    region: found.kind === "found" ? note.body.slice(found.start, found.end).trim() : undefined,
    targets: [...new Set(links(note.body).map((link) => link.target))],
  };
}

/** The list of links for the region. */
export function renderLinks(items: readonly TopicLink[]): string {
  return items.map(({ target, alias, summary }) => {
    const clean = (text: string) => text.replace(/[\[\]|\s]+/gu, " ").trim();
    const name = alias === undefined ? "" : `|${clean(alias)}`;
    const why = collapse(summary ?? "");
    return `- [[${clean(target)}${name}]]${why ? `: ${why}` : ""}`;
  }).join("\n");
}

/**
 * The file's text with another region; every other byte stays. Without marks the region is added at the
 * end. Throws `conflict` if only one of the marks is there, because a person is editing.
 */
export function replaceRegion(text: string, region: string): string {
  const { eol, bodyStart } = splitFrontMatter(text);
  const content = block(region, eol);
  const found = regionOf(text.slice(bodyStart));
  if (found.kind === "broken") {
    throw new SageError("conflict", "Cannot update the topic: its sage:begin has no sage:end", {
      hint: `add ${END}, or remove ${BEGIN}`,
    });
  }
  if (found.kind === "none") {
    const gap = text === "" || /\n[ \t]*\r?\n$/.test(text)
      ? ""
      : text.endsWith("\n")
      ? eol
      : eol + eol;
    return text + gap + content + eol;
  }
  const { outerStart, outerEnd } = found;
  return text.slice(0, bodyStart + outerStart) + content + text.slice(bodyStart + outerEnd);
}

type Region =
  | { kind: "found"; start: number; end: number; outerStart: number; outerEnd: number }
  | { kind: "none" }
  | { kind: "broken" };

function regionOf(body: string): Region {
  const begin = BEGIN_MARK.exec(body);
  if (begin === null) return { kind: END_MARK.test(body) ? "broken" : "none" };
  const start = begin.index + begin[0].length;
  const end = END_MARK.exec(body.slice(start));
  if (end === null) return { kind: "broken" };
  const outerEnd = start + end.index + end[0].length;
  return { kind: "found", start, end: start + end.index, outerStart: begin.index, outerEnd };
}

function block(region: string, eol: string): string {
  const content = inert(region).trim().replace(/\r\n?|\n/g, eol);
  return [BEGIN, ...(content === "" ? [] : [content]), END].join(eol);
}

/** Escapes marks inside the region, which would end it early. */
function inert(text: string): string {
  return text.replace(ANY_MARK, "&lt;!--");
}
