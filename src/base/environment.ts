/**
 * The variables that Sage goes by, settings' own apart (config/values.ts). The binary may read these and
 * no others.
 */
export const ENVIRONMENT = [
  "HOME",
  "USERPROFILE",
  "NO_COLOR",
  "TERM",
  "COLUMNS",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_PID",
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

/** A variable's value, or undefined: the process', or those that a hook handed over. */
export type Env = (name: string) => string | undefined;
