/**
 * What Cursor puts on a hook's stdin, and what it accepts, as https://cursor.com/docs/hooks describes it.
 * A conversation is taken as a session, the first of its folders as the project.
 */
import type { Env } from "../../base/environment.ts";
import { isObject } from "../../base/fields.ts";
import { parsePayload as parseLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fit } from "../payload.ts";

const EVENT_NAMES: Partial<Record<string, string>> = {
  "session-start": "sessionStart",
  "session-end": "sessionEnd",
};

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw) || EVENT_NAMES[event] === undefined) return undefined;
  const { hook_event_name: name = EVENT_NAMES[event], workspace_roots: roots } = raw;
  // One that runs elsewhere has nothing to do with what lies here.
  if (name !== EVENT_NAMES[event] || raw.is_background_agent === true) return undefined;
  const root: unknown = Array.isArray(roots) ? roots[0] : roots;
  // A window without a folder.
  if (root === undefined) return undefined;
  const input = parseLike(
    {
      session_id: raw.conversation_id ?? raw.session_id,
      cwd: folder(root),
      model: raw.model,
      reason: raw.reason,
      ...(event === "session-start" ? { source: "startup" } : {}),
    },
    event,
    env,
  );
  if (input === undefined) return undefined;
  const { startDir: _startDir, ...rest } = input;
  return rest;
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
