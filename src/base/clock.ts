/** The only reader of the time. Everything else is handed a moment in milliseconds or a string. */

/** Milliseconds since the epoch. */
export function now(): number {
  return Date.now();
}

/** RFC 3339 in UTC to the second: `2026-01-13T14:30:00Z`. */
export function rfc3339(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19) + "Z";
}

/** The UTC date: `2026-01-13`. */
export function utcDay(ms: number): string {
  return rfc3339(ms).slice(0, 10);
}

/** The same moment for file names: `2026-01-13T14-30-00`. */
export function fileStamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(":", "-");
}

/**
 * Milliseconds of a date as people write it (`2026-01-13`, RFC 3339), or undefined. A day that its
 * month does not have is no date, though the engine would take it for one of the next month.
 */
export function parseTime(text: string): number | undefined {
  const trimmed = text.trim();
  if (
    !/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?)?$/.test(trimmed)
  ) {
    return undefined;
  }
  const iso = trimmed.replace(" ", "T");
  const zoned = /T/.test(iso) && !/(Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso + "Z" : iso;
  const ms = Date.parse(zoned);
  if (Number.isNaN(ms)) return undefined;
  const day = trimmed.slice(0, 10);
  const hasEveryMonth = day.slice(8) <= "28";
  return hasEveryMonth || rfc3339(Date.parse(day)).startsWith(day) ? ms : undefined;
}

/**
 * The first moment of a day, month or year (`2026-01-13`, `2026-01`, `2026`) in this person's time
 * zone; a time without a zone is in it, too.
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

/** The same with the first moment after that day, month or year; a time lasts a second. */
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
  // Where clocks go forward at midnight a day begins at one.
  return { start, end: next.setHours(0, 0, 0, 0) };
}

/** The offsets of UTC in winter and in summer, in minutes: they tell most zones apart. */
export function zoneOffsets(): number[] {
  return [0, 6].map((month) => new Date(2026, month).getTimezoneOffset());
}

/** Today's date in this person's time zone: `2026-01-13`. */
export function localDay(ms: number): string {
  return utcDay(ms - new Date(ms).getTimezoneOffset() * 60_000);
}

/**
 * The day of a moment in RFC 3339, where the person is. What was written as a day is that day everywhere,
 * and is midnight in UTC by the time it comes here.
 */
export function dayOf(moment: string): string {
  const ms = /T(?!00:00(?::00)?Z$)/.test(moment) ? parseTime(moment) : undefined;
  return ms === undefined ? moment.slice(0, 10) : localDay(ms);
}

/** When that day began; `daysBefore` it, across changes of the clocks. */
export function localDayStart(ms: number, daysBefore = 0): number {
  const day = new Date(ms);
  day.setHours(0, 0, 0, 0);
  return day.setDate(day.getDate() - daysBefore);
}

/** When a day (`2026-01-13`) is over in this person's time zone; NaN for what is no day. */
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

/** Milliseconds of a span as people type it (`12h`, `30d`, `8w`; `6m` are months, `1y`), or undefined. */
export function parseSpan(text: string): number | undefined {
  const [, number = "", unit = ""] = /^(\d{1,6}) ?([hdwmy])$/.exec(text.trim().toLowerCase()) ?? [];
  return number === "" ? undefined : Number(number) * (UNITS_MS[unit] ?? 0);
}

/** `5 min`, `3 h`, `12 d`: for people, at rendering only. */
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

/** Settles after this time; keeps no process alive by itself. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => Deno.unrefTimer(setTimeout(resolve, milliseconds)));
}

/** Blocks this thread. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
