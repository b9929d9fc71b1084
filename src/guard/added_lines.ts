/**
 * What a change adds, out of git's own words: `git diff`, `git log -p`, combined diffs of merges. Fed
 * line by line, because the first push of a project may be larger than memory; the counts in the
 * hunks' heads say which line is content, so that no content can pass for a head.
 */
import { diffPath, headPath, movedPath } from "./diff_paths.ts";

/** Text that was added to one file, as far as it was read in one go, or a commit's message. */
export interface Added {
  /** `(commit 1a2b3c4)` of a commit's message; `(stdin)` of what stands in front of all of git's. */
  readonly path: string;
  readonly text: string;
  /** The number in the file of each line of the text. */
  readonly lines: readonly number[];
}

export interface AddedLines {
  push(line: string): void;
  /** What is whole by now; empties itself. */
  take(): Added[];
  end(): void;
  /** Files that are there after the change, in order, empty and binary ones too. */
  readonly files: readonly string[];
  /** Those of them that git took for binary: nothing of them was read. */
  readonly binary: readonly string[];
}

/** So much text of one file is looked at together; a secret is on few lines. */
const TEXT_CHARACTERS_MAX = 1024 * 1024;

export function addedLines(): AddedLines {
  const [files, binary, done]: [string[], string[], Added[]] = [[], [], []];
  let state: "message" | "head" | "hunk" = "message";
  let path: string | undefined = "(stdin)";
  let text: string[] = [];
  let lines: number[] = [];
  let characters = 0;
  let line = 0;
  /** Files that the hunk compares with, each with a column of marks. */
  let parents = 1;
  /** Lines of the file that the hunk still has. Behind them are only some that are gone. */
  let left = 0;

  return { files, binary, push, take: () => done.splice(0), end: flush };

  function push(raw: string): void {
    if (state === "hunk" && left > 0) return content(raw);
    if (/^diff --(?:git|cc|combined) /.test(raw)) {
      flush();
      [state, path] = ["head", headPath(raw)];
    } else if (/^commit [0-9a-f]{40,64}$/.test(raw)) {
      flush();
      [state, path, line] = ["message", `(commit ${raw.slice(7, 14)})`, 0];
    } else if (state === "message") {
      add(raw, ++line);
    } else if (raw.startsWith("@@")) {
      hunk(raw);
    } else if (raw.startsWith("+++ ")) {
      path = diffPath(raw.slice(4));
    } else if (raw.startsWith("deleted file mode ")) {
      path = undefined;
    } else if (raw.startsWith("Binary files ")) {
      if (path !== undefined) binary.push(path);
    } else {
      path = movedPath(raw) ?? path;
    }
  }

  /** `@@ -1,2 +3,4 @@`, and with one more `@` and range for each further parent. */
  function hunk(raw: string): void {
    const ranges = raw.slice(0, raw.indexOf("@@", raw.indexOf(" ")));
    const [, first, count = "1"] = /\+(\d+)(?:,(\d+))?/.exec(ranges) ?? [];
    parents = ranges.split("-").length - 1;
    [line, left] = first === undefined ? [0, 0] : [Number(first), Number(count)];
    state = "hunk";
  }

  function content(raw: string): void {
    if (raw.startsWith("\\")) return;
    const marks = raw.slice(0, parents);
    if (marks.includes("-")) return;
    left--;
    if (marks.includes("+")) add(raw.slice(parents), line);
    line++;
  }

  function add(content: string, number: number): void {
    text.push(content);
    lines.push(number);
    characters += content.length;
    if (characters > TEXT_CHARACTERS_MAX) release();
  }

  function flush(): void {
    if (state !== "message" && path !== undefined) files.push(path);
    release();
  }

  function release(): void {
    if (text.length > 0) done.push({ path: path ?? "(unknown)", text: text.join("\n"), lines });
    [text, lines, characters] = [[], [], 0];
  }
}
