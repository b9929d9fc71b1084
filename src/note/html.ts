/** Renders the Markdown of notes as HTML without scripts, images or embedded HTML (markdown_it.ts). */
import { escapeHtml } from "../base/text/escape_html.ts";
import { createMarkdown, type Token } from "./markdown_it.ts";

/** HTML for the body of a page. */
export function renderHtml(text: string): string {
  const markdown = createMarkdown();
  const { rules } = markdown.renderer;
  const code = (tokens: Token[], i: number): string =>
    `<pre><code>${escapeHtml(tokens[i]?.content ?? "")}</code></pre>\n`;
  rules.fence = code;
  rules.code_block = code;
  rules.wikilink = (tokens, i) => `<cite>${escapeHtml(tokens[i]?.content ?? "")}</cite>`;
  rules.link_open = (tokens, i) => {
    const address = tokens[i]?.attrGet("href") ?? "";
    return `<a href="${escapeHtml(String(address))}" rel="noopener noreferrer">`;
  };
  return markdown.render(text).trimEnd();
}
