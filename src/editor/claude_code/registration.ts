/**
 * What Sage registers with Claude Code: its hooks, its MCP server and its status line, as values.
 * hooks/hooks.json holds the same hooks for a plugin.
 */
import { isObject } from "../../base/fields.ts";
import { defined } from "../../base/defined.ts";
import type { HookEvent } from "../editor.ts";
import type { JsonObject } from "../jsonc.ts";
import { commandLine, HOOK_TOOL, isSage, SERVER_NAME } from "../own.ts";
import type { Via } from "../setup.ts";

interface Registration {
  readonly name: string;
  readonly event: HookEvent;
  /** Only some events have kinds to choose from. */
  readonly matcher?: string;
  readonly timeoutSeconds: number;
  /** What the server has to be told, where it can be asked instead. */
  readonly fields?: readonly string[];
}

/** What every event is told by. */
const FIELDS = ["hook_event_name", "session_id", "transcript_path", "cwd", "agent_id"];

/** Timeouts are for the worst day of a disk; the hooks themselves give up far earlier. */
const REGISTRATIONS: readonly Registration[] = [
  {
    name: "SessionStart",
    event: "session-start",
    matcher: "startup|resume|clear|compact|fork",
    timeoutSeconds: 10,
  },
  {
    name: "UserPromptSubmit",
    event: "user-prompt-submit",
    timeoutSeconds: 10,
    fields: [...FIELDS, "prompt"],
  },
  {
    name: "Stop",
    event: "stop",
    timeoutSeconds: 10,
    fields: [...FIELDS, "stop_hook_active", "last_assistant_message"],
  },
  {
    name: "SubagentStop",
    event: "subagent-stop",
    timeoutSeconds: 10,
    fields: [...FIELDS, "agent_type", "agent_transcript_path", "last_assistant_message"],
  },
  { name: "PreCompact", event: "pre-compact", timeoutSeconds: 10 },
  { name: "SessionEnd", event: "session-end", timeoutSeconds: 5 },
];

/** The client's name of the event that only some have a hook for. */
export const BEFORE_EDITS_EVENT = "PreToolUse";

/** Runs before each edit, so only if it is turned on. */
const BEFORE_EDITS: Registration = {
  name: BEFORE_EDITS_EVENT,
  event: "pre-tool-use",
  matcher: "Edit|Write|MultiEdit|NotebookEdit",
  timeoutSeconds: 5,
};

/** What somebody chose beyond the hooks that everybody has. */
export interface HookChoice {
  readonly beforeEdits?: boolean;
  /**
   * `mcp`: prompts and ends of turns go to the connected server. What begins and ends a session finds no
   * server, and what comes before a compaction must not depend on one.
   */
  readonly via?: Via | undefined;
}

/** One entry of an event's list, by the client's event name. Exec form: no shell sees the path. */
export function hookGroups(command: string, choice: HookChoice = {}): [string, JsonObject][] {
  const chosen = choice.beforeEdits === true ? [...REGISTRATIONS, BEFORE_EDITS] : REGISTRATIONS;
  return chosen.map(({ name, event, matcher, timeoutSeconds: timeout, fields }) => {
    const input = choice.via === "mcp" ? fields : undefined;
    const handler = input === undefined
      ? { type: "command", command, args: ["hook", event], timeout }
      : { type: "mcp_tool", server: SERVER_NAME, tool: HOOK_TOOL, input: filledIn(input), timeout };
    return [name, { ...defined({ matcher }), hooks: [handler] }];
  });
}

/** As the client fills in what the event's payload holds. */
function filledIn(fields: readonly string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, `\${${field}}`]));
}

export function mcpServer(command: string): JsonObject {
  return { type: "stdio", command, args: ["mcp"], env: {} };
}

/** The client hands this one to a shell: on Windows to git's, else to PowerShell, which both take `/`. */
export function statusLineEntry(command: string): JsonObject {
  const path = /^[A-Za-z]:\\/.test(command) ? command.replaceAll("\\", "/") : command;
  return { type: "command", command: commandLine(path, ["statusline"], "sh") };
}

export function isOwnStatusLine(value: unknown): value is JsonObject {
  if (!isObject(value) || typeof value.command !== "string") return false;
  // A line that calls Sage among other things is a person's.
  const [, program = ""] = /^([\w./+@:~-]+|'.+') statusline$/.exec(value.command) ?? [];
  return isSage(program.replace(/^'(.*)'$/, "$1"));
}
