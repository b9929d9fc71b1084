/**
 * A note's Markdown as elements made one by one, so that no text of a note is ever markup. Links to notes
 * lead to them on this page; others stay text, so that nothing is loaded or opened by mistake.
 */
import { type ComponentChildren, createElement, type VNode } from "preact";
import { neutralize } from "../../base/text/printable.ts";
import { createMarkdown, type Token } from "../../note/markdown_it.ts";

const markdown = createMarkdown();

export function Prose({ text }: { readonly text: string }): VNode {
  return <div class="prose">{elementsOf(markdown.parse(neutralize(text), {}))}</div>;
}

/** A text as one line, without invisible characters and changes of direction. */
export function shown(text: string): string {
  return neutralize(text).replace(/\s+/g, " ").trim();
}

function elementsOf(tokens: readonly Token[]): ComponentChildren {
  const whole: ComponentChildren[] = [];
  const open: { readonly token: Token; readonly content: ComponentChildren[] }[] = [];
  const add = (child: ComponentChildren): void => void (open.at(-1)?.content ?? whole).push(child);
  for (const token of tokens) {
    if (token.nesting === 1) open.push({ token, content: [] });
    else if (token.nesting === 0) add(leaf(token));
    else {
      const ended = open.pop();
      if (ended !== undefined) add(element(ended.token, ended.content));
    }
  }
  return whole;
}

function element(token: Token, content: ComponentChildren[]): ComponentChildren {
  // A paragraph of a list whose items are one line each.
  if (token.hidden) return content;
  switch (token.type) {
    case "heading_open":
      return token.tag === "h1" ? <h2>{content}</h2> : <h3>{content}</h3>;
    case "table_open":
      return (
        <div class="table" tabIndex={0}>
          <table>{content}</table>
        </div>
      );
    case "th_open":
      return <th scope="col">{content}</th>;
    case "ordered_list_open":
      return <ol start={Number(token.attrGet("start") ?? 1)}>{content}</ol>;
    case "link_open":
      return token.info === "auto" ? content : [content, ` (${token.attrGet("href")})`];
    default:
      return createElement(token.tag, null, ...content);
  }
}

function leaf(token: Token): ComponentChildren {
  switch (token.type) {
    case "inline":
      return elementsOf(token.children ?? []);
    case "fence":
    case "code_block":
      return <pre tabIndex={0}><code>{token.content.replace(/\n$/, "")}</code></pre>;
    case "code_inline":
      return <code>{token.content}</code>;
    case "wikilink":
      return (
        <a href={`#/search/${encodeURIComponent(String(token.meta?.target))}`}>{token.content}</a>
      );
    case "softbreak":
      return " ";
    case "hardbreak":
      return <br />;
    case "hr":
      return <hr />;
    default:
      return token.content;
  }
}
