/**
 * Extracts the added lines from the output of `git diff` and `git log -p`, including combined diffs of
 * merges, and the commit messages. Input comes line by line, because the first push of a project may be
 * larger than memory. Whether a line is content follows from the counts in the hunk headers, so content
 * that looks like a header is not mistaken for one.
 */
import { concat } from "../base/concat.ts";
import { decode } from "../base/utf8.ts";
import { diffPath, headPath, movedPath } from "./diff_paths.ts";

/** A block of added lines of one file, or lines of a commit message. */
export interface Added {
  /** The file; `(commit 1a2b3c4)` for a commit message; `(stdin)` for text that is not git's output. */
  readonly path: string;
  readonly isFile: boolean;
  /** Whether an earlier block of the same file was given. */
  readonly isRest: boolean;
  /**
   * Whole lines, or a part of one long line; valid until the next push. May be binary or in any encoding:
   * the caller has to find out.
   */
  readonly bytes: Uint8Array;
  /**
   * Whether the first line follows another line of the file: in UTF-16LE it then begins with the zero
   * byte that belongs to the line end before it.
   */
  readonly isBehindEnd: boolean;
  /** The offset of `bytes` in the line, if they are a part of a long one. */
  readonly before: number;
  /** If the line continues: from which offset in `bytes` on the next block repeats them. */
  readonly next?: number;
  /** The line number in the file of each line. */
  readonly lines: readonly number[];
}

/** The size of a block of lines, which is scanned by itself: a secret spans few lines. */
const PART_BYTES_MAX = 1024 * 1024;
/** A longer line is given in parts: a line of data may be larger than memory. */
export const LINE_BYTES_MAX = PART_BYTES_MAX;
/** How far the parts of a long line overlap: longer than any secret, and even, for UTF-16. */
const OVERLAP_BYTES = 16 * 1024;
const LINE_END = 10;
const STDIN = "(stdin)";
/** The first line of a commit in `git log`; parents and ref names may follow. */
const COMMIT = /^commit (?:[-<>^=+] ?)?([0-9a-f]{7})[0-9a-f]{33,57}(?= |$)/;
/** A ref that is pushed, as our pre-push hook writes it. */
const REF = /^ref (refs\/\S+)$/;
/** The lines of a file's header in a diff that carry no path. */
const HEAD =
  /^(?:(?:old |new |(?:new|deleted) file )?mode \d|(?:dis)?similarity index |index [0-9a-f]+[,.]|GIT binary patch$|(?:literal|delta) \d+$)/;
const [PLUS, MINUS, BACKSLASH] = [43, 45, 92];

type Where = Pick<Added, "isBehindEnd" | "before">;

/** A long line whose end has not come yet; `end` is the part to repeat in its next block. */
interface LongLine extends Where {
  readonly end: Uint8Array;
  readonly number: number;
}

export class AddedLines {
  /** Files that exist after the change, in order, including empty and binary ones. */
  readonly files: string[] = [];
  /** The files that git calls binary; the diff has no content of them. */
  readonly binary: string[] = [];
  /** Branches and tags that are pushed. */
  readonly refs: string[] = [];
  #done: Added[] = [];
  #state: "message" | "head" | "hunk" = "message";
  #path: string | undefined = STDIN;
  /** The lines of the current block. Copied, as a Uint8Array a line would cost far more memory. */
  readonly #part = new Uint8Array(PART_BYTES_MAX);
  #length = 0;
  #lines: number[] = [];
  #line = 0;
  /** Lines of input so far. */
  #seen = 0;
  #isRest = false;
  /** The columns of `+`, `-` and space before each line: one, but one a parent in a combined diff. */
  #parents = 1;
  /** Lines of the new file that the hunk still has; after them come removed lines only. */
  #left = 0;
  #long: LongLine | undefined;
  /** Whether the last push was not the end of its line. */
  #isWithin = false;

