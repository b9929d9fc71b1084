/** How Sage's own entries look in any editor's files, and how they are told from everybody else's. */
import { SageError } from "../base/errors.ts";
import { isObject } from "../base/fields.ts";
import { basename, native } from "../base/fs.ts";
import type { JsonObject } from "./jsonc.ts";
import type { Place } from "./setup.ts";

export const SERVER_NAME = "sage";
/** What an editor calls at an event in place of a process; no model sees it. */
export const HOOK_TOOL = "sage_hook";

/** What a shell takes as it stands. */
const PLAIN = /^[\w./+@:~-]+$/;
/** What both shells of Windows take as it stands: no blank, and no sign that is a quote there. */
const PLAIN_ON_WINDOWS = /^[\w.:\\~+\u00c0-\u1fff\u3040-\ud7ff-]+$/;
/** `'/my tools/sage' hook stop codex`, as `commandLine` writes it for one of the shells. */
const HOOK_LINE =
  /^(?:& |cmd \/c )?([\w./+@:~\\\u00c0-\ud7ff-]+|'.+'|".+") hook [a-z-]+(?: [a-z]+)?$/;

/** `cmd`: it, or PowerShell, by the version of the editor. */
export type Shell = "sh" | "cmd" | "powershell";

/** Program and words as one line, for editors that hand hooks to a shell. */
export function commandLine(command: string, words: readonly string[], shell: Shell): string {
  return [quoted(command, shell), ...words].join(" ");
}

/** Windows has two shells to hand a line to; elsewhere all are alike here. */
export function shellOf(os: Place["os"], onWindows: "cmd" | "powershell"): Shell {
  return os === "windows" ? onWindows : "sh";
}

function quoted(command: string, shell: Shell): string {
  if (shell === "sh") {
    return PLAIN.test(command) ? command : `'${command.replaceAll("'", `'\\''`)}'`;
  }
  // In quotes PowerShell takes a program for a text, and what hands them to `cmd` may escape them.
  const path = native(command, "windows");
  if (PLAIN_ON_WINDOWS.test(path)) return path;
  return shell === "cmd" ? `cmd /c "${path}"` : `& '${path.replaceAll("'", "''")}'`;
}

/** The program of a hook that some version of Sage registered, wherever it lay; else undefined. */
export function hookProgram(handler: unknown): string | undefined {
  if (!isObject(handler) || typeof handler.command !== "string") return undefined;
  const { command, args } = handler;
  const isExec = Array.isArray(args) && args[0] === "hook";
  const program = isExec ? command : unquoted(HOOK_LINE.exec(command)?.[1] ?? "");
  return isSage(program) ? program : undefined;
}

export function isOwnHook(handler: unknown): handler is JsonObject {
  return hookProgram(handler) !== undefined || isServerHook(handler);
}

/** One that the editor's connection to our server answers. */
function isServerHook(handler: unknown): handler is JsonObject {
  return isObject(handler) && handler.type === "mcp_tool" && handler.server === SERVER_NAME &&
    handler.tool === HOOK_TOOL;
}

/** The program of a server that some version of Sage registered: `command` and `args`, or one list. */
export function serverProgram(server: unknown): string | undefined {
  if (!isObject(server)) return undefined;
  const words = Array.isArray(server.command)
    ? server.command
    : [server.command, ...(Array.isArray(server.args) ? server.args : [])];
  return isSage(words[0]) && words[1] === "mcp" ? words[0] : undefined;
}

/** Whether an entry with this command would be known again: `sage`, `sage-linux-x64`, `sage.exe`. */
export function isSage(command: unknown): command is string {
  return typeof command === "string" && /^sage(?:[-_.][\w.-]*)?$/i.test(basename(command));
}

export function assertSage(command: string): void {
  if (isSage(command)) return;
  throw new SageError("usage", `Cannot install "${command}": it is not called sage`, {
    hint: "name the program sage, or sage-something: by that its entries are found again",
  });
}

/** Our name is taken by something else: never replaced. */
export function takenName(file: string, key: string): SageError {
  return new SageError("conflict", `"${file}" has another MCP server named "${SERVER_NAME}"`, {
    hint: `rename or remove ${key}.${SERVER_NAME} there, then repeat; nothing was changed`,
  });
}

export function wrongShape(file: string, key: string, wanted: string): SageError {
  return new SageError("invalid_config", `Cannot edit "${file}": "${key}" is not ${wanted}`, {
    hint: "mend the file, then repeat; nothing was changed",
  });
}

function unquoted(word: string): string {
  const inner = /^'(.*)'$/.exec(word)?.[1] ?? /^"(.*)"$/.exec(word)?.[1];
  return inner ?? word;
}
