/** The editors that Sage can be installed into, in the order in which they are offered. */
import { claudeCode } from "./claude_code/setup.ts";
import { codex } from "./codex/setup.ts";
import { cursor } from "./cursor/setup.ts";
import { gemini } from "./gemini/setup.ts";
import { opencode } from "./opencode/setup.ts";
import type { EditorName, EditorSetup } from "./setup.ts";
import { vscode } from "./vscode/setup.ts";
import { zed } from "./zed/setup.ts";

export const SETUPS: Readonly<Record<EditorName, EditorSetup>> = {
  "claude-code": claudeCode,
  cursor,
  vscode,
  zed,
  codex,
  gemini,
  opencode,
};
