/** How much was said since the last save. Apart from detect.ts, because most turns are refused here. */
import { estimateTokens } from "../../base/text/tokens.ts";
import type { Turn } from "../../editor/editor.ts";

export interface Depth {
  readonly messages: number;
  readonly tokens: number;
}

export function depthOf(turns: readonly Turn[]): Depth {
  const said = turns.filter((turn) => turn.text.trim() !== "");
  return {
    messages: said.length,
    tokens: said.reduce((sum, turn) => sum + estimateTokens(turn.text), 0),
  };
}

export function isShallow(
  depth: Depth,
  least: { readonly minMessages: number; readonly minTokens: number },
): boolean {
  return depth.messages < least.minMessages || depth.tokens < least.minTokens;
}
