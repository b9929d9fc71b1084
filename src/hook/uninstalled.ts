/**
 * Whether Sage was uninstalled (`sage uninstall --all`) while a client was running. The client
 * still calls the hooks it knew at its start, and those must write nothing.
 */
import { readIfFile, realFs } from "../base/fs.ts";
import { decode } from "../base/utf8.ts";
import type { HookInput } from "../editor/editor.ts";
import { isInUse } from "../memory/session/state/peek.ts";

/** A reply in a transcript: of Claude Code and Codex, and of Gemini CLI. */
const REPLY = /"assistant"|"type": ?"gemini"/;
/** Enough bytes of a transcript to see whether it has a reply. */
const HEAD_BYTES_MAX = 256 * 1024;

export function isUninstalled(
  { event, source, transcriptPath }: HookInput,
  stateDir: string,
): boolean {
  const isBeginning = event === "session-start" && source !== "clear" && source !== "compact";
  if (isBeginning || isInUse(stateDir)) return false;
  // For a client without SessionStart the first prompt is a beginning.
  return event !== "user-prompt-submit" || hasReplies(transcriptPath);
}

function hasReplies(path: string | undefined): boolean {
  const head = path === undefined ? undefined : readIfFile(realFs, path, HEAD_BYTES_MAX);
  return head !== undefined && REPLY.test(decode(head));
}
