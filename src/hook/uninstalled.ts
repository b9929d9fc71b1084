/**
 * Whether Sage was uninstalled (`sage uninstall --all`) under a client that still runs. The client
 * calls the hooks it knew at its start, and those must leave nothing behind any more.
 */
import { decode, readIfFile, realFs } from "../base/fs.ts";
import type { HookInput } from "../editor/editor.ts";
import { isInUse } from "../memory/session/peek.ts";

/** As Claude Code and Codex, and as Gemini CLI says whose words these are. */
const REPLY = /"assistant"|"type": ?"gemini"/;
/** Enough of a conversation to see whether anybody has replied in it. */
const HEAD_BYTES_MAX = 256 * 1024;

export function isUninstalled(
  { event, source, transcriptPath }: HookInput,
  stateDir: string,
): boolean {
  const isBeginning = event === "session-start" && source !== "clear" && source !== "compact";
  if (isBeginning || isInUse(stateDir)) return false;
  // Where a client tells of no start, its first prompt is one.
  return event !== "user-prompt-submit" || hasReplies(transcriptPath);
}

function hasReplies(path: string | undefined): boolean {
  const head = path === undefined ? undefined : readIfFile(realFs, path, HEAD_BYTES_MAX);
  return head !== undefined && REPLY.test(decode(head));
}
