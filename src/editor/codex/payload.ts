/**
 * What Codex puts on a hook's stdin, and what it takes: the names are Claude Code's, which it follows,
 * but its sessions lie elsewhere, and it refuses an answer with any field that it does not know. Both
 * directions stand as schemas in codex-rs/hooks/schema/generated of its sources.
 */
import type { Env } from "../../base/environment.ts";
import { decode, readBytes, realFs } from "../../base/fs.ts";
import { parsePayload as parseLike, renderReply as renderLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fileInside, fit, homeOf, notice, tidyPath } from "../payload.ts";

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  const input = parseLike(raw, event, env);
  if (input === undefined) return undefined;
  const { startDir: _startDir, agentTranscriptPath: _agent, ...rest } = input;
  const transcriptPath = rollout((raw as Record<string, unknown>).transcript_path, env);
  const isUnattended = event === "stop" && isExec(transcriptPath);
  return { ...rest, transcriptPath, ...(isUnattended ? { isUnattended } : {}) };
}

/** The session's facts stand at the head of its file; instructions of many pages follow. */
const HEAD_BYTES = 8 * 1024;

/** Nobody looks on at `codex exec`. Only the session's file says so. */
function isExec(path: string | undefined): boolean {
  if (path === undefined || realFs.lstat(path)?.kind !== "file") return false;
  return /"(?:source":"exec|originator":"codex_exec)"/.test(
    decode(readBytes(realFs, path, HEAD_BYTES)),
  );
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
  const home = homeOf(env);
  const folder = tidyPath(env("CODEX_HOME")) ?? (home && `${home}/.codex`);
  return folder === undefined
    ? undefined
    : fileInside(value, `${folder}/sessions`, /\/rollout-[^/]*\.jsonl$/);
}
