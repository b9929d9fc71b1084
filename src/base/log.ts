/**
 * The log: a JSON line for each event, in a file for each day in `state/log/`. It has receipts and what an
 * investigation needs, but no content and no environment. Writing it never makes the caller fail.
 */
import { ifReadable } from "./attempt.ts";
import { DAY_MS, rfc3339, utcDay } from "./clock.ts";
import { type Fs, listIfDir, readFull, readIfFile, removeIfThere } from "./fs.ts";
import { join } from "./path.ts";
import { appendJsonLine, numberedJsonLines, readJsonLines } from "./jsonl.ts";

/** Days of log that are kept besides today. */
export const LOG_DAYS_MAX = 14;
/** What is read of a day's end: a few hundred lines. */
const TAIL_BYTES = 32 * 1024;
const NOTHING = new Uint8Array();
/** What is read of a day. */
const LOG_BYTES_MAX = 4 * 1024 * 1024;

export type LogFields = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>;

/** A line as it is read. */
export type LogLine = { readonly at: string; readonly event: string } & LogFields;

export function writeLog(
  fs: Fs,
  stateDir: string,
  atMs: number,
  event: string,
  fields: LogFields,
): void {
  try {
    const folder = join(stateDir, "log");
    const path = join(folder, `${utcDay(atMs)}.jsonl`);
    if (fs.lstat(path) === undefined) {
      fs.makeDir(folder, 0o700);
      removeOldLogs(fs, folder, atMs);
    }
    appendJsonLine(fs, path, { at: rfc3339(atMs), event, ...fields });
  } catch {
    // A failing log must not make the command fail.
  }
}

/**
 * The log lines of the last `days` days, oldest first. A day that cannot be read is left out, which `sage
 * status` reports.
 */
export function readLog(fs: Fs, stateDir: string, atMs: number, days: number): LogLine[] {
  return readPlacedLog(fs, stateDir, atMs, days).map(({ line }) => line);
}

/** A line and its place: `log/2026-01-13.jsonl:12`. */
export interface PlacedLine {
  readonly line: LogLine;
  readonly from: string;
}

/**
 * The same with the place of each line, for showing what a figure was derived from. `onLost`: called with the
 * place of each file from which something was left out, and how many lines; without the number it cannot be
 * read, or not whole.
 */
export function readPlacedLog(
  fs: Fs,
  stateDir: string,
  atMs: number,
  days: number,
  onLost?: (from: string, lines?: number) => void,
): PlacedLine[] {
  const lines: PlacedLine[] = [];
  for (let day = days - 1; day >= 0; day--) {
    const from = `log/${utcDay(atMs - day * DAY_MS)}.jsonl`;
    const path = join(stateDir, from);
    const bytes = ifReadable(null, () => readIfFile(fs, path, LOG_BYTES_MAX));
    let torn = 0;
    for (const { record, line } of numberedJsonLines(bytes ?? NOTHING, () => torn++)) {
      if (isLogLine(record)) lines.push({ line: record, from: `${from}:${line}` });
      else torn++;
    }
    if (bytes === null || bytes?.length === LOG_BYTES_MAX) onLost?.(from);
    else if (torn > 0) onLost?.(from, torn);
  }
  return lines;
}

/** The last lines of each day that has any, the newest day first. A day is read when it is asked for. */
export function* logTails(
  fs: Fs,
  stateDir: string,
  atMs: number,
  days: number,
): Generator<LogLine[]> {
  for (let day = 0; day < days; day++) {
    const path = join(stateDir, "log", `${utcDay(atMs - day * DAY_MS)}.jsonl`);
    const lines = readTail(fs, path);
    if (lines.length > 0) yield lines;
  }
}

function readTail(fs: Fs, path: string): LogLine[] {
  const { kind, size = 0 } = fs.lstat(path) ?? {};
  if (kind !== "file") return [];
  using file = fs.open(path, { read: true });
  file.seek(Math.max(0, size - TAIL_BYTES));
  const bytes = readFull(file, new Uint8Array(Math.min(size, TAIL_BYTES)));
  return readJsonLines(bytes).filter(isLogLine);
}

function isLogLine(record: unknown): record is LogLine {
  const line = record as Partial<LogLine> | null;
  return typeof line === "object" && line !== null && typeof line.at === "string" &&
    typeof line.event === "string";
}

/**
 * Keeps a fixed number of days, those nearest to today in either direction: a clock that is off by years
 * deletes no more than one of them.
 */
export function removeOldLogs(fs: Fs, folder: string, atMs: number): void {
  const today = utcDay(atMs);
  const daysOff = (name: string): number => Math.abs(Date.parse(name.slice(0, 10)) - atMs);
  const others = listIfDir(fs, folder).map(({ name }) => name)
    .filter((name) => /^\d{4}-\d{2}-\d{2}\.jsonl$/.test(name) && name !== `${today}.jsonl`)
    .sort((a, b) => daysOff(a) - daysOff(b));
  for (const name of others.slice(LOG_DAYS_MAX)) removeIfThere(fs, join(folder, name));
}
