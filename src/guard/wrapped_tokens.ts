/**
 * Tokens broken across lines, as copied from a terminal, a mail or a quote. A line end mostly ends a word,
 * so the next line has to look like the rest of a token, or complete one.
 */
import type { Match } from "./finding.ts";
import { isWordy } from "./placeholder.ts";

const PIECE = "[A-Za-z0-9._~+/=-]{1,512}";
const HEAD = new RegExp(PIECE, "y");
const REST = new RegExp(`\\r?\\n[ \\t>|]{0,16}(${PIECE})`, "y");
const LINES_MAX = 16;
/** A shorter rest of a token that was found already is left: by itself it is useless. */
const REST_CHARACTERS_MIN = 6;
/** The same for a rest without digits, which only its capitals tell from a word. */
const CASED_CHARACTERS_MIN = 10;

type Find = (text: string) => readonly Match[];

/** Joins lines where a token begins with one of the needles, and returns what `find` finds across them. */
export function wrappedTokens(text: string, needles: Iterable<string>, find: Find): Match[] {
  const found: Match[] = [];
  for (const needle of needles) {
    // A needle that begins with punctuation is not the start of a token.
    if (!/^\w/.test(needle)) continue;
    let at = text.indexOf(needle);
    while (at !== -1) {
      HEAD.lastIndex = at;
      const head = HEAD.exec(text)?.[0] ?? needle;
      const match = joined(text, at, at + head.length, find);
      if (match !== undefined) found.push(match);
      at = text.indexOf(needle, match?.end ?? at + head.length);
    }
  }
  return found;
}

function joined(text: string, start: number, headEnd: number, find: Find): Match | undefined {
  // With the character before it, which rules check: a token is at the start of a word.
  const from = Math.max(0, start - 1);
  let token = text.slice(from, headEnd);
  let isToken: boolean | undefined;
  let end = headEnd;
  let whole: Match | undefined;
  for (let line = 1; line < LINES_MAX; line++) {
    REST.lastIndex = end;
    const rest = REST.exec(text)?.[1];
    if (rest === undefined || !isRest(rest) && isSaid(token + rest)) break;
    isToken ??= find(token).length > 0;
    if (isToken ? !isRest(rest) : isSaid(token + rest)) break;
    const behind = token.length;
    token += rest;
    end = REST.lastIndex;
    const match = find(token).find((one) => one.end > behind);
    if (match === undefined) {
      if (isToken) break;
      continue;
    }
    isToken = true;
    whole = { rule: match.rule, start: from + match.start, end: end - (token.length - match.end) };
  }
  return whole;
}

/** Whether it could be the rest of a token whose first part already matches a rule. */
function isRest(text: string): boolean {
  return text.length >= REST_CHARACTERS_MIN && /[A-Za-z]/.test(text) &&
    (/\d/.test(text) || text.length >= CASED_CHARACTERS_MIN && /[a-z][A-Z]/.test(text)) &&
    !isWordy(text);
}

/** Whether a joined token, whose first part matches no rule, is just words with punctuation. */
function isSaid(text: string): boolean {
  // A number of ten digits is not part of a word.
  return !/\d/.test(text) || /[-_.]/.test(text) && isWordy(text.replace(/\d{10,}/g, ""));
}
