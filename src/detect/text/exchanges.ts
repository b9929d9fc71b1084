/**
 * Groups turns into exchanges: one prompt and everything the agent did until it stopped. The unit of windows,
 * depth and reasoning steps; a single prompt may have a hundred replies.
 */
import { memoize } from "../../base/memoize.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";

export interface Exchange {
  /** Undefined where the transcript begins in the middle of an exchange. */
  readonly prompt: Turn | undefined;
  readonly replies: readonly Turn[];
  readonly tools: readonly ToolUse[];
  /** The last reply with text. */
  readonly answer: Turn | undefined;
  /** Index of the first turn. */
  readonly start: number;
}

/** Kept, because many detectors ask for the same turns. */
export const exchangesOf: (turns: readonly Turn[]) => readonly Exchange[] = memoize(group);

/** The answers of all exchanges. */
export function answersOf(exchanges: readonly Exchange[]): Set<Turn | undefined> {
  return new Set(exchanges.map(({ answer }) => answer));
}

/** The first exchange that begins behind a turn. */
export function exchangeAfter(
  turnIndex: number,
  exchanges: readonly Exchange[],
): Exchange | undefined {
  return exchanges.find(({ start }) => start > turnIndex);
}

function group(turns: readonly Turn[]): Exchange[] {
  const starts = turns.flatMap((turn, i) =>
    turn.role === "user" || turn.resumes === true || i === 0 ? [i] : []
  );
  return starts.map((start, i) => {
    const group = turns.slice(start, starts[i + 1] ?? turns.length);
    const replies = group.filter((turn) => turn.role === "assistant" && !isForSage(turn));
    return {
      prompt: group.find((turn) => turn.role === "user"),
      replies,
      tools: replies.flatMap((turn) => turn.tools),
      answer: replies.findLast((turn) => turn.text.trim() !== ""),
      start,
    };
  });
}

/** Calls of Sage's own tools, under any server's name. */
const OWN_TOOL = /(?:^|_)sage_[a-z_]{1,40}$/;

/**
 * What the agent did because Sage asked at a stop. As a reply without words it would make the exchange look cut off,
 * and what was asked for in it unfinished.
 */
function isForSage({ toSage, text, tools }: Turn): boolean {
  return toSage === true && text === "" && tools.every(({ name }) => OWN_TOOL.test(name));
}
