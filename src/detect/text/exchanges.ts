/**
 * Groups turns into exchanges: one prompt and everything the agent did until it stopped. The unit of windows,
 * depth and reasoning steps; a single prompt may have a hundred replies.
 */
import { memoize } from "../../base/memoize.ts";
import { isAskedAtEnd } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";

export interface Exchange {
  /** Undefined where the transcript begins in the middle of an exchange. */
  readonly prompt: Turn | undefined;
  readonly replies: readonly Turn[];
  readonly tools: readonly ToolUse[];
  /** What the person was answered: the last reply with text, or one with which the agent had ended before. */
  readonly answer: Turn | undefined;
  /** Every reply with which the agent came to its end, in order: several where a stop hook sent it on. */
  readonly answers: readonly Turn[];
  /** Index of the first turn. */
  readonly start: number;
}

/** Kept, because many detectors ask for the same turns. */
export const exchangesOf: (turns: readonly Turn[]) => readonly Exchange[] = memoize(group);

/** The answers of all exchanges. */
export function answersOf(exchanges: readonly Exchange[]): Set<Turn | undefined> {
  return new Set(exchanges.flatMap(({ answers }) => answers));
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
    const answers = endsOf(replies);
    return {
      prompt: group.find((turn) => turn.role === "user"),
      replies,
      tools: replies.flatMap((turn) => turn.tools),
      answer: mainOf(answers),
      answers,
      start,
    };
  });
}

/** The last text, and before it the last one before each time that a stop hook sent the agent on. */
function endsOf(replies: readonly Turn[]): Turn[] {
  const ends = new Set<Turn>();
  let said: Turn | undefined;
  for (const reply of replies) {
    if (reply.sentOn === true && said !== undefined) ends.add(said);
    if (reply.text.trim() !== "") said = reply;
  }
  if (said !== undefined) ends.add(said);
  return [...ends];
}

/** A hook asks for a linter's or a test's sake: the answer is the longest text, unless the last one asks something. */
function mainOf(answers: readonly Turn[]): Turn | undefined {
  const last = answers.at(-1);
  if (answers.length < 2 || last === undefined || isAskedAtEnd(last.text.trimEnd())) return last;
  const longest = Math.max(...answers.map(({ text }) => text.length));
  return answers.findLast(({ text }) => text.length === longest);
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
