/**
 * What Claude Code (and VS Code, which runs the same hooks) puts on a hook's stdin, reduced to
 * `HookInput`. Everything in a payload is outside data: what does not fit is dropped, and a payload
 * without a plain session id and an absolute folder is not a payload. Also the reverse: a `HookReply` in
 * the client's format, one JSON object, complete or none, because cut JSON reaches the model as text.
 */
import type { Env } from "../../base/environment.ts";
import { fieldsOf, isObject } from "../../base/fields.ts";
import { defined } from "../../base/defined.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { absolutePath, fileInside, fit, homeOf, notice, refusal, tidyPath } from "../payload.ts";
import { withoutIdeContext, withoutImageMarks } from "./typed.ts";

/** Sage's names of events, and the client's. */
const EVENT_NAMES: Readonly<Record<HookEvent, string>> = {
  "session-start": "SessionStart",
  "user-prompt-submit": "UserPromptSubmit",
  "stop": "Stop",
  "subagent-stop": "SubagentStop",
  "pre-compact": "PreCompact",
  "pre-tool-use": "PreToolUse",
  "session-end": "SessionEnd",
};

/** Longer texts are cut: a prompt of this size is a pasted document, its beginning says what it is. */
const TEXT_CHARACTERS_MAX = 256 * 1024;
/** For names, such as a model or a reason. */
const NAME_CHARACTERS_MAX = 200;

/** The client gives the model notices of tasks, and what other agents say, as it gives a prompt; nobody typed them. */
const CLIENT_PROMPT = /^\s*<(?:task-notification|(?:agent|teammate|cross-session)-message)[\s>]/;

/** The client takes no summary of a conversation without it. */
const SUMMARY = /^[ \t]*<summary>/m;

/** The tools that write files. */
const EDITS = /^(?:Edit|Write|MultiEdit|NotebookEdit)$/;

/** Files of VS Code and of Copilot's command line; Claude Code's are `projects/<folder>/<session>.jsonl`. */
const COPILOTS =
  /\/(?:session-state\/[^/]+\/events|GitHub\.copilot-chat\/transcripts\/[^/]+)\.jsonl$/;

export const SESSION_ID = /^[A-Za-z0-9_-]{1,128}$/;

/** The payload as handlers see it; undefined if it is not for this program. Throws if it names no session. */
export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw) || !isHookEvent(event)) return undefined;
  const named = raw.hook_event_name ?? raw.hookEventName;
  if (named !== undefined && named !== EVENT_NAMES[event]) return undefined;

  const sessionId = raw.session_id ?? raw.sessionId;
  const cwd = absolutePath(raw.cwd);
  if (typeof sessionId !== "string" || !SESSION_ID.test(sessionId) || cwd === undefined) {
    throw refusal("unfit_payload");
  }

  return {
    event,
    sessionId,
    cwd,
    transcriptPath: transcriptPath(raw.transcript_path ?? raw.transcriptPath, env),
    ...defined({
      // VS Code's name for it.
      source: raw.source === "new" ? "startup" : name(raw.source),
      replayed: replayed(raw),
      prompt: typed(text(raw.prompt)),
      stopHookActive: typeof raw.stop_hook_active === "boolean" ? raw.stop_hook_active : undefined,
      isUnattended: isUnattended(env) ? true : undefined,
      lastAssistantMessage: text(raw.last_assistant_message),
      trigger: name(raw.trigger),
      reason: name(raw.reason),
      agentType: name(raw.agent_type),
      agentId: typeof raw.agent_id === "string" && SESSION_ID.test(raw.agent_id)
        ? raw.agent_id
        : undefined,
      startDir: absolutePath(env("CLAUDE_PROJECT_DIR")),
      editedFile: event === "pre-tool-use" ? editedFile(raw) : undefined,
      agentTranscriptPath: transcriptPath(raw.agent_transcript_path, env),
      isCompaction:
        event === "subagent-stop" && SUMMARY.test(text(raw.last_assistant_message) ?? "")
          ? true
          : undefined,
    }),
  };
}

/**
 * Whether VS Code or Copilot's command line wrote the payload: both run the hooks in Claude Code's settings too.
 * It stands here, and is no more than a hint of whose form to load, because every hook of Claude Code asks.
 */
