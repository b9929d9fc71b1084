/**
 * What Sage registers with Claude Code: its hooks and its MCP server, as values; and how its own
 * entries are told from everybody else's. hooks/hooks.json holds the same hooks for a plugin.
 */
import { basename } from "../../base/fs.ts";
import type { HookEvent } from "../editor.ts";
import { isObject, type JsonObject } from "../jsonc.ts";

export const SERVER_NAME = "sage";

interface Registration {
  readonly name: string;
  readonly event: HookEvent;
  /** Only some events have kinds to choose from. */
  readonly matcher?: string;
  readonly timeoutSeconds: number;
}

/** Timeouts are for the worst day of a disk; the hooks themselves give up far earlier. */
const REGISTRATIONS: readonly Registration[] = [
  {
    name: "SessionStart",
    event: "session-start",
    matcher: "startup|resume|clear|compact|fork",
    timeoutSeconds: 10,
  },
  { name: "UserPromptSubmit", event: "user-prompt-submit", timeoutSeconds: 10 },
  { name: "Stop", event: "stop", timeoutSeconds: 10 },
  { name: "SubagentStop", event: "subagent-stop", timeoutSeconds: 10 },
  { name: "PreCompact", event: "pre-compact", timeoutSeconds: 10 },
  { name: "SessionEnd", event: "session-end", timeoutSeconds: 5 },
];

/** Runs before each edit, so only for whoever asked for what it does. */
const BEFORE_EDITS: Registration = {
  name: "PreToolUse",
  event: "pre-tool-use",
  matcher: "Edit|Write|MultiEdit|NotebookEdit",
  timeoutSeconds: 5,
};

/** What somebody chose beyond the hooks that everybody has. */
export interface HookChoice {
  readonly beforeEdits?: boolean;
}

/** One entry of an event's list, by the client's event name. Exec form: no shell sees the path. */
export function hookGroups(command: string, choice: HookChoice = {}): [string, JsonObject][] {
  const chosen = choice.beforeEdits === true ? [...REGISTRATIONS, BEFORE_EDITS] : REGISTRATIONS;
  return chosen.map(({ name, event, matcher, timeoutSeconds }) => [name, {
    ...(matcher === undefined ? {} : { matcher }),
    hooks: [{ type: "command", command, args: ["hook", event], timeout: timeoutSeconds }],
  }]);
}

export function mcpServer(command: string): JsonObject {
  return { type: "stdio", command, args: ["mcp"], env: {} };
}

/** The client hands this one to a shell, so a path with anything else than plain letters is quoted. */
export function statusLineEntry(command: string): JsonObject {
  const quoted = /^[\w./+@:-]+$/.test(command) ? command : `'${command.replaceAll("'", `'\\''`)}'`;
  return { type: "command", command: `${quoted} statusline` };
}

export function isOwnStatusLine(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value.command !== "string") return false;
  // A line that calls Sage among other things is a person's.
  const [, program = ""] = /^([\w./+@:-]+|'.+') statusline$/.exec(value.command) ?? [];
  return isSage(program.replace(/^'(.*)'$/, "$1"));
}

/** True for an entry that some version of Sage registered, wherever its binary lay. */
export function isOwnHook(handler: unknown): handler is JsonObject {
  return isObject(handler) && isSage(handler.command) && firstArgument(handler) === "hook";
}

export function isOwnServer(server: unknown): server is JsonObject {
  return isObject(server) && isSage(server.command) && firstArgument(server) === "mcp";
}

/** Whether an entry with this command would be known again: `sage`, `sage-linux-x64`, `sage.exe`. */
export function isSage(command: unknown): boolean {
  return typeof command === "string" && /^sage(?:[-_.][\w.-]*)?$/i.test(basename(command));
}

function firstArgument(entry: JsonObject): unknown {
  return Array.isArray(entry.args) ? entry.args[0] : undefined;
}