  /** Takes a line without its `\n`; with `goesOn`, the first LINE_BYTES_MAX of a longer one. */
  push(bytes: Uint8Array, goesOn = false): void {
    if (this.#isWithin) this.#goOn(bytes);
    else {
      this.#seen++;
      this.#begin(bytes, goesOn);
    }
    this.#isWithin = goesOn;
    if (!goesOn) this.#long = undefined;
  }

  /** Removes and returns the blocks that are complete. */
  take(): Added[] {
    return this.#done.splice(0);
  }

  end(): void {
    if (this.#state !== "message" && this.#path !== undefined) this.files.push(this.#path);
    this.#release();
    this.#isRest = false;
  }

  #begin(bytes: Uint8Array, goesOn: boolean): void {
    if (this.#state === "hunk" && this.#left > 0) return this.#content(bytes, goesOn);
    // Removed lines are skipped before they are decoded: they may be long and binary.
    const marks = bytes.subarray(0, this.#parents);
    if (this.#state !== "message" && marks.includes(MINUS)) return;
    const raw = decode(bytes).replace(/\r$/, "");
    const commit = COMMIT.exec(raw)?.[1];
    const ref = REF.exec(raw)?.[1];
    if (/^diff --(?:git|cc|combined) /.test(raw)) {
      this.end();
      [this.#state, this.#path, this.#parents] = ["head", headPath(raw), 1];
    } else if (commit !== undefined) {
      this.#message(`(commit ${commit})`, 0);
    } else if (ref !== undefined) {
      this.refs.push(ref);
      this.#message(STDIN, this.#seen);
    } else if (this.#state === "message") {
      this.#add(bytes, ++this.#line, goesOn);
    } else if (!this.#head(raw) && raw !== "" && bytes[0] !== BACKSLASH) {
      // Not part of a file's diff: a commit in a custom log format, or the next patch of a mail.
      this.#message(STDIN, this.#seen - 1);
      this.#add(bytes, ++this.#line, goesOn);
    }
  }

  /** Begins text that belongs to no file; its first line has the number `before` + 1. */
  #message(path: string, before: number): void {
    this.end();
    [this.#state, this.#path, this.#line] = ["message", path, before];
  }

  /** Reads a line of a file's header or the head of a hunk; false if it is neither. */
  #head(raw: string): boolean {
    const moved = movedPath(raw);
    if (raw.startsWith("@@")) this.#hunk(raw);
    else if (raw.startsWith("+++ ")) this.#path = diffPath(raw.slice(4));
    else if (raw.startsWith("deleted file mode ")) this.#path = undefined;
    else if (raw.startsWith("Binary files ")) {
      if (this.#path !== undefined) this.binary.push(this.#path);
    } else if (moved !== undefined) this.#path = moved;
    else return this.#state === "head" && (HEAD.test(raw) || isData(raw));
    return true;
  }

  /** `@@ -1,2 +3,4 @@`, and with one more `@` and range for each further parent. */
  #hunk(raw: string): void {
    const ranges = raw.slice(0, raw.indexOf("@@", raw.indexOf(" ")));
    const [, first, count = "1"] = /\+(\d+)(?:,(\d+))?/.exec(ranges) ?? [];
    this.#parents = ranges.split("-").length - 1;
    [this.#line, this.#left] = first === undefined ? [0, 0] : [Number(first), Number(count)];
    this.#state = "hunk";
  }

  #content(bytes: Uint8Array, goesOn: boolean): void {
    if (bytes[0] === BACKSLASH) return;
    const marks = bytes.subarray(0, this.#parents);
    if (marks.includes(MINUS)) return;
    this.#left--;
    if (marks.includes(PLUS)) this.#add(bytes.subarray(this.#parents), this.#line, goesOn);
    this.#line++;
  }

  #add(bytes: Uint8Array, number: number, goesOn: boolean): void {
    if (goesOn || this.#length + 1 + bytes.length > PART_BYTES_MAX) this.#release();
    if (goesOn) return this.#giveLong(bytes, number, { isBehindEnd: this.#isRest, before: 0 });
    if (this.#lines.length > 0) this.#part[this.#length++] = LINE_END;
    this.#part.set(bytes, this.#length);
    this.#length += bytes.length;
    this.#lines.push(number);
  }

  #giveLong(bytes: Uint8Array, number: number, where: Where): void {
    const from = Math.max(0, bytes.length - OVERLAP_BYTES) & ~1;
    this.#give(bytes, [number], { ...where, next: from });
    this.#long = { ...where, before: where.before + from, end: bytes.slice(from), number };
  }

  #goOn(bytes: Uint8Array): void {
    if (this.#long === undefined || bytes.length === 0) return;
    const { end, number, ...where } = this.#long;
    this.#giveLong(concat([end, bytes]), number, where);
  }

  #release(): void {
    if (this.#lines.length === 0) return;
    const where = { isBehindEnd: this.#isRest, before: 0 };
    this.#give(this.#part.slice(0, this.#length), this.#lines, where);
    [this.#lines, this.#length] = [[], 0];
  }

  #give(bytes: Uint8Array, lines: readonly number[], where: Where & Pick<Added, "next">): void {
    const [path, isFile, isRest] = [this.#path, this.#state !== "message", this.#isRest];
    this.#done.push({ path: path ?? "(unknown)", isFile, isRest, bytes, lines, ...where });
    this.#isRest = true;
  }
}

/**
 * Whether it is a data line of `git diff --binary`: a letter for the number of bytes (A is 1, a is 27),
 * then the bytes in base85, five characters for four.
 */
function isData(raw: string): boolean {
  const bytes = 1 + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(raw.charAt(0));
  return bytes > 0 && raw.length === 1 + 5 * Math.ceil(bytes / 4) && !raw.includes(" ");
}
