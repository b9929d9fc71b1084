/**
 * Where a session ended in the middle of an exchange: nobody answered the last prompt, or the agent was still at it.
 * Apart from questions.ts, because what was begun then is next whatever the agent said of it.
 */
import { collapse, cut, isAskedAtEnd, splitSentences } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { isPrinted } from "../text/clean.ts";
import { failureIn, intentsOf, isRequest } from "./intent.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { wordCount } from "../text/sentences.ts";
import { filesChanged } from "./work.ts";
import { declinesOffer } from "../decisions/refusals.ts";

/** 'Let me fix this by using a compatible version:' is said before a call; 'let me know' is not. */
const SETS_ABOUT = phrasePattern("cut_off.sets_about", String.raw`^{}\b`);

/** 'Commit this', 'ok push': what was requested before it is done. */
const CHORE = phrasePattern("cut_off.chore", String.raw`^{}(?![\wà-ÿ])`);

/** Of a prompt that is not understood as a request. */
const PROMPT_CHARACTERS_MAX = 160;

/** Calls of an agent that takes leave of its team. */
const TAKES_LEAVE = new Set(["SendMessage", "TeamDelete"]);

/** A commit ends a piece of work, though nothing was said of it. */
const COMMITS = /\bgit\b[^|;&]{0,200}\bcommit\b/;

/** A push, a pull request or a release, which comes behind a commit. */
const BEHIND_COMMIT = phrasePattern("cut_off.behind_commit", WHOLE_WORD);

/** Whether a prompt only has the work committed, pushed or the like. */
export function isChore(prompt: string): boolean {
  return CHORE.test(prompt);
}

/** Whether a step is to commit something, or what comes behind a commit. */
export function isPartOfShipping(step: string): boolean {
  return CHORE.test(step) || BEHIND_COMMIT.test(step);
}

/** What a plan's first line may begin with. */
const PLAN_MARK = /^(?:#+ )?(?:(?:implementation )?plan ?: )?/i;

/** A longer prompt has such a word somewhere. */
const ASKED_WORDS_MAX = 80;

/** Whether the agent did not come to an end: its last words announce a call, or a call was the last thing. */
export function isCutOff({ prompt, answers, replies }: Exchange): boolean {
  const answer = answers.at(-1);
  const last = replies.findLast(({ text, tools }) =>
    text.trim() !== "" || !tools.every(({ name }) => TAKES_LEAVE.has(name))
  );
  const call = last?.tools.at(-1);
  if (call?.failed !== true && COMMITS.test(call?.command ?? "")) {
    const [said = ""] = splitSentences(answer?.text.trim() ?? "").slice(-1);
    const asked = prompt?.text ?? "";
    return [wordCount(asked) <= ASKED_WORDS_MAX ? asked : "", said]
      .some((text) => BEHIND_COMMIT.test(text));
  }
  if (answer === undefined || answer !== last) return true;
  return SETS_ABOUT.test(splitSentences(answer.text.trim()).at(-1) ?? "");
}

/**
 * The plan that was laid out last and neither approved nor answered, as its title. The client refuses it in the
 * person's place where it hands the plan to a new conversation, so nobody may have turned it down.
 */
function planLeft({ replies }: Exchange): string | undefined {
  const isPlan = ({ name }: ToolUse): boolean => name === "ExitPlanMode";
  const at = replies.findLastIndex(({ tools }) => tools.some(isPlan));
  const { failed, items = [] } = replies[at]?.tools.findLast(isPlan) ?? {};
  if (failed === false || filesChanged(replies.slice(at + 1)).length > 0) return undefined;
  const [title] = items;
  return title && cut(`Plan: ${title.text.replace(PLAN_MARK, "")}`, PROMPT_CHARACTERS_MAX);
}

/**
 * What was asked for in an exchange that was cut off, in the last words that say it, or the plan that came of it;
 * undefined for none.
 */
export function cutOffRequest(turns: readonly Turn[]): string | undefined {
  const exchanges = exchangesOf(turns);
  const last = exchanges.at(-1);
  const plan = last && planLeft(last);
  if (plan !== undefined) return plan;
  if (last?.prompt === undefined || !isCutOff(last)) return undefined;
  const said = collapse(last.prompt.text);
  if (declinesOffer(said)) return undefined;
  const intent = intentsOf(turns).at(-1);
  if (intent?.turn === last.prompt) return intent.text;
  // A log without a word is told by what went wrong in it.
  if (isPrinted(said)) return failureIn(last.prompt.text);
  if (isRequest(said)) return cut(said, PROMPT_CHARACTERS_MAX);
  // A goodbye or a command of the client begins nothing.
  if (last.replies.length === 0) return undefined;
  if (said.startsWith("/")) return cut(said, PROMPT_CHARACTERS_MAX);
  // 'Yes' is understood with what it was said to; 'continue' goes on with what was requested before it.
  const [asked] = splitSentences(exchanges.at(-2)?.answer?.text ?? "").slice(-1).filter(
    isAskedAtEnd,
  );
  if (asked !== undefined) return `${asked} → ${said}`;
  return CHORE.test(said) ? cut(said, PROMPT_CHARACTERS_MAX) : intent?.text;
}
