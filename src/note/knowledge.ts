/**
 * Renders and reads knowledge notes: what is known now, and a history of why it changed. The history is for
 * people; the store keeps replaced versions whole.
 */
import { collapse, withoutEnd } from "../base/text/text.ts";
import { readField, readList, renderField, renderTitle } from "./fields.ts";
import { renderFrontMatter, splitFrontMatter } from "./front_matter.ts";
import { frontFlag, frontLines, frontList, frontText, listOrNothing } from "./front_values.ts";
import {
  type Extent,
  extentOf,
  nameOf,
  sections,
  titleSection,
  trimLines,
  withoutTitle,
} from "./markdown.ts";
import type { FrontMap, Note } from "./note.ts";
import {
  type Generated,
  generatedValue,
  type Header,
  headerEntries,
  readGenerated,
  readSources,
  type Source,
  sourcesValue,
} from "./provenance.ts";

/** The subjects of knowledge that Sage proposes. */
export const SUBJECTS = [
  "fact",
  "decision",
  "entity",
  "pattern",
  "preference",
  "troubleshooting",
] as const;

export interface KnowledgeDraft {
  readonly title: string;
  /** Markdown. */
  readonly content: string;
  readonly subject: string;
  readonly keywords: readonly string[];
  /** RE2 syntax. */
  readonly patterns: readonly string[];
  readonly skills: readonly string[];
  readonly always: boolean;
  readonly sources: readonly Source[];
  /** Ids of the notes that this one replaces. */
  readonly supersedes?: readonly string[] | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly generated?: Generated | undefined;
}

export interface HistoryEntry {
  readonly date: string;
  readonly reason: string;
}

export interface Knowledge extends KnowledgeDraft {
  readonly supersedes: readonly string[];
  readonly tags: readonly string[];
  /** Newest first. */
  readonly history: readonly HistoryEntry[];
}

/** The only heading that may not occur in the content of a knowledge note, where it would begin the history. */
export const DIVIDING = /^(\\*)(##[ \t][\s*_:#]*History[\s*_:#]*$)/i;

export function renderKnowledge(draft: KnowledgeDraft, header: Header): string {
  const front = renderFrontMatter([
    ...headerEntries("knowledge", { ...header, tags: draft.tags ?? header.tags }),
    ["subject", draft.subject || undefined],
    ["keywords", listOrNothing(draft.keywords)],
    ["patterns", listOrNothing(draft.patterns)],
    ["skills", listOrNothing(draft.skills)],
    ["always", draft.always ? "true" : undefined],
    ["sources", sourcesValue(draft.sources)],
    ["supersedes", listOrNothing(draft.supersedes)],
    ["generated", generatedValue(draft.generated)],
  ]);
  const body = renderTitle(draft.title) + renderField(draft.content, DIVIDING);
  return `${front}\n${body.trimEnd()}\n`;
}

export function readKnowledge(note: Note): Knowledge {
  const { front, body } = note;
  return {
    title: note.title,
    tags: note.tags,
    content: readField(withoutTitle(withoutHistory(body)), DIVIDING),
    subject: subjectOf(front),
    keywords: frontList(front, "keywords"),
    patterns: frontLines(front, "patterns"),
    skills: frontList(front, "skills"),
    always: frontFlag(front, "always"),
    sources: readSources(front),
    supersedes: frontLines(front, "supersedes"),
    generated: readGenerated(front),
    history: readHistory(body),
  };
}

/** The subject that front matter gives, also by Tabula's `type: entity`; `""` without one. */
export function subjectOf(front: FrontMap): string {
  const isEntity = frontText(front, "type")?.toLowerCase() === "entity";
  return frontText(front, "subject") ?? (isEntity ? "entity" : "");
}

/** The file's text with a new entry on top of its history. */
export function addHistory(text: string, date: string, reason: string): string {
  const { eol, bodyStart } = splitFrontMatter(text);
  const body = text.slice(bodyStart);
  const line = `- ${date}: ${collapse(reason)}`;
  const range = historyRange(body);
  if (range === undefined) {
    const above = text.trimEnd();
    return `${above}${eol}${eol}## History${eol}${eol}${line}${eol}`;
  }
  const below = body.slice(range.textStart).replace(/^(?:[ \t]*\r?\n)+/, "");
  const head = withoutEnd(text.slice(0, bodyStart + range.textStart), /[\r\n]/);
  const gap = below === "" || /^ {0,3}(?:[-*+]|\d+[.)])[ \t]/.test(below) ? eol : eol + eol;
  return `${head}${eol}${eol}${line}${gap}${below}`;
}

/** What Sage writes where nobody gave a reason: that something was changed, which answers no question. */
const OWN_REASON =
  /^(?:replaced by a newer statement|(?:added(?: to)?|updated|[\w.-]+ set) by (?:person|agent|sage)|restored version \d+ of [\d-]+)$/;

/** The body without a history in which nobody gave a reason, as it is searched. */
export function withoutOwnHistory(body: string): string {
  const reasons = body.includes("History") ? readHistory(body) : [];
  const isOwn = reasons.length > 0 && reasons.every(({ reason }) => OWN_REASON.test(reason));
  return isOwn ? withoutHistory(body) : body;
}

/** The text below the heading of the history; empty if there is none. */
export function historyText(body: string): string {
  const range = historyRange(body);
  return range === undefined ? "" : trimLines(body.slice(range.textStart, range.end));
}

function readHistory(body: string): HistoryEntry[] {
  return readList(historyText(body)).map((item) => {
    const match = /^(\d{4}-\d{2}-\d{2}\S*?)[ \t]*[:,–—-]?[ \t]+(.*)$/s.exec(item);
    return { date: match?.[1] ?? "", reason: match?.[2] ?? item };
  });
}

/** The history is the last section of that name: earlier ones belong to the content. */
function historyRange(body: string): Extent | undefined {
  const all = sections(body);
  const found = all.findLast(({ level, heading }) => level === 2 && nameOf(heading) === "history");
  return found && extentOf(found, all, body);
}

/** The range of the content in a body, between title and history. */
export function contentRange(body: string): { start: number; end: number } {
  const title = titleSection(body);
  const end = historyRange(body)?.start ?? body.length;
  const start = title === undefined ? 0 : title.end - title.text.length;
  return { start: Math.min(start, end), end };
}

/** The body without its history. */
export function withoutHistory(body: string): string {
  const range = historyRange(body);
  if (range === undefined) return body;
  const below = body.slice(range.end);
  return trimLines(below) === ""
    ? body.slice(0, range.start)
    : `${body.slice(0, range.start).trimEnd()}\n\n${below}`;
}
