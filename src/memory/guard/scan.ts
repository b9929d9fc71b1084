/**
 * Scans files, or what a change adds according to git, for what must not leave this machine. Reports
 * where it is and by which rule, never what it is.
 */
import { SageError, systemError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { type Added, AddedLines, LINE_BYTES_MAX } from "../../guard/added_lines.ts";
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
import { listStaged } from "../../store/git/staged.ts";
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
  /** It is in the name of the file or the ref. */
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

interface ScanOptions {
  /** Also report personal data in files that are no notes. */
  readonly personal: boolean;
}

/** A larger file is no text that anybody wrote. */
const FILE_BYTES_MAX = 16 * 1024 * 1024;
const FILES_MAX = 100_000;
/** Folders that nobody means to scan. */
const LEFT_OUT: readonly string[] = [".git", "node_modules"];

/** Where a file lies, and how it is named in the report. */
interface ScannedFile {
  readonly absolute: string;
  readonly shown: string;
}

/** Files, and all text files below folders. */
export async function scanFiles(
  memory: Memory,
  paths: readonly ScannedFile[],
  options: ScanOptions,
): Promise<ScanReport> {
  const report = new Report(memory, options);
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
  const report = new Report(memory, options);
  const change = new AddedLines();
  const pieces = new Pieces(report);
  const next = () => readLine(LINE_BYTES_MAX);
  for (let line = await next(); line !== undefined; line = await next()) {
    change.push(line.bytes, line.goesOn);
    for (const piece of change.take()) await pieces.scan(piece);
  }
  change.end();
  for (const piece of change.take()) await pieces.scan(piece);
  for (const path of new Set(change.files)) report.path(path);
  for (const ref of new Set(change.refs)) report.name(ref);
  // Somebody's attributes can make git call any file binary; a note is text.
  for (const path of new Set([...pieces.binary, ...change.binary])) {
    if (isNotePath(path)) report.unreadable(path);
    else report.skip(path, "binary");
  }
  return await report.done();
}

/** Scans what a change adds. A long line or file comes in several pieces, one after the other. */
class Pieces {
  /** Paths of files that are no text. */
  readonly binary = new Set<string>();
  readonly #report: Report;
  /** Of the file that is continued. */
  #encoding: Encoding | undefined;
  /** UTF-16 units of the continued line before the next piece. */
  #columns = 0;

  constructor(report: Report) {
    this.#report = report;
  }

  async scan(
    { path, isFile, isRest, isBehindEnd, bytes, lines, before, next }: Added,
  ): Promise<void> {
    if (!isRest) this.#encoding = isFile ? readableAs(path, bytes) : "utf-8";
    const encoding = this.#encoding;
    if (encoding === undefined) return void this.binary.add(path);
    if (before === 0) this.#columns = 0;
    const from = before === 0 ? 0 : wholeFrom(bytes, 0, encoding);
    const texts = textsOf(bytes.subarray(from), encoding, isBehindEnd);
    const lineOf = (line: number): number => lines[line - 1] ?? line;
    await this.#report.texts(path, texts, lineOf, path, this.#columns);
    if (next === undefined) return;
    const done = bytes.subarray(from, wholeFrom(bytes, next, encoding));
    this.#columns += textsOf(done, encoding, isBehindEnd)[0]?.length ?? 0;
  }
}

/** What is staged: the contents in git's index, not the files in the working tree. */
export async function scanStaged(memory: Memory, options: ScanOptions): Promise<ScanReport> {
  const { fs, places, env } = memory;
  const report = new Report(memory, options);
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

/** Accepts the findings in a line of a file. Returns how many, and the rules that cannot be accepted. */
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
  // Findings in the name are reported at line 1.
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

class Report {
  files = 0;
  #allowed = 0;
  readonly #leaks: Leak[] = [];
  readonly #skipped: { path: string; reason: string }[] = [];
  /** Files and refs, whose names are scanned at the end. */
  readonly #names = new Set<string>();
  /** Findings in the line that is scanned piece by piece. */
  readonly #known = new Set<string>();
  readonly #isAllowed: ReturnType<typeof allowances>;
  readonly #options: ScanOptions;

  constructor(memory: Memory, options: ScanOptions) {
    this.#isAllowed = allowances(memory);
    this.#options = options;
  }

  skip(path: string, reason: string): void {
    this.#skipped.push({ path, reason });
  }

  name(name: string): void {
    this.#names.add(name);
  }

  file(path: string): void {
    this.files++;
    this.name(path);
  }

  /** A file of a change; its path alone may be private. */
  path(path: string): void {
    this.file(path);
    if (isPrivatePath(path)) this.#leak(path, PRIVATE_PATH);
  }

  unreadable(path: string): void {
    this.#leak(path, "binary-note");
  }

  /**
   * `file`: where it lies, if `path` does not say so. `columns`: how many stand before the text in its line,
   * the last of which were scanned with the piece before.
   */
  async texts(
    path: string,
    texts: readonly string[],
    lineOf: (line: number) => number,
    file = path,
    columns = 0,
  ): Promise<void> {
    if (columns === 0) this.#known.clear();
    for (const text of texts) {
      for (const { rule, start, end, ...at } of await findLeaks(file, text, this.#options)) {
        const [line, column] = [lineOf(at.line), columns + at.column];
        const key = `${rule} ${line} ${column}`;
        if (columns > 0 && this.#known.has(key)) continue;
        this.#known.add(key);
        if (mayBeAllowed(rule) && this.#isAllowed(rule, text.slice(start, end))) this.#allowed++;
        else this.#leaks.push({ path, line, column, rule });
      }
    }
  }

  async done(): Promise<ScanReport> {
    const secret = await secretsInNames(this.#names);
    for (const [path, findings] of secret) {
      for (const { rule, start, end } of findings) {
        if (this.#isAllowed(rule, path.slice(start, end))) this.#allowed++;
        else this.#leaks.push({ path, line: 1, column: 1, rule, in: "name" });
      }
    }
    const marked = <T extends { readonly path: string }>(one: T): T => {
      const findings = secret.get(one.path);
      return findings === undefined ? one : { ...one, path: withMarkers(one.path, findings) };
    };
    return {
      leaks: this.#leaks.map(marked),
      files: this.files,
      allowed: this.#allowed,
      skipped: this.#skipped.map(marked),
    };
  }

  #leak(path: string, rule: string): void {
    this.#leaks.push({ path, line: 1, column: 1, rule });
  }
}

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

/** A note with a NUL byte is binary; another file may have a few and still be scanned as text. */
function readableAs(path: string, bytes: Uint8Array): Encoding | undefined {
  const mayHaveNul = !isNotePath(path) && isMostlyText(bytes);
  return encodingOf(bytes) ?? (mayHaveNul ? "utf-8" : undefined);
}

const GONE = "there is no such file";

/** Fails on what cannot be read, because "nothing found" would be wrong. */
function readTexts(
  fs: Fs,
  { absolute: path, shown }: ScannedFile,
): readonly string[] | { readonly reason: string } {
  try {
    const info = fs.lstat(path);
    if (info === undefined) return { reason: GONE };
    if (info.kind !== "file") return { reason: "it is not a file" };
    if (info.size > FILE_BYTES_MAX) return { reason: `larger than ${FILE_BYTES_MAX} bytes` };
    const bytes = readBytes(fs, path, FILE_BYTES_MAX);
    const encoding = readableAs(path, bytes);
    return encoding === undefined ? { reason: "binary" } : textsOf(bytes, encoding);
  } catch (error) {
    throw systemError(error, `scan "${shown}"`);
  }
}

/** Links are not followed, because git commits the link and not its target. */
function* filesBelow(fs: Fs, file: ScannedFile): Generator<ScannedFile> {
  const { absolute, shown } = file;
  if (fs.lstat(absolute)?.kind !== "dir") return yield file;
  for (const { name, kind } of fs.list(absolute)) {
    if (LEFT_OUT.includes(name) || kind === "link" || kind === "other") continue;
    const path = shown === "" ? name : join(shown, name);
    // Private folders of a store never leave this machine.
    if (!isPrivatePath(`${shown}/`) && isPrivatePath(kind === "dir" ? `${path}/` : path)) continue;
    yield* filesBelow(fs, { absolute: join(absolute, name), shown: path });
  }
}
