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
  /** Which kinds of its event it is for, if the event has kinds. */
  readonly matcher?: string;
  readonly timeoutSeconds: number;
  /** What the server has to be told, where it can be asked instead. */
  readonly fields?: readonly string[];
}

/** The fields that every event has. */
const FIELDS = ["hook_event_name", "session_id", "transcript_path", "cwd", "agent_id"];

/** Timeouts are for a very slow disk; the hooks themselves give up far earlier. */
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

/** The client's name of the event whose hook is optional. */
export const BEFORE_EDITS_EVENT = "PreToolUse";

/** Runs before each edit, so only if it is turned on. */
const BEFORE_EDITS: Registration = {
  name: BEFORE_EDITS_EVENT,
  event: "pre-tool-use",
  matcher: "Edit|Write|MultiEdit|NotebookEdit",
  timeoutSeconds: 5,
};

/** Choices beyond the default hooks. */
export interface HookChoice {
  readonly beforeEdits?: boolean;
  /**
   * `mcp`: prompts and ends of turns go to the connected server. There is none when a session begins or ends,
   * and saving before a compaction must not depend on one.
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

/** Placeholders that the client replaces by fields of the event's payload. */
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
  // A command that calls Sage among other things is the person's own.
  const [, program = ""] = /^([\w./+@:~-]+|'.+') statusline$/.exec(value.command) ?? [];
  return isSage(program.replace(/^'(.*)'$/, "$1"));
}
