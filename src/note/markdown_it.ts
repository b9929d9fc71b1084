/**
 * Markdown as people write notes, for those who look at them: CommonMark with tables, struck-out text,
 * boxes of tasks and `[[links]]`. No element comes from a text, and nothing that would be loaded: HTML and
 * images stay text, and a link has an address of the web or is none.
 */
import Markdown, { type MarkdownIt, type Token } from "markdown-it";

export type { Token };

/** From the place where reading stands; bounded, so that no text makes it slow. */
const WIKILINK = /\[\[([^[\]|#\n]{1,200})(?:#[^[\]|\n]{0,200})?(?:\|([^[\]\n]{1,200}))?\]\]/y;
const BOX = /^\[([ xX])\] (?=\S)/;

/** A token of its kind `wikilink` has its label as `content` and the note's name as `meta.target`. */
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
