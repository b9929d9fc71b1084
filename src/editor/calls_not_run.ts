/** A tool call while it is read, and calls that were refused, or stopped with an unknown outcome. */
import type { ToolUse } from "./editor.ts";

/** A tool call while it is read: its outcome may still be missing. */
export type PendingTool = { -readonly [K in keyof ToolUse]: ToolUse[K] };

/** Marks calls that never ran as failed, without a command or a result: the latter is only a message of the client. */
export function markNotRun(tools: readonly PendingTool[]): void {
  for (const tool of tools) {
    tool.failed = true;
    tool.result = "";
    delete tool.command;
  }
}
