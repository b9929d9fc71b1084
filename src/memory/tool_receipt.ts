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
  /** Of the server, where it is greeted: one that runs outlives an upgrade. */
  readonly version?: string | undefined;
}

export async function leaveToolReceipt(memory: Memory, call: ToolCall): Promise<void> {
  try {
    const { fs, places } = memory;
    // Of an excluded project there is no receipt either.
    if (fs.lstat(places.stateDir) === undefined || await isExcluded(memory)) return;
    writeLog(fs, places.stateDir, memory.now(), "tool", {
      tool: call.tool,
      outcome: call.outcome,
      session: memory.session,
      project: places.projectId,
      tokens: estimateTokens(call.answer),
      ms: Math.round(call.milliseconds),
      version: call.version,
    });
  } catch {
    // What was asked for is done; nobody is told otherwise for want of a receipt.
  }
}
