/**
 * Unescapes a text: nested JSON strings, percent-encoding, XML entities, concatenated string literals,
 * continued lines. A secret in such a text has other neighbours than its rule expects (`\nghp_…`,
 * `%3Apassword%40`), so the scanner looks at both versions. Base64 is in encoded.ts, tokens broken by a
 * terminal or a mail in wrapped_tokens.ts.
 */
import type { Match } from "./finding.ts";

/**
 * Escapes that stand for a character: backslashes of any depth (in Markdown also before `_` and `-`),
 * percent-encoded ASCII, entities. And what is removed: terminal colours, zero-width characters, line
 * continuations, the joint of two string literals, a line break after the dot of a token.
 */
const ESCAPE = new RegExp(
  [
    // `"gh" + "p_…"`, and literals on consecutive lines. A `+` at the start of a line is a diff's.
    /(?<!\\)\\{0,16}["'`](?:(?:EOL)?[ \t]{1,80}\.{1,2}|(?:(?:EOL)?[ \t]{1,80})?\+)[ \t]{0,80}(?:EOL[ \t]{0,80})?[bfru]{0,2}\\{0,16}["'`]/,
    /(?<!\\)\\{0,16}(?:"EOL[ \t]{0,80}[bfru]{0,2}\\{0,16}"|'EOL[ \t]{0,80}[bfru]{0,2}')/,
    /(?:ESC|(?<!\\)\\{1,16}(?:u001[Bb]|x1[Bb]|033|e))\[[\d;]{0,16}[mK]/,
    /(?<!\\)\\{1,16}(?:(?:u00|x)([2-7][\dA-Fa-f])|(["'/nrt_-]))/,
    /%([2-7][\dA-Fa-f]|0[AaDd9])/,
    /&(?:#x([2-7][\dA-Fa-f])|#(\d{2,3})|(quot|amp));/,
    /[\u00AD\u034F\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFE00-\uFE0F\uFEFF]|\uDB40[\uDC00-\uDFFF]/,
    /\\\r?\n[ \t]{0,80}/,
    /(?<=[\w-]{16}\.)\r?\n(?=[\w-]{16})/,
  ].map(({ source }) =>
    source.replaceAll("EOL", "(?:\\r?\\n|(?:\\\\{1,16}r)?\\\\{1,16}n)").replace("ESC", "\\x1B")
  ).join("|"),
  "g",
);

const NAMED: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  quot: '"',
  amp: "&",
};

interface Unescaped {
  readonly text: string;
  /** The range in the original text of a match in the unescaped one. */
  original(match: Match): Match;
}

/** Undefined if nothing is escaped. */
export function unescaped(text: string): Unescaped | undefined {
  if (text.search(ESCAPE) === -1) return undefined;
  /** The original offset of each unescaped UTF-16 unit, and of the end. */
  const places = new Uint32Array(text.length + 1);
  let length = 0;
  let from = 0;
  const read = text.replace(ESCAPE, (whole, ...groups) => {
    const [escaped, sign, byte, hexEntity, number, named, at] = groups;
    while (from < at) places[length++] = from++;
    from = at + whole.length;
    const hex: string | undefined = escaped ?? byte ?? hexEntity;
    const one = hex === undefined && number === undefined
      ? NAMED[sign ?? named] ?? sign ?? ""
      : String.fromCharCode(Number(number ?? `0x${hex}`));
    if (one !== "") places[length++] = at;
    return one;
  });
  while (from <= text.length) places[length++] = from++;
  return {
    text: read,
    original: ({ rule, start, end }) => ({
      rule,
      start: places[start] ?? start,
      end: places[end] ?? end,
    }),
  };
}
