/**
 * A parser of notes for display: CommonMark with tables, strikethrough, task boxes and `[[links]]`. It is
 * safe for untrusted text: HTML and images stay text, so nothing is loaded, and only links to http(s)
 * addresses are links.
 */
import Markdown, { type MarkdownIt, type Token } from "markdown-it";

export type { Token };

/** Sticky, because it is matched at the parser's position; bounded, so that no text makes it slow. */
const WIKILINK = /\[\[([^[\]|#\n]{1,200})(?:#[^[\]|\n]{0,200})?(?:\|([^[\]\n]{1,200}))?\]\]/y;
const BOX = /^\[([ xX])\] (?=\S)/;

/** Tokens of type `wikilink` have the label as `content` and the note's name as `meta.target`. */
export function createMarkdown(): MarkdownIt {
  const markdown = new Markdown({ html: false, linkify: true }).disable("image");
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  markdown.validateLink = (address) => /^https?:\/\//i.test(address);
  markdown.inline.ruler.before("link", "wikilink", (state, isSilent) => {
    WIKILINK.lastIndex = state.pos;
    const [whole, target, label = target] = WIKILINK.exec(state.src) ?? [];
    if (whole === undefined || target === undefined || label === undefined) return false;
    if (!isSilent) {
      const token = state.push("wikilink", "cite", 0);
      token.content = label.trim();
      token.meta = { target: target.trim() };
    }
    state.pos += whole.length;
    return true;
  });
  markdown.core.ruler.after("block", "boxes", ({ tokens }) => {
    tokens.forEach((token, i) => {
      if (token.type !== "inline" || tokens[i - 2]?.type !== "list_item_open") return;
      token.content = token.content.replace(BOX, (_, mark) => mark === " " ? "☐ " : "☑ ");
    });
  });
  return markdown;
}
