/**
 * Renders the text of a field as the content of a section, and reads it back. A line that would begin
 * another section, or open a fence that is never closed, is escaped with a backslash, which Markdown does
 * not show. Reading takes lists and paragraphs as people write them.
 */
import { collapse } from "../base/text/text.ts";
import { fencedLines, fenceOf, trimLines } from "./markdown.ts";

/** Headings of level 1 and 2 divide a body into fields; deeper ones belong to the text. */
const FIELD_LEVELS = /^(\\*)(#{1,2}(?:[ \t]|$))/;
const ESCAPED_FENCE = /^(\\*)(`{3,}[^`]*|~{3,}.*)$/;

/** Renders a text as the content of a section. `dividing`: the lines that would begin another section. */
export function renderField(text: string, dividing: RegExp = FIELD_LEVELS): string {
  const lines = trimLines(text.replace(/\r\n?/g, "\n")).split("\n");
  const fenced = fencedLines(lines);
  return lines.map((line, i) =>
    !fenced[i] && (dividing.test(line) || ESCAPED_FENCE.test(line)) ? "\\" + line : line
  ).join("\n");
}

/** The text that a section's content stands for. */
export function readField(content: string, dividing: RegExp = FIELD_LEVELS): string {
  const lines = trimLines(content.replace(/\r\n?/g, "\n")).split("\n");
  const fenced = fencedLines(lines);
  return lines.map((line, i) =>
    !fenced[i] && line.startsWith("\\") && (dividing.test(line) || isFence(line))
      ? line.slice(1)
      : line
  ).join("\n");
}

function isFence(line: string): boolean {
  return fenceOf(line.replace(/^\\+/, "")) !== undefined;
}

/** A list with a bullet for each item; further lines of an item are indented. */
export function renderList(items: readonly string[]): string {
  return items.map((item) => item.replace(/\r\n?/g, "\n").trim())
    .filter((item) => item !== "")
    .map((item) =>
      "- " + item.split("\n").map((line, i) => i > 0 && line !== "" ? `  ${line}` : line).join("\n")
    )
    .join("\n");
}

const BULLET = /^( *)((?:[-*+]|\d{1,9}[.)])[ \t]+)(.*)$/s;

/** The items of a list; paragraphs of prose count as items. */
export function readList(content: string | undefined): string[] {
  const items: string[][] = [];
  let margin = -1;
  let width = 0;
  let afterBlank = true;
  for (const line of (content ?? "").replace(/\r\n?/g, "\n").split("\n")) {
    const bullet = BULLET.exec(line);
    const indent = line.length - line.trimStart().length;
    if (bullet !== null && (margin < 0 || indent <= margin)) {
      margin = bullet[1]?.length ?? 0;
      width = margin + Math.min(bullet[2]?.length ?? 2, 4);
      items.push([bullet[3] ?? ""]);
    } else if (line.trim() === "") {
      items.at(-1)?.push("");
    } else if (afterBlank && (margin < 0 || indent <= margin)) {
      margin = -1;
      items.push([line]);
    } else items.at(-1)?.push(line.slice(Math.min(width, line.search(/[^ ]|$/))));
    afterBlank = line.trim() === "";
  }
  return items.map((lines) => lines.join("\n").trim()).filter((item) => item !== "");
}

/** A section of level 2; empty without content. */
export function renderSection(heading: string, content: string): string {
  return content === "" ? "" : `## ${heading}\n\n${content}\n\n`;
}

/** A title as a heading of level 1. */
export function renderTitle(title: string): string {
  return `# ${collapse(title) || "Untitled"}\n\n`;
}
