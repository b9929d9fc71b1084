/** A call as it is read, and one that was refused, or stopped before anybody knows how it went. */
import type { ToolUse } from "./editor.ts";

/** A call as it is read, until what came of it is known. */
export type PendingTool = { -readonly [K in keyof ToolUse]: ToolUse[K] };

/** Nobody ran its command or changed its file, and what the client says of that is no result of it. */
export function markNotRun(tools: readonly PendingTool[]): void {
  for (const tool of tools) {
    tool.failed = true;
    tool.result = "";
    delete tool.command;
  }
}
