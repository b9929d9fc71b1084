/**
 * What Cursor puts on a hook's stdin, and what it accepts, as https://cursor.com/docs/hooks describes it.
 * A conversation is taken as a session, the first of its folders as the project.
 */
import type { Env } from "../../base/environment.ts";
import { isObject } from "../../base/fields.ts";
import { join } from "../../base/path.ts";
import { parsePayload as parseLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fileInside, fit, homeOf } from "../payload.ts";
import { conversationIn, projectName, projectsFolder, TRANSCRIPTS } from "./place.ts";

/** Sage's names of events, and Cursor's. */
export const CURSOR_EVENTS = {
  "session-start": "sessionStart",
  "stop": "stop",
  "pre-compact": "preCompact",
  "session-end": "sessionEnd",
} as const satisfies Partial<Record<HookEvent, string>>;

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw) || !isOurs(event)) return undefined;
  const { hook_event_name: name = CURSOR_EVENTS[event], workspace_roots: roots } = raw;
  // One that runs elsewhere has nothing to do with what lies here.
  if (name !== CURSOR_EVENTS[event] || raw.is_background_agent === true) return undefined;
  // Stopped by the person or by an error: nothing was concluded.
  if (event === "stop" && !["completed", undefined].includes(raw.status as string)) {
    return undefined;
  }
  const root: unknown = Array.isArray(roots) ? roots[0] : roots;
  // A window without a folder.
  if (root === undefined) return undefined;
  const input = parseLike(
    {
      session_id: raw.conversation_id ?? raw.session_id,
      cwd: folder(root),
      model: raw.model,
      reason: raw.reason,
      trigger: raw.trigger,
      ...(event === "session-start" ? { source: "startup" } : {}),
    },
    event,
    env,
  );
  if (input === undefined) return undefined;
  const { startDir: _startDir, ...rest } = input;
  return {
    ...rest,
    agent: "cursor",
    transcriptPath: conversation(raw.transcript_path, rest, env),
    // A stop can have the agent go on only with a prompt that the person reads as theirs.
    ...(event === "stop" ? { isUnattended: true } : {}),
  };
}

function isOurs(event: string): event is keyof typeof CURSOR_EVENTS {
  return Object.hasOwn(CURSOR_EVENTS, event);
}

/** The conversation's file, as Cursor names it or where it will be: at the start there is none yet. */
function conversation(
  value: unknown,
  { sessionId, cwd }: Pick<HookInput, "sessionId" | "cwd">,
  env: Env,
): string | undefined {
  const home = homeOf(env);
  if (home === undefined) return undefined;
  const root = projectsFolder(home);
  const path = join(root, projectName(cwd), TRANSCRIPTS, sessionId, `${sessionId}.jsonl`);
  const named = fileInside(value, root, /\.jsonl$/);
  return named !== undefined && conversationIn(named) === sessionId ? named : path;
}

/** The reply in Cursor's format; "" if there is nothing to say. */
export function renderReply(event: HookEvent, reply: HookReply): string {
  if (event !== "session-start" || (reply.context ?? "") === "") return "";
  return fit(reply.context ?? "", (context) => ({ additional_context: context }));
}

/** On Windows a folder may come as the path of its URL: `/c:/Users`. */
function folder(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^\/(?=[A-Za-z]:[\\/])/, "") : undefined;
}
