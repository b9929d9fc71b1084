/**
 * What Codex puts on a hook's stdin, and what it takes: the names are Claude Code's, which it follows,
 * but its sessions lie elsewhere, and it refuses an answer with any field that it does not know. Both
 * directions stand as schemas in codex-rs/hooks/schema/generated of its sources.
 */
import { parsePayload as parseLike, renderReply as renderLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { absolutePath, type Env, fileInside, fit, homeOf, notice, tidy } from "../payload.ts";

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  const input = parseLike(raw, event, env);
  if (input === undefined) return undefined;
  const { startDir: _startDir, agentTranscriptPath: _agent, ...rest } = input;
  return {
    ...rest,
    transcriptPath: rollout((raw as Record<string, unknown>).transcript_path, env),
  };
}

/** The reply in its form; its stop takes no context. */
export function renderReply(event: HookEvent, reply: HookReply): string {
  if (event !== "stop") return renderLike(event, reply);
  return fit(reply.block ?? "", (reason) => ({
    ...notice(reply),
    ...(reason === "" ? {} : { decision: "block", reason }),
  }));
}

function rollout(value: unknown, env: Env): string | undefined {
  const own = absolutePath(env("CODEX_HOME"));
  const home = homeOf(env);
  const folder = own === undefined ? home && `${home}/.codex` : tidy(own);
  return folder === undefined
    ? undefined
    : fileInside(value, `${folder}/sessions`, /\/rollout-[^/]*\.jsonl$/);
}
