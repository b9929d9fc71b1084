/** The environment: the variables that Sage reads, and how. */
import { SageError } from "./errors.ts";

/** The editor's process, as Claude Code names it; others do not. */
export const EDITOR_PID = "CLAUDE_PID";

/**
 * The variables that Sage reads, settings' own apart (config/values.ts). The binary may read these,
 * those that tell that an agent runs (editor/agent_shell.ts), and no others.
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

/** For commands that a person or git starts; hooks do not pass them to a server. */
export const COMMAND_ENVIRONMENT = [
  "CLAUDE_MEM_DATA_DIR",
  "CODEX_SESSION_ID",
  "MEMORY_FILE_PATH",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CONFIG_SYSTEM",
  "GIT_INDEX_FILE",
  "LOGNAME",
  "TEMP",
  "TMP",
  "TMPDIR",
  "USER",
  "USERNAME",
];

/** A variable's value, or undefined: of this process, or as passed by a hook. */
export type Env = (name: string) => string | undefined;

/** This process's own, by `read`: a value that is no text is an error that names its variable. */
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
