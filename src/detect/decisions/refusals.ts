/** Replies that say no: to what was just said or done, to what was offered, to what was asked to be done. */
import { collapse, isAskedAtEnd } from "../../base/text/text.ts";
import { OPENING, phrasePattern, WORD_START } from "../phrases/phrase_patterns.ts";
import { wordCount } from "../text/sentences.ts";

/**
 * Rejects what was just said, and says what to do instead. "No idea" rejects nothing, "no tests found" is a
 * report, and "no, that is wrong" and "no, it crashes" say how it is.
 */
const REFUSES = phrasePattern(
  "replies.refuses",
  String
    .raw`${OPENING}{}(?![,.]? (?:{replies.says_how}|{replies.it}(?! {replies.ought}\b)|{replies.article} \S+ {replies.is})(?=[\s,.;:!'’]|$))`,
);

/** Whether it rejects what was just said or done. */
export function refuses(said: string): boolean {
  return REFUSES.test(said);
}

/** Bounded, because two languages have some of these words in common ('no' may be German 'nö'). */
const BEFORE = String.raw`^\W*(?:(?:{discourse.markers}|{discourse.no})[,.! ]+){0,4}`;
/** 'No ok forget it'. */
const DROPS = phrasePattern(
  "questions.drops",
  `${BEFORE}{}(?=$|[,.;!])`,
);
/** What is said beside it. */
const REMARK_WORDS_MAX = 3;

/** Whether it turns down what was offered, and asks for nothing. */
export function declinesOffer(prompt: string): boolean {
  const said = collapse(prompt);
  const [drops] = DROPS.exec(said) ?? [];
  return drops !== undefined && wordCount(said.slice(drops.length)) <= REMARK_WORDS_MAX;
}

/** 'Not now', 'tempting but no'. */
const DEFERS = phrasePattern("replies.defers", String.raw`^{}(?![\wà-ÿ])`);

/** A no with nothing beside it, to what was asked to be done. */
const NO = phrasePattern(
  "replies.no",
  `${BEFORE}{}[.!]*$`,
);

/** Asks the agent to do or to tell something. */
const ASKS_AGENT = phrasePattern("replies.asks_agent", WORD_START);
/** Asks how something is done. */
const ASKS_HOW = phrasePattern("decisions.asks_after", String.raw`^(?:\S+ )?{}`);

/** Whether what was `asked` to be done is turned down; `answer`: what the agent said in between. */
export function declinesRequest(said: readonly string[], asked: string, answer: string): boolean {
  const whole = collapse(said.join(" "));
  if (DEFERS.test(whole)) return true;
  // A no to the agent's question answers that, no answer to 'how' is a no, and to what the agent was to do or
  // to tell it says that it failed.
  return !ASKS_HOW.test(asked) && !ASKS_AGENT.test(asked) &&
    (declinesOffer(whole) || NO.test(said[0] ?? "") && !isAskedAtEnd(answer.trimEnd()));
}
