/**
 * A text as it reads once it is taken out of what it is packed in: strings of JSON within strings of
 * JSON, parts of an address, attributes of XML, continued lines. A secret in there has other neighbours
 * than its rule expects (`\nghp_…`, `%3Apassword%40`), so the text is looked at both ways.
 */
import type { Match } from "./finding.ts";

/**
 * Backslashes of any depth before what they escape, bytes of ASCII in an address, named entities; and
 * what only divides: characters without a width, continued lines, a token that goes on behind its dot.
 */
const ESCAPE = new RegExp(
  [
    /(?<!\\)\\{1,16}(?:u00([2-7][\dA-Fa-f])|(["'/nrt]))/,
    /%([2-7][\dA-Fa-f]|0[AaDd9])/,
    /&(quot|amp|#39);/,
    /[\u200B-\u200D\u2060\uFEFF\u00AD]/,
    /\\\r?\n[ \t]{0,80}/,
    /(?<=[\w-]{16}\.)\r?\n(?=[\w-]{16})/,
  ].map(({ source }) => source).join("|"),
  "g",
);

const NAMED: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  quot: '"',
  amp: "&",
  "#39": "'",
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
  const read = text.replace(ESCAPE, (whole, unicode, sign, byte, entity, at: number) => {
    while (from < at) places[length++] = from++;
    from = at + whole.length;
    const hex: string | undefined = unicode ?? byte;
    const name: string = sign ?? entity ?? "";
    const one = hex === undefined
      ? NAMED[name] ?? name
      : String.fromCharCode(Number.parseInt(hex, 16));
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
