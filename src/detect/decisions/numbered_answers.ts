/**
 * Numbered answers: '1) b 2) yes 3) only for admins', each joined with the question of the same number. Apart
 * from replies.ts, which reads a reply to the last question only.
 */
import { collapse, cut, isAskedAtEnd, splitSentences } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { exchangesOf } from "../text/exchanges.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { listItems, NUMBERED_LIST } from "../text/list_items.ts";
import { typedText } from "../text/machine_lines.ts";
import { isCourtesy } from "../open/courtesies.ts";
import { handsOver } from "./replies.ts";
import type { Reply } from "./reply.ts";
import {
  hasWithheld,
  isTypedQuestion,
  termsOf,
  withoutEmphasis,
  wordCount,
} from "../text/sentences.ts";

/** The number that begins a part, at the start of a line. */
const IN_FRONT = /(?:^|\n)[ \t>#*]{0,12}(\d{1,2})(?:[.)]|\*\*[.)]?)\**[ \t]+(?=\S)/g;
/** The same anywhere in a line: people seldom begin a new line to answer. */
const ANYWHERE = /(?:^|[\s,;])(\d{1,2})[.)]\s+(?=\S)/g;
/** An option within a question: '- a) in the header'. */
const LETTERED =
  /(?:^|\n)[ \t>*+•-]{0,12}(?:[^\s*():]{1,20} )?([A-Fa-f])\**[.):]\**[ \t]+([^\n]+)/g;
const LETTER_ALONE = /^\W*(?:[^\W\d_]+ )?([A-Fa-f])(?:[).,:;!]|$| [-–—] )/;
const ANSWERS_MAX = 8;
const QUESTION_CHARACTERS_MAX = 140;
const ANSWER_CHARACTERS_MAX = 200;
const LONGEST_ANSWER = 400;
const ECHO_WORDS_MIN = 4;
const TITLE_CHARACTERS_MAX = 60;
/** At least this share of a list must ask something; otherwise it is a list of findings. */
const ASKED_SHARE_MIN = 0.5;

/** Not known, or put off. */
const UNKNOWN = phrasePattern("numbered_answers.unknown", String.raw`^\W*{}(?![\wà-ÿ])`);

/** Asks how things are, not how they should be. */
const INFORMS = phrasePattern("numbered_answers.informs", String.raw`^(?:[^:?]{0,60}: )?{}`);

/** In order; answers whose question is not known are left out. */
export function numberedAnswers(turns: readonly Turn[]): Reply[] {
  const exchanges = exchangesOf(turns);
  return exchanges.flatMap(({ prompt }, i) => {
    const asked = exchanges[i - 1]?.answer?.text ?? "";
    if (prompt === undefined || !NUMBERED_LIST.test(prompt.text)) return [];
    const answers = partsOf(typedText(prompt.text), ANYWHERE).slice(0, ANSWERS_MAX);
    if (answers.length === 0) return [];
    const lines = partsOf(asked, IN_FRONT);
    const questions = lines.length > 0 ? lines : partsOf(asked, ANYWHERE);
    // Findings that somebody hands over are longer.
    if (answers.some((part) => part.length > LONGEST_ANSWER)) return [];
    const own = questions.slice(0, answers.length);
    if (isOnOffer(own[0] ?? "", asked)) return [];
    const asking = own.filter((part) => part.includes("?") || part.includes("？")).length;
    if (own.length < answers.length || asking < own.length * ASKED_SHARE_MIN) return [];
    return answers.flatMap((part, place) => {
      const question = questionIn(own[place] ?? "");
      const answer = answerIn(part, own[place] ?? "");
      if (question === "" || answer === "" || INFORMS.test(question)) return [];
      if (handsOver(answer)) return [];
      if (hasWithheld(question) || hasWithheld(answer)) return [];
      // What was listed, handed back.
      if (termsOf(answer).isSubsetOf(termsOf(question)) && wordCount(answer) > ECHO_WORDS_MIN) {
        return [];
      }
      return [{ asked: question, said: answer, turn: prompt }];
    });
  });
}

/** Whether it is one of several courtesies: 'Would you like me to: 1. …'. The numbers of the reply are its own. */
function isOnOffer(item: string, asked: string): boolean {
  const lead = asked.slice(0, asked.indexOf(item)).replace(/\d{1,2}\W{0,4}$/, "");
  return splitSentences(withoutEmphasis(lead)).slice(-1).some(isCourtesy);
}

function partsOf(text: string, marked: RegExp): string[] {
  return listItems(text, text.matchAll(marked)).map((part) => part.trim());
}

/** The first sentence that asks, with the part's title in front of it. */
function questionIn(part: string): string {
  const plain = withoutEmphasis(part);
  const title = collapse(plain.split("\n", 1)[0] ?? "").replace(/\s*[:：]\s*$/, "");
  const sentence = splitSentences(plain).find(isAskedAtEnd)?.split("\n").at(-1) ?? "";
  const asks = collapse(sentence.replace(MARK, ""));
  const question = asks === "" || title.includes(asks)
    ? title
    : `${cut(title, TITLE_CHARACTERS_MAX)}: ${asks}`;
  return termsOf(question).size === 0 ? "" : cut(question, QUESTION_CHARACTERS_MAX);
}

/** The mark of a list item. */
const MARK = /^\s*(?:[-*+•]\s+)?/;

/** A letter is replaced by the option that it stands for; empty if the person does not know. */
function answerIn(part: string, asked: string): string {
  const said = collapse(part.split(/\n\s*\n/, 1)[0] ?? "");
  if (isTypedQuestion(said) || UNKNOWN.test(said)) return "";
  const letter = LETTER_ALONE.exec(said)?.[1]?.toLowerCase();
  if (letter === undefined) return cut(said, ANSWER_CHARACTERS_MAX);
  const way = [...withoutEmphasis(asked).matchAll(LETTERED)]
    .find(([, mark]) => mark?.toLowerCase() === letter)?.[2];
  const rest = said.replace(LETTER_ALONE, "").trim();
  return way === undefined
    ? rest
    : cut(rest === "" ? collapse(way) : `${collapse(way)}; ${rest}`, ANSWER_CHARACTERS_MAX);
}
