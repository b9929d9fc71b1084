/**
 * A text as it reads once it is taken out of what it is packed in: strings of JSON within strings of
 * JSON, parts of an address, attributes of XML, continued lines. A secret in there has other neighbours
 * than its rule expects (`\nghp_…`, `%3Apassword%40`), so the text is looked at both ways. What its
 * letters themselves hide is the business of encoded.ts, what a line's end cut apart of wrapped_tokens.ts.
 */
import type { Match } from "./finding.ts";

/**
 * Backslashes of any depth before what they escape (in Markdown `_` and `-` too), bytes of ASCII in an
 * address, entities; and what only divides: colours of a terminal, characters without a width, continued
 * lines, a token that goes on behind its dot.
 */
const ESCAPE = new RegExp(
  [
    // `"gh" + "p_…"`, and strings that stand below each other; at the start of a line `+` is a diff's.
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
  /** The same match in the text as it was given. */
  original(match: Match): Match;
}

/** Undefined where nothing is escaped. */
export function unescaped(text: string): Unescaped | undefined {
  if (text.search(ESCAPE) === -1) return undefined;
  /** For each character that is read, and for the end, where it was. */
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
