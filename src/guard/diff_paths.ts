/** Reads file paths from git's output: diffs and lists of names. */
import { encode } from "../base/utf8.ts";

/** All paths in a diff or in the output of `--name-only` or `--name-status`, with or without `-z`. */
export function changedPaths(text: string): Set<string> {
  const paths = new Set<string>();
  const isDiff = /^(?:diff --(?:git|cc|combined) |@@ )/m.test(text);
  for (const line of text.split(/\0|\r?\n/)) {
    if (line === "") continue;
    if (isDiff) { for (const path of pathsOfDiffLine(line)) paths.add(path); }
    else for (const path of pathsOfName(line)) paths.add(path);
  }
  paths.delete("/dev/null");
  return paths;
}

/** The path after `--- ` or `+++ `, without its prefix (`a/`, `b/`); undefined for `/dev/null`. */
export function diffPath(typed: string): string | undefined {
  const path = unquotePath(typed.replace(/\t.*$/, ""));
  return path === "/dev/null" ? undefined : path.replace(/^[abciow]\//, "");
}

/**
 * The path in a `diff --git` line, the only place for the path of an empty or binary file or of one
 * whose mode alone changed. Undefined if the two sides differ (a rename), or for any other line.
 */
export function headPath(line: string): string | undefined {
  const [, kind, typed = ""] = /^diff --(git|cc|combined) (.+)$/.exec(line) ?? [];
  if (kind !== "git") return kind === undefined ? undefined : unquotePath(typed);
  const half = (typed.length - 1) / 2;
  const [before, after] = [typed.slice(0, half), typed.slice(half + 1)].map(diffPath);
  return typed[half] === " " && before === after ? after : undefined;
}

/** The path in a line `rename from`, `rename to`, `copy from` or `copy to`. */
export function movedPath(line: string): string | undefined {
  const typed = /^(?:rename|copy) (?:from|to) (.+)$/.exec(line)?.[1];
  return typed === undefined ? undefined : unquotePath(typed);
}

function pathsOfDiffLine(line: string): string[] {
  const header = /^(?:---|\+\+\+) (.+)$/.exec(line)?.[1];
  const path = header === undefined ? headPath(line) ?? movedPath(line) : diffPath(header);
  return path === undefined ? [] : [path];
}

/** `src/a.ts`, `M<tab>src/a.ts`, `R100<tab>old<tab>new`; with `-z` the status is an entry of its own. */
function pathsOfName(line: string): string[] {
  if (/^[ACDMRTUX]\d*$/.test(line)) return [];
  const parts = line.split("\t");
  const names = parts.length > 1 && /^[ACDMRTUX]\d*$/.test(parts[0] ?? "") ? parts.slice(1) : parts;
  return names.map(unquotePath);
}

/** `"src/\303\244.ts"` → `src/ä.ts`: git quotes paths that are not plain ASCII, byte by byte. */
function unquotePath(text: string): string {
  if (!/^".*"$/.test(text)) return text;
  const bytes: number[] = [];
  for (
    const [, octal, escaped, plain] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gu)
  ) {
    if (octal !== undefined) bytes.push(Number.parseInt(octal, 8));
    else bytes.push(...encode(ESCAPES[escaped ?? ""] ?? escaped ?? plain ?? ""));
  }
  return new TextDecoder().decode(Uint8Array.from(bytes));
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", a: "\x07", b: "\b" };
