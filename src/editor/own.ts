/** Sage's own entries in any editor's files: how they are written and recognized. */
import { SageError } from "../base/errors.ts";
import { isObject } from "../base/fields.ts";
import { basename, native } from "../base/path.ts";
import type { JsonObject } from "./jsonc.ts";
import type { Place } from "./setup.ts";

export const SERVER_NAME = "sage";
/** The tool that an editor calls at an event instead of a process; hidden from models. */
export const HOOK_TOOL = "sage_hook";

/** Characters that need no quotes in a POSIX shell. */
const PLAIN = /^[\w./+@:~-]+$/;
/** Characters that need no quotes in either Windows shell. */
const PLAIN_ON_WINDOWS = /^[\w.:\\~+\u00c0-\u1fff\u3040-\ud7ff-]+$/;
/** `'/my tools/sage' hook stop codex`, as `commandLine` writes it for one of the shells. */
const HOOK_LINE =
  /^(?:& |cmd \/c )?([\w./+@:~\\\u00c0-\ud7ff-]+|'.+'|".+") hook [a-z-]+(?: [a-z]+)?$/;

/** `cmd`: cmd.exe or PowerShell, depending on the editor's version. */
export type Shell = "sh" | "cmd" | "powershell";

/** Program and arguments as one line, for editors that run hooks in a shell. */
export function commandLine(command: string, words: readonly string[], shell: Shell): string {
  return [quoted(command, shell), ...words].join(" ");
}

/** The shell that runs the line: on Windows one of two, elsewhere a POSIX shell. */
export function shellOf(os: Place["os"], onWindows: "cmd" | "powershell"): Shell {
  return os === "windows" ? onWindows : "sh";
}

function quoted(command: string, shell: Shell): string {
  if (shell === "sh") {
    return PLAIN.test(command) ? command : `'${command.replaceAll("'", `'\\''`)}'`;
  }
  // PowerShell takes a quoted program for a string, and quotes for cmd may be escaped on the way.
  const path = native(command, "windows");
  if (PLAIN_ON_WINDOWS.test(path)) return path;
  return shell === "cmd" ? `cmd /c "${path}"` : `& '${path.replaceAll("'", "''")}'`;
}

/** The program of a hook that any version of Sage registered; undefined for other hooks. */
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

/** Whether the hook is a call of Sage's MCP server. */
function isServerHook(handler: unknown): handler is JsonObject {
  return isObject(handler) && handler.type === "mcp_tool" && handler.server === SERVER_NAME &&
    handler.tool === HOOK_TOOL;
}

/** The program of a server that any version of Sage registered, as `command` and `args` or as one list. */
export function serverProgram(server: unknown): string | undefined {
  if (!isObject(server)) return undefined;
  const words = Array.isArray(server.command)
    ? server.command
    : [server.command, ...(Array.isArray(server.args) ? server.args : [])];
  return isSage(words[0]) && words[1] === "mcp" ? words[0] : undefined;
}

/** Whether a command is recognized as Sage: `sage`, `sage-linux-x64`, `sage.exe`. */
export function isSage(command: unknown): command is string {
  return typeof command === "string" && /^sage(?:[-_.][\w.-]*)?$/i.test(basename(command));
}

export function assertSage(command: string): void {
  if (isSage(command)) return;
  throw new SageError("usage", `Cannot install "${command}": it is not called sage`, {
    hint: "name the program sage, or sage-something, so that its entries can be recognized",
  });
}

/** The error for another server with Sage's name, which is never replaced. */
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
