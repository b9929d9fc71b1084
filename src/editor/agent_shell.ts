/**
 * How a shell is told that an agent runs, whichever agent that is: by a variable that it sets for what it
 * starts there. Claude Code's session is read where sessions are.
 */

/** Names that no person's own terminal has; `AI_AGENT` is the one that agents are to share. */
export const AGENT_VARIABLES = [
  "AI_AGENT",
  "CLAUDECODE",
  "CODEX_SANDBOX",
  "CODEX_THREAD_ID",
  "CURSOR_AGENT",
  "GEMINI_CLI",
  "OPENCODE",
] as const;

export function isAgentShell(env: (name: string) => string | undefined): boolean {
  return AGENT_VARIABLES.some((name) => (env(name) ?? "") !== "");
}
