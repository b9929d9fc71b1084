/** The environment variables that Sage reads, and how. */
import { SageError } from "./errors.ts";

/** The process id of the editor. Only Claude Code sets it. */
export const EDITOR_PID = "CLAUDE_PID";

/**
 * The variables that Sage reads, besides those of settings (config/values.ts) and those that tell whether an
 * agent runs (editor/agent_shell.ts). The binary may read no others.
 */
export const ENVIRONMENT = [
  "HOME",
  "USERPROFILE",
  "NO_COLOR",
  "TERM",
  "COLUMNS",
  "CLAUDE_CONFIG_DIR",
  EDITOR_PID,
  "CLAUDE_PROJECT_DIR",
  "CLAUDE_PLUGIN_ROOT",
  "CLAUDE_CODE_SESSION_ID",
  "CLAUDE_CODE_SESSION_ATTENDED",
  "CLAUDE_CODE_ENTRYPOINT",
  "CLAUDE_CODE_LAUNCHED_BY_SESSION_IDS",
  "CLAUDE_CODE_AUTO_COMPACT_WINDOW",
  "CODEX_HOME",
  "XDG_DATA_HOME",
  "XDG_CONFIG_HOME",
  "APPDATA",
  "COPILOT_HOME",
  "GEMINI_CLI_HOME",
];

/** Further variables for commands that a person or git starts; hooks do not pass them to a server. */
export const COMMAND_ENVIRONMENT = [
  "CLAUDE_MEM_DATA_DIR",
  "CODEX_SESSION_ID",
  "MEMORY_FILE_PATH",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_INDEX_FILE",
  "LOGNAME",
  "PATH",
  "TEMP",
  "TMP",
  "TMPDIR",
  "USER",
  "USERNAME",
];

/** Returns a variable's value, of this process or as passed by a hook. */
export type Env = (name: string) => string | undefined;

/** Wraps `read` so that the error for a value that is not UTF-8 names its variable. */
export function namedEnv(read: Env): Env {
  return (name) => {
    try {
      return read(name);
    } catch (cause) {
      if (!(cause instanceof Deno.errors.InvalidData)) throw cause;
      throw new SageError("usage", `Cannot read ${name}: what it is set to is not UTF-8`, {
        hint: "set it anew, or unset it",
        cause,
      });
    }
  };
}
