/**
 * A note's text on the page: the Markdown that people write most, as elements made one by one, so that
 * no text of a note is ever markup. Links lead to notes on this page or stay text, images too:
 * nothing is loaded, nothing is clicked by mistake.
 */
import type { VNode } from "preact";
import { neutralize } from "../../base/printable.ts";

type Block =
  | { readonly kind: "heading"; readonly text: string; readonly level: number }
  | { readonly kind: "list"; readonly items: readonly string[]; readonly isOrdered: boolean }
  | { readonly kind: "code" | "quote" | "paragraph"; readonly text: string };

export function Prose({ text }: { readonly text: string }): VNode {
  return <div class="prose">{blocksOf(neutralize(text)).map(render)}</div>;
}

/** One line of somebody's words, without what hides or turns it. */
export function shown(text: string): string {
  return neutralize(text).replace(/\s+/g, " ").trim();
}

function render(block: Block): VNode {
  switch (block.kind) {
    case "heading":
      return block.level <= 1 ? <h2>{inline(block.text)}</h2> : <h3>{inline(block.text)}</h3>;
    case "list": {
      const items = block.items.map((item, i) => <li key={i}>{inline(item)}</li>);
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>;
    }
    case "code":
      return <pre tabIndex={0}><code>{block.text}</code></pre>;
    case "quote":
      return <blockquote>{inline(block.text)}</blockquote>;
    case "paragraph":
      return <p>{inline(block.text)}</p>;
  }
}

function blocksOf(text: string): Block[] {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const blocks: Block[] = [];
  const take = (matches: (line: string) => boolean): string[] => {
    const taken: string[] = [];
    while (lines[0] !== undefined && matches(lines[0])) taken.push(lines.shift() ?? "");
    return taken;
  };
  while (lines.length > 0) {
    const line = lines[0] ?? "";
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (line.trim() === "") lines.shift();
    else if (/^\s*(```|~~~)/.test(line)) {
      lines.shift();
      const code = take((one) => !/^\s*(```|~~~)/.test(one));
      lines.shift();
      blocks.push({ kind: "code", text: code.join("\n") });
    } else if (heading !== null) {
      lines.shift();
      const [, marks = "", words = ""] = heading;
      blocks.push({ kind: "heading", text: words, level: marks.length });
    } else if (ITEM.test(line)) {
      const items: string[] = [];
      for (const one of take((one) => ITEM.test(one) || /^\s{2,}\S/.test(one))) {
        if (ITEM.test(one)) items.push(one.replace(ITEM, ""));
        else items.push(`${items.pop() ?? ""} ${one.trim()}`);
      }
      blocks.push({ kind: "list", items, isOrdered: /^\s*\d/.test(line) });
    } else if (/^>/.test(line)) {
      const words = take((one) => /^>/.test(one)).map((one) => one.replace(/^>\s?/, ""));
      blocks.push({ kind: "quote", text: words.join(" ") });
    } else {
      const words = [lines.shift() ?? "", ...take((one) => !BEGINS.test(one))];
      blocks.push({ kind: "paragraph", text: words.join(" ") });
    }
  }
  return blocks;
}

const ITEM = /^\s*([-*+]|\d{1,9}[.)])\s+/;
/** What a line of a paragraph does not begin with. */
const BEGINS = /^\s*$|^#{1,6}\s|^\s*(```|~~~)|^>|^\s*([-*+]|\d{1,9}[.)])\s+/;

/** `code`, **strong** and links to notes of ours; the rest is text. */
function inline(text: string): (VNode | string)[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[\[[^[\]]+\]\])/).map((part, i) => {
    const [, target, label = target] = /^\[\[([^|#]+)[^|]*(?:\|(.+))?\]\]$/.exec(part) ?? [];
    if (target !== undefined) {
      return <a key={i} href={`#/search/${encodeURIComponent(target.trim())}`}>{label}</a>;
    }
    if (/^`[^`]+`$/.test(part)) return <code key={i}>{part.slice(1, -1)}</code>;
    if (/^\*\*[^*]+\*\*$/.test(part)) return <strong key={i}>{part.slice(2, -2)}</strong>;
    return part;
  });
}
