/**
 * Looks for what must not leave this machine: in files, or in what git says that a change adds. Says
 * where it is and by which rule, never what it is.
 */
import { SageError, systemError } from "../../base/errors.ts";
import { type Fs, join, readBytes } from "../../base/fs.ts";
import { AddedLines, LINE_BYTES_MAX } from "../../guard/added_lines.ts";
import {
  type Encoding,
  encodingOf,
  isMostlyText,
  textsOf,
  wholeFrom,
} from "../../guard/encoding.ts";
import {
  findLeaks,
  isNotePath,
  isPrivatePath,
  mayBeAllowed,
  PRIVATE_PATH,
  secretsInNames,
} from "../../guard/leaks.ts";
import { redact, withMarkers } from "../../guard/redact.ts";
import { listStaged } from "../../store/git_staged.ts";
import type { Memory } from "../memory.ts";
import { allow, allowances } from "./allowed.ts";

export interface Leak {
  /**
   * As it was typed, or from the top of the repository; of a message `(commit 1a2b3c4)`, of a branch or a tag
   * its ref. A secret in it is redacted.
   */
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly rule: string;
  /** It is in what the file or the ref is called. */
  readonly in?: "name";
}

export interface ScanReport {
  readonly leaks: readonly Leak[];
  /** Files that were looked at. */
  readonly files: number;
  /** Findings that the person accepted before. */
  readonly allowed: number;
  /** Not looked at, and why. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface ScanOptions {
  /** Personal data in files that are no notes, too. */
  readonly personal: boolean;
}

/** A larger file is no text that anybody wrote. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 100_000;
/** Not what anybody means by a folder's text. */
const LEFT_OUT: readonly string[] = [".git", "node_modules"];

/** Where a file lies, and how it is called. */
export interface ScannedFile {
  readonly absolute: string;
  readonly shown: string;
}

/** Files, and all text files below folders. */
export async function scanFiles(
  memory: Memory,
  paths: readonly ScannedFile[],
  options: ScanOptions,
): Promise<ScanReport> {
  const report = newReport(memory, options);
  for (const path of paths) {
    for (const file of filesBelow(memory.fs, path)) {
      if (report.files >= FILES_MAX) {
        throw new SageError("too_large", `Cannot scan more than ${FILES_MAX} files at once`, {
          hint: "name fewer folders",
        });
      }
      await scanFile(memory.fs, file, report);
    }
  }
  return await report.done();
}

/** What a change adds, from the lines of `git diff`, `git log -p` and the like, long ones piece by piece. */
export async function scanChange(
  memory: Memory,
  readLine: (
    bytesMax: number,
  ) => Promise<{ readonly bytes: Uint8Array; readonly goesOn: boolean } | undefined>,
  options: ScanOptions,
): Promise<ScanReport> {
  const report = newReport(memory, options);
  const change = new AddedLines();
  const binary = new Set<string>();
  /** Of the file that goes on. */
  let encoding: Encoding | undefined;
  /** Of the line that goes on: UTF-16 units before what comes next. */
  let columns = 0;
  const look = async (): Promise<void> => {
    for (const added of change.take()) {
      const { path, isFile, isRest, isBehindEnd, bytes, lines, before, next } = added;
      if (!isRest) encoding = isFile ? readableAs(path, bytes) : "utf-8";
      if (encoding === undefined) {
        binary.add(path);
        continue;
      }
      if (before === 0) columns = 0;
      const from = before === 0 ? 0 : wholeFrom(bytes, 0, encoding);
      const texts = textsOf(bytes.subarray(from), encoding, isBehindEnd);
      await report.texts(path, texts, (line) => lines[line - 1] ?? line, path, columns);
      if (next === undefined) continue;
      const done = bytes.subarray(from, wholeFrom(bytes, next, encoding));
      columns += textsOf(done, encoding, isBehindEnd)[0]?.length ?? 0;
    }
  };
  const next = () => readLine(LINE_BYTES_MAX);
  for (let line = await next(); line !== undefined; line = await next()) {
    change.push(line.bytes, line.goesOn);
    await look();
  }
  change.end();
  await look();
  for (const path of new Set(change.files)) report.path(path);
  for (const ref of new Set(change.refs)) report.name(ref);
  // Somebody's attributes can make git say so of any file; a note is text.
  for (const path of new Set([...binary, ...change.binary])) {
    if (isNotePath(path)) report.unreadable(path);
    else report.skip(path, "binary");
  }
  return await report.done();
}

/** What is staged, as git keeps it and not as the files beside it are. */
export async function scanStaged(memory: Memory, options: ScanOptions): Promise<ScanReport> {
  const { fs, places, env } = memory;
  const report = newReport(memory, options);
  for (const { path, read } of listStaged(fs, places.here, { home: places.home, env })) {
    report.path(path);
    const bytes = await read(FILE_BYTES_MAX);
    const encoding = bytes && readableAs(path, bytes);
    if (bytes !== undefined && encoding !== undefined) {
      await report.texts(path, textsOf(bytes, encoding), (line) => line);
    } else if (isNotePath(path)) report.unreadable(path);
    else report.skip(path, bytes === undefined ? `larger than ${FILE_BYTES_MAX} bytes` : "binary");
  }
  return await report.done();
}

const ALL = { personal: true };

