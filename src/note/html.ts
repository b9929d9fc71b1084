/**
 * Markdown as notes have it → HTML that only shows: everything is escaped, no element comes from the
 * text, nothing is loaded. Links lead to `http` and `https` alone. What it does not know stands there
 * as text; it is no Markdown parser.
 */
import { fencedLines } from "./markdown.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}

/** The body of a page. */
export function renderHtml(markdown: string): string {
  const lines = markdown.replaceAll("\r\n", "\n").split("\n");
  const fenced = fencedLines(lines);
  const out: string[] = [];
  for (let i = 0; i < lines.length;) {
    const kind = kindOf(lines[i] ?? "", fenced[i] ?? false);
    let end = i + 1;
    // A heading is one line; everything else goes on while the lines are of its kind.
    while (end < lines.length && kind !== "heading" && goesOn(kind, lines, fenced, end)) end++;
    out.push(renderBlock(kind, lines.slice(i, end)));
    i = end;
  }
  return out.filter((block) => block !== "").join("\n");
}

type Kind = "blank" | "code" | "heading" | "list" | "numbers" | "quote" | "rule" | "prose";

const ITEM = /^\s{0,8}[-*+] +/;
const NUMBER = /^\s{0,8}\d{1,4}[.)] +/;

function kindOf(line: string, isFenced: boolean): Kind {
  if (isFenced) return "code";
  if (line.trim() === "") return "blank";
  if (/^#{1,6}(?: |$)/.test(line)) return "heading";
  if (/^ {0,3}(?:(?:- *){3,}|(?:\* *){3,}|(?:_ *){3,})$/.test(line)) return "rule";
  if (ITEM.test(line)) return "list";
  if (NUMBER.test(line)) return "numbers";
  return line.startsWith(">") ? "quote" : "prose";
}

function goesOn(kind: Kind, lines: readonly string[], fenced: readonly boolean[], at: number) {
  const next = kindOf(lines[at] ?? "", fenced[at] ?? false);
  // An item's further lines are indented below it.
  const isBelow = (kind === "list" || kind === "numbers") && next === "prose" &&
    /^\s{2,}/.test(lines[at] ?? "");
  return next === kind || isBelow;
}

function renderBlock(kind: Kind, lines: readonly string[]): string {
  const [first = ""] = lines;
  switch (kind) {
    case "blank":
      return "";
    case "rule":
      return "<hr>";
    case "code":
      return `<pre><code>${escapeHtml(lines.slice(1, -1).join("\n"))}</code></pre>`;
    case "heading": {
      const level = /^#+/.exec(first)?.[0].length ?? 1;
      return `<h${level}>${renderInline(first.slice(level).trim())}</h${level}>`;
    }
    case "list":
      return `<ul>\n${items(lines, ITEM)}\n</ul>`;
    case "numbers":
      return `<ol>\n${items(lines, NUMBER)}\n</ol>`;
    case "quote":
      return `<blockquote>${
        renderInline(lines.map((line) => line.replace(/^> ?/, "")).join("\n"))
      }</blockquote>`;
    case "prose":
      return `<p>${renderInline(lines.join("\n"))}</p>`;
  }
}

function items(lines: readonly string[], mark: RegExp): string {
  const found: string[] = [];
  for (const line of lines) {
    if (mark.test(line)) found.push(line.replace(mark, ""));
    else found.push(`${found.pop() ?? ""} ${line.trim()}`);
  }
  return found.map((item) => `<li>${renderInline(item)}</li>`).join("\n");
}

/** Code, links, bare addresses, wikilinks, bold: each bounded, so that no text makes it slow. */
const INLINE =
  /`([^`\n]{1,500})`|\[([^\]\n]{1,300})\]\((https?:\/\/[^\s()<>"']{1,2000})\)|(https?:\/\/[^\s<>"'`)\]]{1,2000})|\[\[([^\]|\n]{1,200})(?:\|([^\]\n]{1,200}))?\]\]|\*\*([^*\n]{1,500})\*\*/g;

function renderInline(text: string): string {
  let out = "";
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const [, code, label, address, bare, target, alias, bold] = match;
    out += escapeHtml(text.slice(from, match.index));
    from = match.index + match[0].length;
    if (code !== undefined) out += `<code>${escapeHtml(code)}</code>`;
    else if (address !== undefined) out += link(address, label ?? address);
    else if (bare !== undefined) out += link(bare, bare);
    else if (target !== undefined) out += `<cite>${escapeHtml(alias ?? target)}</cite>`;
    else out += `<strong>${escapeHtml(bold ?? "")}</strong>`;
  }
  return out + escapeHtml(text.slice(from));
}

function link(address: string, label: string): string {
  return `<a href="${escapeHtml(address)}" rel="noopener noreferrer">${escapeHtml(label)}</a>`;
}
