/** What install and uninstall have in common: which editors there are, and how their changes are shown. */
import { SageError } from "../base/errors.ts";
import { type Line, styled } from "./answer.ts";

export const EDITORS = ["claude-code"] as const;
export type EditorName = typeof EDITORS[number];

/** As people call it. */
export const EDITOR_TITLES: Readonly<Record<EditorName, string>> = { "claude-code": "Claude Code" };

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

export function editorOf(typed: string): EditorName {
  const known = EDITORS.find((name) => name === typed);
  if (known !== undefined) return known;
  throw new SageError("usage", `Unknown editor "${typed}"`, {
    hint: `Sage knows ${EDITORS.join(", ")}`,
  });
}