export function isCopilots(raw: unknown): boolean {
  const { hook_event_name: name, hookEventName, source, transcript_path: path } = fieldsOf(raw);
  if (name === undefined && typeof hookEventName === "string") return true;
  // Claude Code always names the transcript.
  return path === undefined ? source === "new" : COPILOTS.test(tidyPath(path) ?? "");
}

/** The reply in the client's format; "" if there is nothing to say. */
export function renderReply(event: HookEvent, reply: HookReply): string {
  switch (event) {
    case "session-start":
    case "user-prompt-submit":
    case "pre-tool-use":
    case "stop":
      // At a stop context makes the turn go on. So does a block, which the person is shown as an error
      // of the hook and the model is told twice.
      return fit((event === "stop" ? reply.block : reply.context) ?? "", (context) => ({
        ...notice(reply),
        ...(context === "" ? {} : {
          hookSpecificOutput: { hookEventName: EVENT_NAMES[event], additionalContext: context },
        }),
      }));
    // Compaction is never blocked, and the client discards the rest; the other two take nothing.
    case "subagent-stop":
    case "pre-compact":
    case "session-end":
      return "";
  }
}

/**
 * True when Sage or another tool started this session as a child, so that hooks do nothing. Evidence
 * (tests/fixture/claude-code/env): `CLAUDE_CODE_CHILD_SESSION=1` is in *every* hook's environment
 * and says nothing. `CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS` is given to a client's child processes
 * (its MCP servers) and is absent from the hooks of a session that a person started; a hook that has
 * it with another session's id runs in a client that was itself launched from a session. Work inside
 * a subagent is told by the payload's `agent_id`, not here.
 */
export function isChildSession(env: Env): boolean {
  if (env("SAGE_CHILD") === "1") return true;
  const launchers = (env("CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS") ?? "").split(/[\s,;:]+/);
  const own = env("CLAUDE_CODE_SESSION_ID");
  return launchers.some((id) => id !== "" && id !== own);
}

/** Newer clients say so; in older ones `-p` and SDKs had entry points of their own. */
function isUnattended(env: Env): boolean {
  const attended = env("CLAUDE_CODE_SESSION_ATTENDED");
  return attended === undefined
    ? /^sdk-/.test(env("CLAUDE_CODE_ENTRYPOINT") ?? "")
    : attended === "0";
}

/** The folder with the editor's settings and sessions: `CLAUDE_CONFIG_DIR` or `~/.claude`. */
export function configDir(env: Env): string | undefined {
  const own = tidyPath(env("CLAUDE_CONFIG_DIR"));
  if (own !== undefined) return own;
  const home = homeOf(env);
  return home === undefined ? undefined : `${home}/.claude`;
}

/** Whether a file is the client's own: a plan that waits for approval, or its memory. */
export function isClientsOwn(path: string, env: Env): boolean {
  const config = configDir(env);
  return config !== undefined &&
    ["plans", "projects"].some((folder) => path.startsWith(`${config}/${folder}/`));
}

/** The path, if it is a session file inside the editor's own folder; nothing else is ever opened. */
function transcriptPath(value: unknown, env: Env): string | undefined {
  const config = configDir(env);
  return config === undefined ? undefined : fileInside(value, `${config}/projects`, /\.jsonl$/);
}

/** The file that the tool is about to write; undefined for a tool that writes none. */
function editedFile(raw: Record<string, unknown>): string | undefined {
  const { tool_name: tool, tool_input: input } = raw;
  if (typeof tool !== "string" || !EDITS.test(tool) || !isObject(input)) return undefined;
  return tidyPath(input.file_path ?? input.notebook_path);
}

function replayed(raw: Record<string, unknown>): HookInput["replayed"] {
  const { context_tokens: tokens, seconds_since_last_response: silentSeconds } = raw;
  return typeof tokens === "number" && typeof silentSeconds === "number"
    ? { tokens, silentSeconds }
    : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, TEXT_CHARACTERS_MAX) : undefined;
}

function typed(prompt: string | undefined): string | undefined {
  if (prompt === undefined) return undefined;
  return CLIENT_PROMPT.test(prompt) ? "" : withoutImageMarks(withoutIdeContext(prompt));
}

function name(value: unknown): string | undefined {
  return typeof value === "string" ? value.slice(0, NAME_CHARACTERS_MAX) : undefined;
}

function isHookEvent(event: string): event is HookEvent {
  return Object.hasOwn(EVENT_NAMES, event);
}
