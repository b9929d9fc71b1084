/**
 * What a change adds, out of git's own words: `git diff`, `git log -p`, combined diffs of merges. Fed
 * line by line, because the first push of a project may be larger than memory; the counts in the
 * hunks' heads say which line is content, so that no content can pass for a head.
 */
import { concat } from "../base/concat.ts";
import { decode } from "../base/fs.ts";
import { diffPath, headPath, movedPath } from "./diff_paths.ts";

/** What was added to one file, as far as it was read in one go, or a commit's message. */
export interface Added {
  /** `(commit 1a2b3c4)` of a commit's message; `(stdin)` of what stands around all of git's. */
  readonly path: string;
  readonly isFile: boolean;
  /** It goes on with a file of which a part was given before. */
  readonly isRest: boolean;
  /**
   * Whole lines, or some of a long one, good until the next is pushed; whoever takes them finds out whether
   * they are text, and in which encoding.
   */
  readonly bytes: Uint8Array;
  /** Whether they, or the line that they are of, stand behind the end of another. */
  readonly isBehindEnd: boolean;
  /** Bytes of the line that stand before these. */
  readonly before: number;
  /** Of a line that goes on the first of these bytes that the next ones begin with. */
  readonly next?: number;
  /** The number in the file of each line. */
  readonly lines: readonly number[];
}

export interface AddedLines {
  /** A line as it came, without its `\n`; of one that goes on LINE_BYTES_MAX, and the rest with the next. */
  push(line: Uint8Array, goesOn?: boolean): void;
  /** What is whole by now; empties itself. */
  take(): Added[];
  end(): void;
  /** Files that are there after the change, in order, empty and binary ones too. */
  readonly files: readonly string[];
  /** Those of them that git took for binary: nothing of them was read. */
  readonly binary: readonly string[];
}

/** So much of one file is looked at together; a secret is on few lines. */
const PART_BYTES_MAX = 1024 * 1024;
/** So much of one line at a time: data in one line may be larger than memory, too. */
export const LINE_BYTES_MAX = PART_BYTES_MAX;
/** Of a long line what is looked at again with what follows: no secret is longer. Even, for UTF-16. */
const OVERLAP_BYTES = 16 * 1024;
const LINE_END = 10;
const STDIN = "(stdin)";
/** As `git log` begins one; behind it may stand its parents, what it is a merge of, and names that lead to it. */
const COMMIT = /^commit (?:[-<>^=+] ?)?([0-9a-f]{7})[0-9a-f]{33,57}(?= |$)/;
const [PLUS, MINUS, BACKSLASH] = [43, 45, 92];

