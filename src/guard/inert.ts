/**
 * Makes untrusted Markdown harmless before it is saved automatically: what a viewer would load or run
 * (images, frames, scripts, embeds, query and template blocks) becomes readable text. It applies inside
 * code fences too, because hostile Markdown can disguise where a fence or a comment ends. Idempotent.
 */

/** The text without anything that loads or runs when it is viewed. */
export function makeInert(markdown: string): string {
  return inertInline(inertBlocks(inertTags(inertImages(markdown))));
}

/**
 * Escapes the `!` of `![…](…)`, `![…][…]` and `![[…]]`. A Rust macro (`vec![`) is left alone if no link
 * follows it anywhere, because then it cannot be an image.
 */
function inertImages(text: string): string {
  const lastLink = Math.max(text.lastIndexOf("]("), text.lastIndexOf("]["), text.lastIndexOf("]:"));
  return text.replace(/(?<!\\)((?:\\\\)*)!(?=\[)/g, (found, slashes: string, at: number) => {
    const before = text.charAt(at - 1);
    const isMacro = slashes === "" && /\w/.test(before) && at > lastLink && text[at + 2] !== "[";
    return isMacro ? found : `${slashes}\\!`;
  });
}

/** Elements that load, run or change the rest of the page; `pre`, `textarea` may span blank lines. */
const ELEMENTS =
  /^\/?(?:iframe|frame|frameset|script|noscript|img|image|picture|source|track|video|audio|embed|object|applet|param|portal|link|style|meta|base|form|input|button|svg|use|math|template|slot|dialog|marquee|bgsound|body|html|head|webview|fencedframe|foreignobject|animate|set|pre|textarea)(?=[\s/>]|$)/i;
const ELEMENT_CHARACTERS_MAX = 24;

/**
 * Replaces `<` by `&lt;` in tags of `ELEMENTS`, in tags with an attribute value (handlers, `style`), and in
 * template commands (`<%`). Without a `=` before the first `>` a tag has no attribute value, whatever
 * quotes it contains.
 */
function inertTags(text: string): string {
  const closing = cursor(text, ">");
  const equals = cursor(text, "=");
  const blank = cursor(text, "\n\n");
  return text.replace(/<(?=[a-z/%])/gi, (found, at: number) => {
    if (text[at + 1] === "%") return "&lt;";
    const head = text.slice(at + 1, at + ELEMENT_CHARACTERS_MAX);
    if (ELEMENTS.test(head)) return "&lt;";
    return equals(at) < Math.min(closing(at), blank(at)) ? "&lt;" : found;
  });
}

/** A search for `needle`, or the text's end; offsets must not decrease, so the text is read once. */
function cursor(text: string, needle: string): (from: number) => number {
  let next = -1;
  return (from) => {
    if (next < from) next = text.indexOf(needle, from);
    if (next === -1) next = text.length;
    return next;
  };
}

/** Code blocks that a plugin runs or renders, by language; `&` because an entity could spell one. */
const LIVE_BLOCKS =
  /(?<![`~])(`{3,}|~{3,})([^\S\n]*(?:\{[^\S\n]*)?\.?)(?=(?:dataview(?:js)?|query|tasks?|templater(?:-js)?|js-engine|button|meta-bind[\w-]{0,40}|embed|base|tracker|leaflet|chart|timeline|iframe|excalidraw|customjs|datacore\w{0,8}|dice|widget|run-\w{1,20})(?!\w)|[\w-]{0,30}&)/gi;

function inertBlocks(text: string): string {
  return text.replace(LIVE_BLOCKS, "$1$2text ");
}

/** Inline queries of Dataview, `= this.file` and `$= dv.pages()`, also after spaces in the backticks. */
function inertInline(text: string): string {
  return text.replace(/(?<!`)(`+)(?=\s*\$?=(?![=>~]))/g, "$1\\");
}
