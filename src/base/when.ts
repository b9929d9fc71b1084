/**
 * Parses times as people write them, in options and in queries: a date, a span back from now, or words ('last
 * week', 'yesterday'). Pure; the time is handed in.
 */
import { DAY_MS, localDayStart, parseMoment, parsePeriod, parseSpan, rfc3339 } from "./clock.ts";

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
const UNIT_DAYS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, year: 366 };
const SPAN = new RegExp(
  String
    .raw`\b(?:(?:in|during|over|from|within|since) )?(?:the )?(?:(today|yesterday)|(?:last|past|this|previous) (?:(\d{1,3}|${
    NUMBERS.slice(1).join("|")
  }|few|couple of) )?(day|week|month|year)s?|(\d{1,3}|a|${
    NUMBERS.slice(1).join("|")
  }) (day|week|month|year)s? ago)\b`,
  "i",
);

/** Describes the accepted values, for error messages. */
export const WHEN =
  "a date (2026-01-13, 2026-01), a span back from now (12h, 30d, 8w, 6m, 1y), today, yesterday or last week";

/** The first moment of a time, in milliseconds: `2026-01`, `7d`, `last-week`; undefined for other text. */
export function parseWhen(text: string, nowMs: number): number | undefined {
  const typed = text.trim();
  const spanMs = parseSpan(typed);
  if (spanMs !== undefined) return Math.max(0, nowMs - spanMs);
  return parseMoment(typed) ?? wholly(typed.replaceAll("-", " "), nowMs);
}

function wholly(text: string, nowMs: number): number | undefined {
  const said = timeIn(text, nowMs);
  return said?.rest.trim() === "" ? said.start : undefined;
}

/** The first time in words in a text: its beginning in milliseconds, and the text without it. */
export function timeIn(
  text: string,
  nowMs: number,
): { readonly start: number; readonly rest: string } | undefined {
  // A cheap check first: most questions have none of these words.
  const match = /day|week|month|year/i.test(text) ? SPAN.exec(text) : null;
  return match === null ? undefined : {
    start: startOf(match, nowMs),
    rest: `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`,
  };
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec";
const MONTH =
  "(?<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|" +
  "oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)";
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`;
const YEAR = String.raw`,? (?<year>\d{4})`;
/** A month alone needs a preposition, because `may` is a word too. */
const CALENDAR = [
  String.raw`(?<date>\d{4}-\d\d(?:-\d\d)?)`,
  `${DAY} (?:of )?${MONTH}(?:${YEAR})?`,
  `${MONTH} ${DAY}(?:${YEAR})?`,
  `${MONTH}${YEAR}`,
  String.raw`(?<=\b(?:in|of|from|since) )${MONTH}`,
].map((form) => String.raw`(?:\b(?:on|from|since|during) (?:the )?)?\b${form}\b`);

/** The first date or month in a text: its start and end in milliseconds, and the text without it. */
export function periodIn(
  text: string,
  nowMs: number,
): { readonly start: number; readonly end: number; readonly rest: string } | undefined {
  for (const form of CALENDAR) {
    const match = new RegExp(form, "i").exec(text);
    const { date, month = "", day, year } = match?.groups ?? {};
    const period = match === null
      ? undefined
      : parsePeriod(date ?? dateOf(month, day, year, nowMs));
    if (match === null || period === undefined) continue;
    const rest = `${text.slice(0, match.index)} ${text.slice(match.index + match[0].length)}`;
    return { ...period, rest };
  }
  return undefined;
}

/** A date for `parsePeriod`; without a year, the last such date that has begun. */
function dateOf(
  month: string,
  day: string | undefined,
  year: string | undefined,
  nowMs: number,
): string {
  const number = MONTHS.indexOf(month.slice(0, 3).toLowerCase()) / 4 + 1;
  const rest = [number, ...day === undefined ? [] : [day]]
    .map((part) => String(part).padStart(2, "0")).join("-");
  // The UTC year of tomorrow, because in local time the next year may have begun.
  const last = Number(rfc3339(nowMs + DAY_MS).slice(0, 4));
  // A 29 February that this year lacks has not begun.
  const hasBegun = (parseMoment(`${last}-${rest}`) ?? Infinity) <= nowMs;
  return `${year ?? (hasBegun ? last : last - 1)}-${rest}`;
}

/** The beginning of a time in words. It errs on the early side, because people differ in when a week begins. */
function startOf(
  [whole, day, count, unit, agoCount, agoUnit]: RegExpExecArray,
  nowMs: number,
): number {
  if (day !== undefined) return localDayStart(nowMs, day.toLowerCase() === "today" ? 0 : 1);
  const days = UNIT_DAYS[(unit ?? agoUnit ?? "day").toLowerCase()] ?? 1;
  const number = numberOf(count ?? agoCount);
  // 'Last week' may mean the whole week before this one, so it goes back two weeks; 'this week' one.
  const reach = unit !== undefined && count === undefined && !/\bthis\b/i.test(whole) ? 2 : number;
  return localDayStart(nowMs, reach * days);
}

function numberOf(word: string | undefined): number {
  if (word === undefined) return 1;
  if (/^\d+$/.test(word)) return Number(word);
  const known = NUMBERS.indexOf(word.toLowerCase());
  return known > 0 ? known : word.toLowerCase() === "a" ? 1 : 3;
}
