/**
 * Finds secrets in a text: with our own rules, and with secretlint where its rules could match. Reports
 * ranges and rules, never the secrets.
 */
import { pattern } from "../base/text/pattern.ts";
import { assignments, cookieValues, environmentLines } from "./assignments.ts";
import { wrappedTokens } from "./wrapped_tokens.ts";
import { encodedSecrets } from "./encoded.ts";
import { unescaped } from "./escaped.ts";
import { type Finding, locate, type Match, mergeMatches, replaceRanges } from "./finding.ts";
import { addressPasswords, addressTokens, keyBlocks, webTokens } from "./structured_secrets.ts";
import { isPlaceholder, isPlaceholderToken } from "./placeholder.ts";
import { type Rule, RULES } from "./rules.ts";
import { couldMatch, lint } from "./secretlint.ts";
import { proseSecrets } from "./prose_secrets.ts";
import { tableCells } from "./table_cells.ts";

/**
 * A secret can hide another right after it from the rules, so findings are covered and the text is
 * scanned again until nothing is found, at most so many times.
 */
const LOOKS_MAX = 4;

/** Finds secrets with our own rules only: synchronous, loads nothing. */
export function findSecrets(text: string): Finding[] {
  const found: Match[] = [];
  let rest = text;
  for (let look = 0; look < LOOKS_MAX; look++) {
    const matches = bothWays(rest);
    if (matches.length === 0) break;
    found.push(...matches);
    rest = covered(rest, matches);
  }
  return locate(text, mergeMatches(found));
}

/** Finds secrets with our own rules and secretlint's. */
export async function scanSecrets(text: string): Promise<Finding[]> {
  const found: Match[] = [];
  let rest = text;
  for (let look = 0; look < LOOKS_MAX; look++) {
    const matches = bothWays(rest);
    if (couldMatch(rest)) {
      const own = mergeMatches(matches);
      matches.push(...(await lint(rest)).filter((match) => addsTo(own, match, rest)));
    }
    if (matches.length === 0) break;
    found.push(...matches);
    rest = covered(rest, matches);
  }
  return locate(text, mergeMatches(found));
}

/** The text with its secrets overwritten at the same length, so that offsets stay valid. */
function covered(text: string, matches: readonly Match[]): string {
  return replaceRanges(text, mergeMatches(matches), ({ start, end }) => "[".repeat(end - start));
}

/** Matches in the text as it is and in its unescaped version. */
function bothWays(text: string): Match[] {
  const matches = ownMatches(text);
  const read = unescaped(text);
  if (read === undefined) return matches;
  return matches.concat(ownMatches(read.text).map(read.original));
}

function ownMatches(text: string): Match[] {
  const rules = rulesFor(text);
  return [
    ...keyBlocks(text),
    ...webTokens(text),
    ...addressPasswords(text),
    ...addressTokens(text),
    ...assignments(text),
    ...environmentLines(text),
    ...cookieValues(text),
    ...proseSecrets(text),
    ...tableCells(text),
    ...ruleMatches(text, rules),
    ...wrappedTokens(
      text,
      new Set(["eyJ", ...rules.flatMap(({ needles }) => needles)]),
      (token) => [...webTokens(token), ...ruleMatches(token, rules)],
    ),
    ...encodedSecrets(text, (inside) => ownMatches(inside).length > 0),
  ];
}

/** In shorter texts it is faster to search each needle than to compile a pattern of all. */
const LONG_CHARACTERS_MIN = 64 * 1024;

/** The rules with a needle in the text. */
function rulesFor(text: string): Rule[] {
  if (text.length < LONG_CHARACTERS_MIN) {
    return RULES.filter(({ needles }) => needles.some((needle) => text.includes(needle)));
  }
  const found = needlesIn(text);
  return RULES.filter(({ needles }) =>
    needles.some((needle) => found.some((one) => one.startsWith(needle)))
  );
}

/** The needles in the text, in one pass; of two that begin alike, the longer. */
function needlesIn(text: string): string[] {
  const all = new Set(RULES.flatMap(({ needles }) => needles));
  const longestFirst = [...all].sort((a, b) => b.length - a.length);
  const form = pattern(longestFirst.map(RegExp.escape).join("|"), "g");
  const found = new Set<string>();
  for (let match = form.exec(text); match !== null; match = form.exec(text)) {
    found.add(match[0]);
    form.lastIndex = match.index + 1;
  }
  return [...found];
}

function ruleMatches(text: string, rules: readonly Rule[]): Match[] {
  const matches: Match[] = [];
  for (const rule of rules) {
    for (const match of text.matchAll(rule.pattern)) {
      const range = match.indices?.[1] ?? match.indices?.[0];
      if (range === undefined || isPlaceholderToken(text.slice(range[0], range[1]))) continue;
      matches.push({ rule: rule.id, start: range[0], end: range[1] });
    }
  }
  return matches;
}

/** Rules of secretlint that report a whole URL, where ours report the password in it. */
const WHOLE_ADDRESS = new Set(["basicauth", "database-connection-string"]);

/** Whether a match of secretlint is real and ours (merged) do not have the password inside its URL. */
function addsTo(own: readonly Match[], match: Match, text: string): boolean {
  const value = text.slice(match.start, match.end);
  if (!WHOLE_ADDRESS.has(match.rule)) return !isPlaceholderToken(value);
  if (isPlaceholder(/:\/\/[^:]*:([^@]*)@/.exec(value)?.[1] ?? "")) return false;
  let low = 0;
  let high = own.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((own[middle]?.start ?? 0) < match.start) low = middle + 1;
    else high = middle;
  }
  const inside = own[low];
  return inside === undefined || inside.end > match.end;
}
