/**
 * The receipt of a tool that an agent called: which, what it came to, what its answer cost the
 * conversation. Never content. Only where Sage lives already: looking something up creates nothing.
 */
import { writeLog } from "../base/log.ts";
import { estimateTokens } from "../base/tokens.ts";
import { isExcluded } from "./capture.ts";
import type { Memory } from "./memory.ts";

export interface ToolCall {
  readonly tool: string;
  /** `saved`, `conflict`, `failed`, …: a word of ours. */
  readonly outcome: string;
  /** What the client hands to the model. */
  readonly answer: string;
  readonly milliseconds: number;
}

export async function leaveToolReceipt(memory: Memory, call: ToolCall): Promise<void> {
  const { fs, places } = memory;
  if (fs.lstat(places.stateDir) === undefined) return;
  // Of an excluded project there is no receipt either, and nothing to be told where that is unclear.
  if (await isExcluded(memory).catch(() => true)) return;
  writeLog(fs, places.stateDir, memory.now(), "tool", {
    tool: call.tool,
    outcome: call.outcome,
    session: memory.session,
    project: places.projectId,
    tokens: estimateTokens(call.answer),
    ms: Math.round(call.milliseconds),
  });
}
