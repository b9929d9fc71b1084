/**
 * Renders values as YAML that every tool reads alike: plain scalars if they cannot be mistaken, otherwise
 * double quotes; never anchors, tags or block scalars. Only for new text: edit.ts changes existing
 * text without rendering it anew.
 */
import { isAscii, lazyPattern } from "../text/pattern.ts";
import { isMapping, isSequence, type YamlMap, type YamlValue } from "./value.ts";

/** Lists of plain words stay on one line up to this width. */
const INLINE_LIST_CHARACTERS_MAX = 88;

/** Text that may be a plain scalar: no indicator of YAML at the beginning, no brackets or commas inside. */
const PLAIN = lazyPattern(
  String.raw`^[\p{L}\p{N}_./(+$][\p{L}\p{M}\p{N}\p{S} _./()$+@%&*'!?;:=~<>|"#\\·…–—“”‘’-]*$`,
  "u",
);
/** The same for most text, because Unicode classes cost a millisecond at their first use. */
const PLAIN_ASCII = /^[A-Za-z0-9_./(+$][A-Za-z0-9 _./()$+@%&*'!?;:=~<>|"#\\^`·…–—“”‘’-]*$/;
const MISREAD = /:(?: |$)| #| $|^(?:null|\.\.\.)$/i;
const UNPRINTABLE = lazyPattern(
  String.raw`["\\\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Cc}|\p{Cs}`,
  "gu",
);

/** `key: value`; nested values on the lines below, indented by two. Without the last line end. */
export function renderEntry(key: string, value: YamlValue, indent: number, eol: string): string {
  const head = renderScalar(key) + ":";
  if (typeof value === "string") return `${head} ${renderScalar(value)}`;
  const inline = renderInline(value);
  const size = isMapping(value) ? value.size : value.length;
  const isShort = isSequence(value) && value.every((item) => typeof item === "string") &&
    head.length + inline.length + indent < INLINE_LIST_CHARACTERS_MAX;
  if (size === 0 || isShort) return `${head} ${inline}`;
  const inner = indent + 2;
  return head + eol + " ".repeat(inner) + renderBlock(value, inner, eol);
}

/** A list or mapping in block style; the first line without indent, the last without line end. */
export function renderBlock(
  value: readonly YamlValue[] | YamlMap,
  indent: number,
  eol: string,
): string {
  const separator = eol + " ".repeat(indent);
  if (isMapping(value)) return renderEntries(value, indent, eol);
  return value.map((item) =>
    isMapping(item) && item.size > 0
      ? "- " + renderEntries(item, indent + 2, eol)
      : "- " + renderInline(item)
  ).join(separator);
}

/** A value on one line; lists and mappings in brackets. */
export function renderInline(value: YamlValue): string {
  if (typeof value === "string") return renderScalar(value, true);
  if (isMapping(value)) {
    const parts = [...value].map(([key, item]) =>
      `${renderScalar(key, true)}: ${renderInline(item)}`
    );
    return `{${parts.join(", ")}}`;
  }
  return `[${value.map(renderInline).join(", ")}]`;
}

/** A text as a scalar. `inBrackets`: within a list or mapping on one line. */
export function renderScalar(text: string, inBrackets = false): string {
  const isPlain = (PLAIN_ASCII.test(text) || !isAscii(text) && PLAIN().test(text)) &&
    !MISREAD.test(text) &&
    !(inBrackets && /:$/.test(text));
  return isPlain ? text : `"${text.replace(UNPRINTABLE(), escape)}"`;
}

function renderEntries(map: YamlMap, indent: number, eol: string): string {
  return [...map].map(([key, value]) => renderEntry(key, value, indent, eol))
    .join(eol + " ".repeat(indent));
}

function escape(ch: string): string {
  switch (ch) {
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    case '"':
    case "\\":
      return "\\" + ch;
  }
  const code = ch.charCodeAt(0);
  return code < 0x100
    ? "\\x" + code.toString(16).padStart(2, "0")
    : "\\u" + code.toString(16).padStart(4, "0");
}
