/**
 * Scripts of Codex, which newer models write in place of calls: JavaScript that calls the client's tools. What it
 * runs and changes stands in it as text; it is read, and never run. How a command ended is known only where the
 * script prints that.
 */
import { fieldsOf, parsed, textOf } from "../../base/fields.ts";
import { joinedText, patchedFiles } from "../turn_list.ts";

const STRING = String.raw`("(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|\`(?:[^\`\\]|\\[^])*\`)`;
const COMMAND = new RegExp(
  String.raw`\btools\.exec_command\(\s*\{[^{}"'\`]{0,200}["']?\bcmd["']?\s*:\s*${STRING}`,
  "g",
);
const PATCHES = /\btools\.apply_patch\(/;
const PATCH = new RegExp(STRING, "g");
const BEGINS = /^["'`]\*\*\* Begin Patch/;

export interface Script {
  readonly commands: readonly string[];
  /** The files that its patches change. */
  readonly files: readonly string[];
}

export function readScript(script: string): Script {
  const patches = PATCHES.test(script)
    ? [...script.matchAll(PATCH)].flatMap(([literal]) => BEGINS.test(literal) ? [literal] : [])
    : [];
  return {
    commands: [...script.matchAll(COMMAND)].map(([, literal = ""]) => unquoted(literal)),
    files: [...new Set(patches.flatMap((patch) => patchedFiles(unquoted(patch))))],
  };
}

function unquoted(literal: string): string {
  const inner = literal.slice(1, -1);
  // The same escapes as in JSON, but for those of the quotes themselves.
  const json = inner.replace(
    /\\([^])|"|\n/g,
    (all, escaped?: string) =>
      all === "\n"
        ? "\\n"
        : escaped === undefined
        ? '\\"'
        : /["\\/bfnrtu]/.test(escaped)
        ? all
        : escaped,
  );
  return textOf(parsed(`"${json}"`)) ?? inner;
}

/** The client's header of a script's output. */
const HEADER = /^Script (completed|failed|running)\b[^\n]*\n(?:Wall time [^\n]*\n)?(?:Output:\n)?/;

export interface ScriptOutcome {
  readonly text: string;
  /** Undefined if it does not say how the command ended. */
  readonly failed: boolean | undefined;
}

/** What a script printed; undefined while it runs. */
export function scriptOutcome(output: unknown): ScriptOutcome | undefined {
  const all = joinedText(output);
  const [header = "", state] = HEADER.exec(all) ?? [];
  if (state === "running") return undefined;
  const text = all.slice(header.length).trim();
  if (state === "failed") return { text, failed: true };
  const { output: printed, exit_code: code, session_id: process } = fieldsOf(
    text.startsWith("{") ? parsed(text) : undefined,
  );
  if (process !== undefined && code === undefined) return undefined;
  return {
    text: textOf(printed) ?? text,
    failed: typeof code === "number" ? code !== 0 : undefined,
  };
}
