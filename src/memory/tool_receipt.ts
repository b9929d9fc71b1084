/**
 * The receipt of a tool that an agent called: name, outcome, and what its answer cost the conversation.
 * Never content. Only where Sage has a state already: a lookup creates nothing.
 */
import { writeLog } from "../base/log.ts";
import { estimateTokens } from "../base/text/tokens.ts";
import { isExcluded } from "./write/capture.ts";
import type { Memory } from "./memory.ts";

interface ToolCall {
  readonly tool: string;
  /** `saved`, `conflict`, `failed`, … */
  readonly outcome: string;
  /** What the client hands to the model. */
  readonly answer: string;
  readonly milliseconds: number;
  /** The server's build, at the greeting: a running server outlives an upgrade. */
  readonly version?: string | undefined;
}

export async function leaveToolReceipt(memory: Memory, call: ToolCall): Promise<void> {
  try {
    const { fs, places } = memory;
    // No receipt of an excluded project either.
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
    // The call succeeded; a receipt that cannot be written changes nothing.
  }
}
