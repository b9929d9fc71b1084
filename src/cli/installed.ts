/** What install and uninstall have in common: which editors there are, and how their changes are shown. */
import { SageError } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import { basename, isAbsolute, join, slashed } from "../base/path.ts";
import { count, nearest } from "../base/text/text.ts";
import { type EditorName, EDITORS } from "../editor/setup.ts";
import type {
  ChangedFile,
  EntryChange,
  OwnEntries,
  UninstallOutcome,
} from "../memory/editor/install.ts";
import type { Line } from "./terminal/answer.ts";
import { diffLines } from "./terminal/diff_lines.ts";
import { absolute } from "./folder.ts";
import type { Io } from "./io.ts";
import { table } from "./terminal/table.ts";

const PATH_SEPARATOR = Deno.build.os === "windows" ? ";" : ":";

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
  if (io.binary !== undefined) return lasting(io, io.binary);
  throw new SageError("usage", "Cannot install from the sources: a program is needed to call", {
    hint: "deno task build, then dist/sage; or name one with --binary",
  });
}

/**
 * The name under which PATH has this program. A package manager keeps each version in a folder that its next
 * upgrade takes away; the link to it stays, and is what a person types.
 */
function lasting(io: Io, path: string): string {
  const real = realPath(path);
  const folders = (io.env("PATH") ?? "").split(PATH_SEPARATOR).filter(isAbsolute);
  return folders.map((folder) => join(slashed(folder), basename(path)))
    .find((named) => real !== undefined && realPath(named) === real) ?? path;
}

function realPath(path: string): string | undefined {
  try {
    return realFs.realPath(path);
  } catch {
    return undefined;
  }
}

/** Each file's name and what changes in it. */
export function fileDiffs(files: readonly ChangedFile[]): Line[] {
  return files.flatMap(({ path, diff }, i): Line[] => [
    ...(i === 0 ? [] : [""]),
    path,
    ...diffLines(diff, ""),
  ]);
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
    { indent: "  ", wraps: io.isTerminal.stdout },
  );
}

function countsOf(before: OwnEntries, after: OwnEntries | undefined): string {
  const all: readonly (readonly [before: number, after: number, noun: string])[] = [
    [before.hooks, after?.hooks ?? 0, "hook"],
    [before.servers, after?.servers ?? 0, "MCP server"],
    [before.statusLines, after?.statusLines ?? 0, "status line"],
  ];
  const rows = all.filter(([was, is]) => was + is > 0);
  // If only a status line is added, existing hooks are unchanged and not listed.
  const moved = rows.filter(([was, is]) => was !== is);
  const counts = (moved.length === 0 ? rows : moved).map((row) => difference(...row));
  const said = counts.length === 0 ? "changed" : counts.join(", ");
  return after === undefined ? `${said}; the file is deleted, it held nothing else` : said;
}

function difference(before: number, after: number, noun: string): string {
  if (before === after) return `${count(after, noun)} changed`;
  return (after > before ? "+" : "-") + count(Math.abs(after - before), noun);
}

/** What is removed from git. */
export function gitLines(hookFolders: readonly string[], configs: readonly string[]): string[] {
  return [
    ...hookFolders.map((folder) => `Hooks of git: ${folder}`),
    ...configs.map((path) => `Merge driver of git: ${path}`),
  ];
}

/** What an uninstall leaves in place. */
export function leftLines(
  { edited, shared, kept }: Pick<UninstallOutcome, "edited" | "shared" | "kept">,
): string[] {
  return [
    ...shared.map((path) => `Left, because everybody who shares the project has it: ${path}`),
    ...edited.map((path) => `Left, because it was changed by hand: ${path}`),
    ...(kept.length === 0 ? [] : [`Your notes stay: ${kept.join(", ")}`]),
  ];
}

/** What was typed, each once. */
export function editorsOf(typed: readonly string[]): EditorName[] {
  return [...new Set(typed)].map((one) => {
    const known = EDITORS.find((name) => name === one);
    if (known !== undefined) return known;
    const meant = nearest(one, EDITORS);
    throw new SageError("usage", `Unknown editor "${one}"`, {
      hint: meant === undefined ? `Sage knows ${EDITORS.join(", ")}` : `did you mean ${meant}?`,
    });
  });
}
