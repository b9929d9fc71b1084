/**
 * What Sage's plugin for opencode (plugin.ts) puts on a hook's stdin, with Claude Code's names of fields, and
 * what it takes for an answer. The plugin may have been installed by another version of the program.
 */
import type { Env } from "../../base/environment.ts";
import { isObject } from "../../base/fields.ts";
import { join } from "../../base/path.ts";
import { parsePayload as parseLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fit, homeOf } from "../payload.ts";
import { databasePath, SESSION_ID, typed } from "./place.ts";

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw)) return undefined;
  const input = parseLike(raw, event, env);
  if (input === undefined) return undefined;
  const { startDir: _startDir, prompt, ...rest } = input;
  const { context_window: window } = raw;
  return {
    ...rest,
    agent: "opencode",
    ...(prompt === undefined ? {} : { prompt: typed(prompt) }),
    transcriptPath: inDatabase(input.sessionId, env),
    // Its plugins hear of the end of a turn and cannot have the agent go on.
    ...(event === "stop" ? { isUnattended: true } : {}),
    ...(typeof window === "number" && window > 0 ? { contextWindow: window } : {}),
  };
}

/** `{"context": "…", "notice": "…"}`, either or both; "" if there is nothing to say. */
export function renderReply(event: HookEvent, { context = "", notice = "" }: HookReply): string {
  const isHeard = event === "session-start" || event === "user-prompt-submit";
  return fit(isHeard ? context : "", (context) => ({
    ...(context === "" ? {} : { context }),
    ...(notice === "" ? {} : { notice: notice.slice(0, NOTICE_CHARACTERS_MAX) }),
  }));
}

const NOTICE_CHARACTERS_MAX = 500;

function inDatabase(session: string, env: Env): string | undefined {
  const home = homeOf(env);
  return home === undefined || !SESSION_ID.test(session)
    ? undefined
    : join(databasePath(home, env), session);
}
