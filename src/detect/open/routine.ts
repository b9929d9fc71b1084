/**
 * Exchanges that leave the work where it was: a commit, a push, the checks once more, thanks. What an agent said
 * comes next is still ahead behind them. Apart from questions.ts, because it asks what was done and not what was said.
 */
import type { Exchange } from "../text/exchanges.ts";
import { isChore, isPartOfShipping } from "../summary/cut_off.ts";
import { isRequest } from "../summary/intent.ts";
import { isCheck, onlyLooks, programOf, stepsOf } from "../summary/shell.ts";
import { filesChanged } from "../summary/work.ts";
import { wordCount } from "../text/sentences.ts";

/** 'Run the tests': whoever asks for a check in more words wants something looked into. */
const CHECK_WORDS_MAX = 8;
const SHIPS = /^(?:git|gh|cd)$/;

/** Where the last so many exchanges begin that did or asked for anything else. */
export function startOfLast(exchanges: readonly Exchange[], count: number): number {
  let left = count;
  return exchanges.findLast((exchange) => !isRoutine(exchange) && --left === 0)?.start ?? 0;
}

function isRoutine(exchange: Exchange): boolean {
  const { prompt, replies, tools } = exchange;
  if (prompt === undefined || filesChanged(replies).length > 0) return false;
  if (tools.length === 0) return !isRequest(prompt.text) || isChore(prompt.text);
  return isShipping(exchange) ||
    wordCount(prompt.text) <= CHECK_WORDS_MAX &&
      tools.every(({ command }) => isCheck(command) || ships(command));
}

/** Whether it only committed, pushed or the like, and the step is none of that: 'ok commit' begins no other step. */
export function onlyShips(exchange: Exchange, step: string): boolean {
  return isShipping(exchange) && !isPartOfShipping(step);
}

function isShipping({ prompt, replies, tools }: Exchange): boolean {
  if (filesChanged(replies).length > 0) return false;
  return tools.length === 0
    ? prompt !== undefined && isChore(prompt.text)
    : tools.every(({ command }) => ships(command));
}

function ships(command: string | undefined): boolean {
  return command !== undefined &&
    stepsOf(command).every((step) => SHIPS.test(programOf(step)) || onlyLooks(step));
}
