/** What install and uninstall have in common: which editors there are, and how their changes are shown. */
import { SageError } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import { type EditorName, EDITORS } from "../editor/setup.ts";
import { type Line, styled } from "./answer.ts";
import { absolute } from "./folder.ts";
import type { Io } from "./io.ts";
import { table } from "./table.ts";

/**
 * The program that others are to call: this one, unless another is named. It is started from any
 * folder, so the path is made absolute; and it has to be there.
 */
export function program(io: Io, typed: string | undefined): string {
  if (typed !== undefined) {
    const path = absolute(io, typed);
    if (realFs.lstat(path) !== undefined) return path;
    throw new SageError("usage", `Cannot register "${typed}": there is no such program`);
  }
  if (io.binary !== undefined) return io.binary;
  throw new SageError("usage", "Cannot install from the sources: a program is needed to call", {
    hint: "deno task build, then dist/sage; or name one with --binary",
  });
}

export interface FileChange {
  readonly path: string;
  /** A unified diff. */
  readonly diff: string;
}

/** Each file's name and what changes in it, green and red on a terminal. */
export function diffLines(files: readonly FileChange[]): Line[] {
  return files.flatMap(({ path, diff }, i): Line[] => [
    ...(i === 0 ? [] : [""]),
    path,
    ...diff.trimEnd().split("\n").map((line): Line =>
      line.startsWith("+")
        ? styled(line, "green")
        : line.startsWith("-")
        ? styled(line, "red")
        : line
    ),
  ]);
}

interface Entries {
  readonly hooks: number;
  readonly servers: number;
  readonly statusLines: number;
}

export interface EntryChange {
  readonly path: string;
  readonly before: Entries;
  /** Absent where the file goes. */
  readonly after?: Entries;
  /** Of a folder that is Sage's alone. */
  readonly files?: number;
}

/** One line a file: `+6 hooks`, `-1 MCP server`; the diff is for those who ask. */
export function entryLines(io: Io, changes: readonly EntryChange[]): Line[] {
  return table(
    io,
    changes.map(({ path, before, after, files = 0 }) => [
      path,
      files === 0
        ? countsOf(before, after)
        : `${after === undefined ? "-" : "+"}${files} files of the plugin`,
    ]),
    { indent: "  " },
  );
}

function countsOf(before: Entries, after: Entries | undefined): string {
  const counts = [
    count(before.hooks, after?.hooks ?? 0, "hook"),
    count(before.servers, after?.servers ?? 0, "MCP server"),
    count(before.statusLines, after?.statusLines ?? 0, "status line"),
  ].filter((part) => part !== "");
  const all = counts.length === 0 ? "changed" : counts.join(", ");
  return after === undefined ? `${all}; the file goes, it held nothing else` : all;
}

function count(before: number, after: number, noun: string): string {
  const most = Math.max(before, after);
  const many = (number: number): string => `${number} ${noun}${number === 1 ? "" : "s"}`;
  if (most === 0) return "";
  if (before === after) return `${many(after)} changed`;
  return (after > before ? "+" : "-") + many(Math.abs(after - before));
}

/** What was typed, each once. */
export function editorsOf(typed: readonly string[]): EditorName[] {
  return [...new Set(typed)].map((one) => {
    const known = EDITORS.find((name) => name === one);
    if (known !== undefined) return known;
    throw new SageError("usage", `Unknown editor "${one}"`, {
      hint: `Sage knows ${EDITORS.join(", ")}`,
    });
  });
}
