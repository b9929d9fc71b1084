/** Time: the only file that reads the clock, and all conversions of dates. Others are given milliseconds or text. */

/** Milliseconds since the epoch. */
export function now(): number {
  return Date.now();
}

/** When this process began, in milliseconds since the epoch. */
export function processStart(): number {
  return performance.timeOrigin;
}

/** RFC 3339 in UTC to the second: `2026-01-13T14:30:00Z`. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19) + "Z";
}

/** The UTC date: `2026-01-13`. */
export function utcDay(ms: number): string {
  return rfc3339(ms).slice(0, 10);
}

/** RFC 3339 in a form for file names: `2026-01-13T14-30-00`. */
export function fileStamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-");
}

/**
 * Parses a date (`2026-01-13`) or RFC 3339 to milliseconds; without a zone it is UTC. Undefined for anything
 * else, such as a 31 February, which `Date.parse` would take for a day of the next month.
 */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (
    !/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/.test(trimmed)
  ) {
    return undefined;
  }
  // Before a zone a space may stand as well, as git and Jekyll write it.
  const iso = trimmed.replace(/^(.{10}) /, "$1T").replace(/\s+/, "");
  const zoned = /T/.test(iso) && !/(Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso + "Z" : iso;
  const ms = Date.parse(zoned);
  if (Number.isNaN(ms)) return undefined;
  const day = trimmed.slice(0, 10);
  const hasEveryMonth = day.slice(8) <= "28";
  return hasEveryMonth || rfc3339(Date.parse(day)).startsWith(day) ? ms : undefined;
}

/**
 * The first moment of a day, month or year (`2026-01-13`, `2026-01`, `2026`) in local time; a time without a
 * zone is local too.
 */
export function parseMoment(text: string): number | undefined {
  const [, year, month = "01"] = /^(\d{4})(?:-(\d{2}))?$/.exec(text.trim()) ?? [];
  const whole = year === undefined
    ? text.trim().replace(/^([\d-]{10}) /, "$1T")
    : `${year}-${month}-01`;
  const ms = parseTime(whole);
  if (ms === undefined || /(?:Z|[+-]\d{2}:?\d{2})$/.test(whole.slice(10))) return ms;
  return Date.parse(whole.length > 10 ? whole : `${whole}T00:00`);
}

/** The same with the first moment after it, as `end`; a time of day lasts a second. */
export function parsePeriod(
  text: string,
): { readonly start: number; readonly end: number } | undefined {
  const start = parseMoment(text);
  if (start === undefined) return undefined;
  const { length } = text.trim();
  if (length > 10) return { start, end: start + 1000 };
  const next = new Date(start);
  if (length === 10) next.setDate(next.getDate() + 1);
  else if (length === 7) next.setMonth(next.getMonth() + 1);
  else next.setFullYear(next.getFullYear() + 1);
  // If clocks go forward at midnight, the day begins at one.
  return { start, end: next.setHours(0, 0, 0, 0) };
}

/** The local UTC offsets of January and July in minutes, by which most time zones can be told apart. */
export function zoneOffsets(): number[] {
  return [0, 6].map((month) => new Date(2026, month).getTimezoneOffset());
}

/** The local date of a moment: `2026-01-13`. */
export function localDay(ms: number): string {
  return utcDay(ms - new Date(ms).getTimezoneOffset() * 60_000);
}

/**
 * The local date of a moment in RFC 3339. Midnight in UTC was written as a date, which is the same
 * everywhere.
 */
export function dayOf(moment: string): string {
  const ms = /T(?!00:00(?::00)?Z$)/.test(moment) ? parseTime(moment) : undefined;
  return ms === undefined ? moment.slice(0, 10) : localDay(ms);
}

/** The first moment of the local day of `ms`, or of the day so many days before. */
export function localDayStart(ms: number, daysBefore = 0): number {
  const day = new Date(ms);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - daysBefore);
}

/** The end of a day (`2026-01-13`) in local time; NaN if it is no date. */
export function localDayEnd(day: string): number {
  return Date.parse(`${day}T24:00`);
}

export const DAY_MS = 86_400_000;

const UNITS_MS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: DAY_MS,
  w: 7 * DAY_MS,
  m: 31 * DAY_MS,
  y: 366 * DAY_MS,
};

/** Parses a span (`12h`, `30d`, `8w`, `6m` for months, `1y`) to milliseconds, or undefined. */
export function parseSpan(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,6}) ?([hdwmy])$/.exec(text.trim().toLowerCase()) ?? [];
  return number === "" ? undefined : Number(number) * (UNITS_MS[unit] ?? 0);
}

/** The age of a moment for people: `5 min`, `3 h`, `12 d`. */
export function age(thenMs: number, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - thenMs) / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

/** A monotonic count of milliseconds, for durations and deadlines. */
export function monotonic(): number {
  return performance.now();
}

/** Resolves after this time, without keeping the process alive. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, milliseconds)));
}

/** Blocks this thread. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
