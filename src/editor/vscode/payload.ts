/**
 * VS Code's hooks have Claude Code's format. GitHub's Copilot CLI runs them too, since its own are in the
 * same folder; it reads the context for the agent from another field, at the top level.
 */
import type { Env } from "../../base/environment.ts";
import { type Fields, isObject, textOf } from "../../base/fields.ts";
import { realFs } from "../../base/fs.ts";
import * as claudeCode from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fileInside, fit, homeOf, notice } from "../payload.ts";
import { copilotFolder, EVENTS_FILE, eventsIn, eventsPath } from "./place.ts";

/** What both report of a session. */
export const VSCODE_EVENTS = {
  "session-start": "SessionStart",
  "stop": "Stop",
  "pre-compact": "PreCompact",
  "session-end": "SessionEnd",
} as const satisfies Partial<Record<HookEvent, string>>;

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  if (!isObject(raw) || !Object.hasOwn(VSCODE_EVENTS, event)) return undefined;
  const input = claudeCode.parsePayload(raw, event, env);
  if (input === undefined) return undefined;
  return {
    ...input,
    agent: "vscode",
    transcriptPath: transcript(raw, input.sessionId, env),
    // Nothing is asked of the agent, as in Cursor: it would go on with words that the person did not type.
    ...(event === "stop" ? { isUnattended: true } : {}),
  };
}

/** The session's file as it is named; Copilot CLI, whose fields are in snake case, names it at a stop only. */
function transcript(raw: Fields, session: string, env: Env): string | undefined {
  const home = homeOf(env);
  if (home === undefined) return undefined;
  const folders = [home, copilotFolder(home, env)];
  const named = folders.map((folder) => fileInside(raw.transcript_path, folder, EVENTS_FILE))
    .find((path) => path !== undefined && eventsIn(path)?.session === session);
  return named ?? (raw.session_id === undefined ? undefined : eventsPath(home, env, session));
}

/**
 * Copilot CLI writes its events a tenth of a second after it reports them: at a stop the reply is not in its file, and
 * of a conversation of one prompt there is no file yet. The report itself is an event, so the file gets newer than it.
 */
export async function settled({ transcriptPath }: HookInput, raw: Fields): Promise<void> {
  const at = Date.parse(textOf(raw.timestamp) ?? "");
  if (transcriptPath === undefined || eventsIn(transcriptPath)?.agent !== "copilot") return;
  for (let ms = 0; ms < SETTLE_MS_MAX && !isNewer(transcriptPath, at); ms += LOOK_MS) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const SETTLE_MS_MAX = 500;
const LOOK_MS = 20;

/** Also where nobody knows when it was reported. */
function isNewer(path: string, at: number): boolean {
  return Number.isNaN(at) || (realFs.lstat(path)?.mtimeMs ?? 0) >= at;
}

/** The reply in the formats of both; "" if there is nothing to say. */
export function renderReply(event: HookEvent, reply: HookReply): string {
  if (event !== "session-start") return "";
  return fit(reply.context ?? "", (additionalContext) => ({
    ...notice(reply),
    ...(additionalContext === "" ? {} : {
      additionalContext,
      hookSpecificOutput: { hookEventName: "SessionStart", additionalContext },
    }),
  }));
}
