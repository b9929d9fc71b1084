/**
 * Whether a shell was started by an agent, of any kind, which shows in a variable that the agent sets for what it
 * starts there. Claude Code's session is read where sessions are.
 */
import type { Env } from "../base/environment.ts";

/**
 * Names that no person's own terminal has; `AI_AGENT` is the one that agents are to share. Codex sets one by
 * its sandbox, one by its way to run commands, and the thread's where it is of late. `CURSOR_TRACE_ID`,
 * `ZED_TERM` and the tokens of Copilot are in a person's terminals as well.
 */
export const AGENT_VARIABLES = [
  "AI_AGENT",
  "ANTIGRAVITY_AGENT",
  "AUGMENT_AGENT",
  "CLAUDECODE",
  "CLINE_ACTIVE",
  "CODEX_CI",
  "CODEX_SANDBOX",
  "CODEX_SANDBOX_NETWORK_DISABLED",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
] as const;

export function isAgentShell(env: Env): boolean {
  return AGENT_VARIABLES.some((name) => (env(name) ?? "") !== "");
}