export function addedLines(): AddedLines {
  const [files, binary, done]: [string[], string[], Added[]] = [[], [], []];
  let state: "message" | "head" | "hunk" = "message";
  let path: string | undefined = STDIN;
  /** A view for each line would take a hundred times the room of a short one. */
  const part = new Uint8Array(PART_BYTES_MAX);
  let length = 0;
  let lines: number[] = [];
  let line = 0;
  /** Lines of all that was pushed. */
  let seen = 0;
  let isRest = false;
  /** Files that the hunk compares with, each with a column of marks. */
  let parents = 1;
  /** Lines of the file that the hunk still has. Behind them are only some that are gone. */
  let left = 0;
  /** What was added of a line that goes on, but for its end, which is looked at again. */
  let long:
    | Pick<Added, "isBehindEnd" | "before"> & {
      readonly end: Uint8Array;
      readonly number: number;
    }
    | undefined;
  let isWithin = false;

  return { files, binary, push, take: () => done.splice(0), end: flush };

  function push(bytes: Uint8Array, goesOn = false): void {
    if (isWithin) goOn(bytes);
    else {
      seen++;
      begin(bytes, goesOn);
    }
    isWithin = goesOn;
    if (!goesOn) long = undefined;
  }

  function begin(bytes: Uint8Array, goesOn: boolean): void {
    if (state === "hunk" && left > 0) return content(bytes, goesOn);
    // What is gone may be long and no text.
    if (state !== "message" && bytes.subarray(0, parents).includes(MINUS)) return;
    const raw = decode(bytes).replace(/\r$/, "");
    if (/^diff --(?:git|cc|combined) /.test(raw)) {
      flush();
      [state, path, parents] = ["head", headPath(raw), 1];
    } else if (COMMIT.test(raw)) {
      const [, commit = ""] = COMMIT.exec(raw) ?? [];
      message(`(commit ${commit})`, 0);
    } else if (state === "message") {
      add(bytes, ++line, goesOn);
    } else if (raw.startsWith("@@")) {
      hunk(raw);
    } else if (raw.startsWith("+++ ")) {
      path = diffPath(raw.slice(4));
    } else if (raw.startsWith("deleted file mode ")) {
      path = undefined;
    } else if (raw.startsWith("Binary files ")) {
      if (path !== undefined) binary.push(path);
    } else if (state === "hunk" && raw !== "" && bytes[0] !== BACKSLASH) {
      // Behind the last line of a file: a commit in a form of somebody's own, or the next patch of a mail.
      message(STDIN, seen - 1);
      add(bytes, ++line, goesOn);
    } else {
      path = movedPath(raw) ?? path;
    }
  }

  /** What follows is none of a file's. `before`: lines above it, by which it is counted. */
  function message(of: string, before: number): void {
    flush();
    [state, path, line] = ["message", of, before];
  }

  /** `@@ -1,2 +3,4 @@`, and with one more `@` and range for each further parent. */
  function hunk(raw: string): void {
    const ranges = raw.slice(0, raw.indexOf("@@", raw.indexOf(" ")));
    const [, first, count = "1"] = /\+(\d+)(?:,(\d+))?/.exec(ranges) ?? [];
    parents = ranges.split("-").length - 1;
    [line, left] = first === undefined ? [0, 0] : [Number(first), Number(count)];
    state = "hunk";
  }

  function content(bytes: Uint8Array, goesOn: boolean): void {
    if (bytes[0] === BACKSLASH) return;
    const marks = bytes.subarray(0, parents);
    if (marks.includes(MINUS)) return;
    left--;
    if (marks.includes(PLUS)) add(bytes.subarray(parents), line, goesOn);
    line++;
  }

  function add(bytes: Uint8Array, number: number, goesOn: boolean): void {
    if (goesOn || length + 1 + bytes.length > PART_BYTES_MAX) release();
    if (goesOn) return giveLong(bytes, number, { isBehindEnd: isRest, before: 0 });
    if (lines.length > 0) part[length++] = LINE_END;
    part.set(bytes, length);
    length += bytes.length;
    lines.push(number);
  }

  function giveLong(
    bytes: Uint8Array,
    number: number,
    where: Pick<Added, "isBehindEnd" | "before">,
  ): void {
    const from = Math.max(0, bytes.length - OVERLAP_BYTES) & ~1;
    give(bytes, [number], { ...where, next: from });
    long = { ...where, before: where.before + from, end: bytes.slice(from), number };
  }

  function goOn(bytes: Uint8Array): void {
    if (long === undefined || bytes.length === 0) return;
    const { end, number, ...where } = long;
    giveLong(concat([end, bytes]), number, where);
  }

  function flush(): void {
    if (state !== "message" && path !== undefined) files.push(path);
    release();
    isRest = false;
  }

  function release(): void {
    if (lines.length === 0) return;
    give(part.slice(0, length), lines);
    [lines, length] = [[], 0];
  }

  function give(
    bytes: Uint8Array,
    lines: readonly number[],
    where: Pick<Added, "isBehindEnd" | "before" | "next"> = { isBehindEnd: isRest, before: 0 },
  ): void {
    const isFile = state !== "message";
    done.push({ path: path ?? "(unknown)", isFile, isRest, bytes, lines, ...where });
    isRest = true;
  }
}
