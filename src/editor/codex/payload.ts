/**
 * What Codex puts on a hook's stdin, and what it accepts: the names are Claude Code's, but its sessions
 * are elsewhere, and it refuses an answer with an unknown field. The schemas of both directions are in
 * codex-rs/hooks/schema/generated of its sources.
 */
import type { Env } from "../../base/environment.ts";
import { readBytes, realFs } from "../../base/fs.ts";
import { decode } from "../../base/utf8.ts";
import { parsePayload as parseLike, renderReply as renderLike } from "../claude_code/payload.ts";
import type { HookEvent, HookInput, HookReply } from "../editor.ts";
import { fileInside, fit, homeOf, notice, tidyPath } from "../payload.ts";

export function parsePayload(raw: unknown, event: string, env: Env): HookInput | undefined {
  const input = parseLike(raw, event, env);
  if (input === undefined) return undefined;
  const { startDir: _startDir, agentTranscriptPath: _agent, ...rest } = input;
  const transcriptPath = rollout((raw as Record<string, unknown>).transcript_path, env);
  const isUnattended = event === "stop" && isExec(transcriptPath);
  return { ...rest, agent: "codex", transcriptPath, ...(isUnattended ? { isUnattended } : {}) };
}

/** Enough for the session's metadata, which begins its file; instructions of many pages follow. */
const HEAD_BYTES = 8 * 1024;

/** Whether the session runs unattended (`codex exec`), which only its file says. */
function isExec(path: string | undefined): boolean {
  if (path === undefined || realFs.lstat(path)?.kind !== "file") return false;
  return /"(?:source":"exec|originator":"codex_exec)"/.test(
    decode(readBytes(realFs, path, HEAD_BYTES)),
  );
}

/** The reply in Codex's format; its stop event accepts no context. */
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
