/**
 * Answers to the question tool of the agent that settle the matter. The client records the options beside the
 * answer: who takes one has chosen, unless it gives the choice back or only says how the session goes on. Who types
 * something else may as well ask back, or weigh what was offered.
 */
import { collapse, cut, isAskedAtEnd, splitSentences, splitTyped } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { isTypedQuestion } from "../text/sentences.ts";
import { approves, asksToSee, givesLeave } from "./approvals.ts";
import { lasts } from "./replies.ts";
import type { Reply } from "./reply.ts";

const QUESTION_CHARACTERS_MAX = 200;
const ANSWER_CHARACTERS_MAX = 200;

/** 'What would you like to do with this todo?', 'more questions, or next area?': how the session goes on. */
const ASKS_COURSE = phrasePattern("tool_answers.asks_course", WHOLE_WORD);

/** 'Can you reproduce it?', 'which browser are you seeing it with?': how things are. */
const ASKS_FACTS = phrasePattern(
  "tool_answers.asks_facts",
  String.raw`^(?:[^:?]{0,60}[:,] )?{}(?![\wà-ÿ])`,
);

/** 'You decide', 'not sure': gives the choice back, whether it was an option or typed. */
const GIVES_BACK = phrasePattern("tool_answers.gives_back", String.raw`^\W*{}\W*$`);

/** 'Leaning towards one file, but I need more details', 'it depends': not decided yet. */
const WEIGHS = phrasePattern("tool_answers.weighs", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

/** 'Not quite, let me explain', 'revise first': another answer follows, whether it was an option or typed. */
const COMES_BACK = phrasePattern("tool_answers.comes_back", WHOLE_WORD);

/** Ends what was weighed or asked before: 'seems like the second is the way to go'. */
const ENDS_WEIGHING = phrasePattern(
  "tool_answers.ends_weighing",
  String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`,
);

/** In order. */
export function toolAnswers(turns: readonly Turn[]): Reply[] {
  return turns.flatMap((turn) =>
    turn.tools.flatMap((tool) => {
      const said = settledBy(tool);
      if (said === "" || tool.failed === true) return [];
      return [{
        asked: questionIn(tool.question ?? ""),
        said: cut(collapse(said), ANSWER_CHARACTERS_MAX),
        turn,
      }];
    })
  );
}

/** The option, and what was written beside it: each may settle the matter, or leave it open. */
function settledBy(tool: ToolUse): string {
  const { question = "", answer = "", notes = "" } = tool;
  const said = [answer, notes].filter((one) => one !== "" && settles({ ...tool, answer: one }));
  return question === "" ? "" : said.join(" — ");
}

/** The question, and as much of what leads to it as there is room for; what comes behind it is background. */
function questionIn(whole: string): string {
  const sentences = splitSentences(whole).map(collapse);
  const at = sentences.findLastIndex(isAskedAtEnd);
  if (at < 0) return cut(collapse(whole), QUESTION_CHARACTERS_MAX);
  let told = sentences[at] ?? "";
  for (const before of sentences.slice(0, at).reverse()) {
    const longer = `${before} ${told}`;
    if (longer.length > QUESTION_CHARACTERS_MAX) break;
    told = longer;
  }
  return cut(told, QUESTION_CHARACTERS_MAX);
}

function settles({ question = "", answer = "", options = [] }: ToolUse): boolean {
  if (asksToSee(answer) || approves(question, answer) || ASKS_COURSE.test(question)) return false;
  if (GIVES_BACK.test(answer) || COMES_BACK.test(answer)) return false;
  const sentences = splitSentences(question);
  const asked = sentences.findLast(isAskedAtEnd) ?? sentences.at(-1) ?? "";
  if (ASKS_FACTS.test(asked) || givesLeave(asked, answer)) return false;
  return isPicked(answer, options) || !isWeighed(answer);
}

/** Whether it is one of the options, or several of them. */
function isPicked(answer: string, options: readonly string[]): boolean {
  const isOption = (text: string): boolean =>
    options.some((one) => one === text || one.startsWith(`${text}: `));
  return isOption(answer) || answer.split(", ").every(isOption);
}

/** Whether somebody asks back or leaves it open, and does not come to an end. */
function isWeighed(answer: string): boolean {
  const said = splitTyped(answer);
  const last = said.at(-1) ?? "";
  const isOpen = (text: string): boolean => isTypedQuestion(text) || WEIGHS.test(text);
  return isOpen(last) || said.some(isOpen) && !ENDS_WEIGHING.test(last) && !lasts(last);
}
