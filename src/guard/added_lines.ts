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
   * Whole lines, or part of a long one, valid until the next push. The caller finds out whether they are
   * text, and in which encoding.
   */
  readonly bytes: Uint8Array;
  /** Whether they, or the line that they are of, stand behind the end of another. */
  readonly isBehindEnd: boolean;
  /** Bytes of the line that stand before these. */
  readonly before: number;
  /** Of a line that continues: the first of these bytes that the next ones repeat. */
  readonly next?: number;
  /** The number in the file of each line. */
  readonly lines: readonly number[];
}

/** How much of one file is scanned together; a secret is on few lines. */
const PART_BYTES_MAX = 1024 * 1024;
/** How much of one line is scanned at a time: a line of data may be larger than memory. */
export const LINE_BYTES_MAX = PART_BYTES_MAX;
/**
 * The end of a long line's part that is scanned again with what follows: no secret is longer. Even, for
 * UTF-16.
 */
const OVERLAP_BYTES = 16 * 1024;
const LINE_END = 10;
const STDIN = "(stdin)";
/** As `git log` begins a commit; parents, merges and ref names may follow. */
const COMMIT = /^commit (?:[-<>^=+] ?)?([0-9a-f]{7})[0-9a-f]{33,57}(?= |$)/;
/** What is pushed to, as the pre-push hook says it. */
const REF = /^ref (refs\/\S+)$/;
const HEAD =
  /^(?:(?:old |new |(?:new|deleted) file )?mode \d|(?:dis)?similarity index |index [0-9a-f]+[,.]|GIT binary patch$|(?:literal|delta) \d+$)/;
const [PLUS, MINUS, BACKSLASH] = [43, 45, 92];

type Where = Pick<Added, "isBehindEnd" | "before">;

/** What was added of a line that goes on, but for its end, which is looked at again. */
interface LongLine extends Where {
  readonly end: Uint8Array;
  readonly number: number;
}

export class AddedLines {
  /** Files that are there after the change, in order, empty and binary ones too. */
  readonly files: string[] = [];
  /** Those of them that git took for binary: nothing of them was read. */
  readonly binary: string[] = [];
  /** Branches and tags that are pushed. */
  readonly refs: string[] = [];
  #done: Added[] = [];
  #state: "message" | "head" | "hunk" = "message";
  #path: string | undefined = STDIN;
  /** A view for each line would take a hundred times the room of a short one. */
  readonly #part = new Uint8Array(PART_BYTES_MAX);
  #length = 0;
  #lines: number[] = [];
  #line = 0;
  /** Lines of all that was pushed. */
  #seen = 0;
  #isRest = false;
  /** Files that the hunk compares with, each with a column of marks. */
  #parents = 1;
  /** Lines of the file that the hunk still has. Behind them are only some that are gone. */
  #left = 0;
  #long: LongLine | undefined;
  #isWithin = false;

  /** A line as it came, without its `\n`; of one that goes on LINE_BYTES_MAX, and the rest with the next. */
  push(bytes: Uint8Array, goesOn = false): void {
    if (this.#isWithin) this.#goOn(bytes);
    else {
      this.#seen++;
      this.#begin(bytes, goesOn);
    }
    this.#isWithin = goesOn;
    if (!goesOn) this.#long = undefined;
  }

  /** What is whole by now; empties itself. */
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
    // What is gone may be long and no text.
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
      // Behind the last line of a file, or a head without any: a commit in a form of somebody's own, or the next patch of a mail.
      this.#message(STDIN, this.#seen - 1);
      this.#add(bytes, ++this.#line, goesOn);
    }
  }

  /** What follows is none of a file's. `before`: lines above it, by which it is counted. */
  #message(path: string, before: number): void {
    this.end();
    [this.#state, this.#path, this.#line] = ["message", path, before];
  }

  /** False where the line is none by which git says what it shows of a file. */
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

/** A line of `git diff --binary`: its first letter says how many bytes it has, and four of them are five signs. */
function isData(raw: string): boolean {
  const bytes = 1 + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz".indexOf(raw.charAt(0));
  return bytes > 0 && raw.length === 1 + 5 * Math.ceil(bytes / 4) && !raw.includes(" ");
}
