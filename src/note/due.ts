/**
 * Parses due dates as people type them. Words that could mean two days ("next friday") or none ("soon") are
 * no date: nothing is guessed. Pure; the time is handed in.
 */
import { DAY_MS, localDay, localDayEnd, parseSpan, parseTime, utcDay } from "../base/clock.ts";

export const DUE_FORMS = "2026-01-31, today, tomorrow, friday, 3d or in 2 weeks";

const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const UNITS: Readonly<Record<string, number>> = { day: 1, week: 7 };
/** More days ahead are a typing mistake. */
const DAYS_MAX = 3650;

/** The date that is meant (`2026-01-31`), or a date or moment as it was given; undefined for anything else. */
export function readDue(text: string, nowMs: number): string | undefined {
  const typed = text.trim().toLowerCase();
  if (parseTime(text) !== undefined) return text.trim();
  const days = daysAhead(typed, nowMs);
  if (days === undefined || days > DAYS_MAX) return undefined;
  // Calculated with UTC dates: a local day may have 23 or 25 hours.
  const today = parseTime(localDay(nowMs)) ?? nowMs;
  return utcDay(today + days * DAY_MS);
}

function daysAhead(typed: string, nowMs: number): number | undefined {
  if (typed === "today") return 0;
  if (typed === "tomorrow") return 1;
  const [, day = ""] = /^(?:on )?([a-z]{3,9})$/.exec(typed) ?? [];
  const wanted = WEEKDAYS.findIndex((name) => name === day || name.slice(0, 3) === day);
  // The next such day, never today.
  if (wanted >= 0) return (wanted - weekday(nowMs) + 6) % 7 + 1;
  const [, many = "", unit = ""] = /^in (an?|\d{1,4}) (day|week)s?$/.exec(typed) ?? [];
  if (unit !== "") return (many.startsWith("a") ? 1 : Number(many)) * (UNITS[unit] ?? 1);
  const span = /[dw]$/.test(typed) ? parseSpan(typed.replace(/^in /, "")) : undefined;
  return span === undefined ? undefined : span / DAY_MS;
}

/** 0 is Sunday; the first day of 1970 was a Thursday. */
function weekday(nowMs: number): number {
  const today = parseTime(localDay(nowMs)) ?? nowMs;
  return (Math.floor(today / DAY_MS) + 4) % 7;
}

/** The moment from which a todo is late: for a date, the end of that day in local time. */
export function lateFrom(due = ""): number | undefined {
  const day = due.trim();
  const ms = parseTime(day);
  return ms === undefined || day.length > 10 ? ms : localDayEnd(day);
}