/** Accepts what stands in a line of a file. Says how many findings that were. */
export async function allowLine(
  memory: Memory,
  file: ScannedFile,
  line: number,
  reason: string,
): Promise<{ readonly allowed: number; readonly refused: readonly string[] }> {
  const name = await redact(file.shown);
  const texts = readTexts(memory.fs, file);
  if ("reason" in texts && name.findings.length === 0) {
    throw new SageError("usage", `Cannot read "${file.shown}": ${texts.reason}`);
  }
  // A name is told with the first line.
  const found = (line === 1 ? name.findings : [])
    .map(({ rule, start, end }) => ({ rule, value: file.shown.slice(start, end) }));
  for (const text of "reason" in texts ? [] : texts) {
    for (const { rule, start, end, ...at } of await findLeaks(file.absolute, text, ALL)) {
      if (at.line === line) found.push({ rule, value: text.slice(start, end) });
    }
  }
  const mine = found.filter(({ rule }) => mayBeAllowed(rule));
  const place = isNotePath(file.absolute) ? "a note" : `${name.text}:${line}`;
  for (const { rule, value } of mine) allow(memory, { rule, place, reason, value });
  const refused = found.map(({ rule }) => rule).filter((rule) => !mayBeAllowed(rule));
  return { allowed: mine.length, refused };
}

function newReport(memory: Memory, options: ScanOptions) {
  const isAllowed = allowances(memory);
  const leaks: Leak[] = [];
  const skipped: { path: string; reason: string }[] = [];
  let allowed = 0;
  /** Files and refs, to be looked at as what they are called. */
  const names = new Set<string>();
  /** Of the line that is looked at piece by piece. */
  const known = new Set<string>();
  return {
    files: 0,
    skip: (path: string, reason: string) => void skipped.push({ path, reason }),
    name: (name: string) => void names.add(name),
    unreadable: (path: string) =>
      void leaks.push({ path, line: 1, column: 1, rule: "binary-note" }),
    file(path: string): void {
      this.files++;
      names.add(path);
    },
    path(path: string): void {
      this.file(path);
      if (isPrivatePath(path)) leaks.push({ path, line: 1, column: 1, rule: PRIVATE_PATH });
    },
    /**
     * `file` is where it lies, where `path` does not say so. `columns` stand before the text in its line, whose
     * last ones were looked at already.
     */
    async texts(
      path: string,
      texts: readonly string[],
      lineOf: (line: number) => number,
      file = path,
      columns = 0,
    ): Promise<void> {
      if (columns === 0) known.clear();
      for (const text of texts) {
        for (const { rule, start, end, ...at } of await findLeaks(file, text, options)) {
          const [line, column] = [lineOf(at.line), columns + at.column];
          const key = `${rule} ${line} ${column}`;
          if (columns > 0 && known.has(key)) continue;
          known.add(key);
          if (mayBeAllowed(rule) && isAllowed(rule, text.slice(start, end))) allowed++;
          else leaks.push({ path, line, column, rule });
        }
      }
    },
    async done(): Promise<ScanReport> {
      const secret = await secretsInNames(names);
      for (const [path, findings] of secret) {
        for (const { rule, start, end } of findings) {
          if (isAllowed(rule, path.slice(start, end))) allowed++;
          else leaks.push({ path, line: 1, column: 1, rule, in: "name" });
        }
      }
      const told = <T extends { readonly path: string }>(one: T): T => {
        const findings = secret.get(one.path);
        return findings === undefined ? one : { ...one, path: withMarkers(one.path, findings) };
      };
      return { leaks: leaks.map(told), files: this.files, allowed, skipped: skipped.map(told) };
    },
  };
}

type Report = ReturnType<typeof newReport>;

async function scanFile(fs: Fs, file: ScannedFile, report: Report): Promise<void> {
  const { absolute, shown } = file;
  const texts = readTexts(fs, file);
  if ("reason" in texts) {
    report.name(shown);
    const isNote = isNotePath(absolute) && texts.reason !== GONE;
    return isNote ? report.unreadable(shown) : report.skip(shown, texts.reason);
  }
  report.file(shown);
  await report.texts(shown, texts, (line) => line, absolute);
}

/** A note has no NUL in it; of another file's text some are no reason not to look. */
function readableAs(path: string, bytes: Uint8Array): Encoding | undefined {
  const mayHaveNul = !isNotePath(path) && isMostlyText(bytes);
  return encodingOf(bytes) ?? (mayHaveNul ? "utf-8" : undefined);
}

const GONE = "there is no such file";

/** What may not be read is a failure: that nothing was found in it would be no answer. */
function readTexts(
  fs: Fs,
  { absolute: path, shown }: ScannedFile,
): readonly string[] | { readonly reason: string } {
  try {
    const info = fs.lstat(path);
    if (info === undefined) return { reason: GONE };
    if (info.kind !== "file") return { reason: "it is no file" };
    if (info.size > FILE_BYTES_MAX) return { reason: `larger than ${FILE_BYTES_MAX} bytes` };
    const bytes = readBytes(fs, path, FILE_BYTES_MAX);
    const encoding = readableAs(path, bytes);
    return encoding === undefined ? { reason: "binary" } : textsOf(bytes, encoding);
  } catch (error) {
    throw systemError(error, `scan "${shown}"`);
  }
}

/** Links are not followed: what they lead to is not what is committed. */
function* filesBelow(fs: Fs, file: ScannedFile): Generator<ScannedFile> {
  const { absolute, shown } = file;
  if (fs.lstat(absolute)?.kind !== "dir") return yield file;
  for (const { name, kind } of fs.list(absolute)) {
    if (LEFT_OUT.includes(name) || kind === "link" || kind === "other") continue;
    const path = shown === "" ? name : join(shown, name);
    // What stays on this machine is not what would leave it.
    if (!isPrivatePath(`${shown}/`) && isPrivatePath(kind === "dir" ? `${path}/` : path)) continue;
    yield* filesBelow(fs, { absolute: join(absolute, name), shown: path });
  }
}
