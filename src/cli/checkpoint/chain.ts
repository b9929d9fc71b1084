/** The chain of checkpoints on one line: the parents of this one, nearest first. */
import { cut } from "../../base/text/text.ts";
import type { ChainLink } from "../../memory/checkpoint/chain.ts";
import { dim, type Line } from "../terminal/answer.ts";

const TITLE_CHARACTERS_MAX = 40;
/** This many are named; the others are counted. */
const NAMED_MAX = 3;

/** Empty if there is no parent. */
export function chainLines(chain: readonly ChainLink[]): Line[] {
  if (chain.length === 0) return [];
  const named = chain.slice(0, NAMED_MAX).map(linkText).join(" ← ");
  const more = chain.length > NAMED_MAX ? ` ← ${chain.length - NAMED_MAX} more` : "";
  return [dim(`continues from ${named}${more}`)];
}

export function linkText({ short_id, title }: ChainLink): string {
  return title === undefined
    ? `${short_id} (no longer here)`
    : `${short_id} "${cut(title, TITLE_CHARACTERS_MAX)}"`;
}
