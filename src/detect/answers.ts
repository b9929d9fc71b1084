/**
 * Answers one by one: '1) b 2) yes 3) only for admins', each told with the question that has its number. Apart
 * from replies.ts, which reads a reply to the last question alone.
 */
import { collapse, cut, isAskedAtEnd, splitSentences } from "../base/text.ts";
import type { Turn } from "../editor/editor.ts";
import { exchangesOf } from "./exchanges.ts";
import { heard } from "./languages.ts";
import { itemsBehind, LISTED } from "./listed.ts";
import { typedIn } from "./machine_lines.ts";
import type { Reply } from "./reply.ts";
import { isAsked, isTorn, termsOf, withoutEmphasis, wordCount } from "./sentences.ts";

/** What begins a part: a number with its sign, in front of a line. */
const IN_FRONT = /(?:^|\n)[ \t>#*]{0,12}(\d{1,2})(?:[.)]|\*\*[.)]?)\**[ \t]+(?=\S)/g;
/** The same anywhere: who answers seldom begins a line for it. */
const ANYWHERE = /(?:^|[\s,;])(\d{1,2})[.)]\s+(?=\S)/g;
/** A way to answer that a question lays out: '- a) in the header'. */
const LETTERED =
  /(?:^|\n)[ \t>*+•-]{0,12}(?:[^\s*():]{1,20} )?([A-Fa-f])\**[.):]\**[ \t]+([^\n]+)/g;
const LETTER_ALONE = /^\W*(?:[^\W\d_]+ )?([A-Fa-f])(?:[).,:;!]|$| [-–—] )/;
const ANSWERS_MAX = 8;
const QUESTION_CHARACTERS_MAX = 140;
const ANSWER_CHARACTERS_MAX = 200;
const LONGEST_ANSWER = 400;
const ECHO_WORDS_MIN = 4;
const TITLE_CHARACTERS_MAX = 60;
/** So much of a list asks, or it is one of findings. */
const ASKED_SHARE_MIN = 0.5;

/** Nobody knows it, or it is put off. */
const UNKNOWN = heard("answers.unknown", String.raw`^\W*{}(?![\wà-ÿ])`);

/** It is asked how things are, and not how they are to be. */
const INFORMS = heard("answers.informs", String.raw`^(?:[^:?]{0,60}: )?{}`);

/** In order, those whose question is known. */
export function answeredByNumber(turns: readonly Turn[]): Reply[] {
  const exchanges = exchangesOf(turns);
  return exchanges.flatMap(({ prompt }, i) => {
    const asked = exchanges[i - 1]?.answer?.text ?? "";
    if (prompt === undefined || !LISTED.test(prompt.text)) return [];
    const answers = partsOf(typedIn(prompt.text), ANYWHERE).slice(0, ANSWERS_MAX);
    if (answers.length === 0) return [];
    const lines = partsOf(asked, IN_FRONT);
    const questions = lines.length > 0 ? lines : partsOf(asked, ANYWHERE);
    // Whoever hands over a list of findings has written more.
    if (answers.some((part) => part.length > LONGEST_ANSWER)) return [];
    const own = questions.slice(0, answers.length);
    const asking = own.filter((part) => part.includes("?") || part.includes("？")).length;
    if (own.length < answers.length || asking < own.length * ASKED_SHARE_MIN) return [];
    return answers.flatMap((part, place) => {
      const question = questionIn(own[place] ?? "");
      const answer = answerIn(part, own[place] ?? "");
      if (question === "" || answer === "" || INFORMS.test(question)) return [];
      if (isTorn(question) || isTorn(answer) || answer.endsWith(":")) return [];
      // What was listed, handed back.
      if (termsOf(answer).isSubsetOf(termsOf(question)) && wordCount(answer) > ECHO_WORDS_MIN) {
        return [];
      }
      return [{ asked: question, said: answer, turn: prompt }];
    });
  });
}

function partsOf(text: string, marked: RegExp): string[] {
  return itemsBehind(text, text.matchAll(marked)).map((part) => part.trim());
}

/** The first sentence that asks, behind what the part is called where that is in front of it. */
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

/** Of an item. */
const MARK = /^\s*(?:[-*+•]\s+)?/;

/** A letter is told by what stands behind it in the question; who does not know has answered nothing. */
function answerIn(part: string, asked: string): string {
  const said = collapse(part.split(/\n\s*\n/, 1)[0] ?? "");
  if (isAsked(said) || UNKNOWN.test(said)) return "";
  const letter = LETTER_ALONE.exec(said)?.[1]?.toLowerCase();
  if (letter === undefined) return cut(said, ANSWER_CHARACTERS_MAX);
  const way = [...withoutEmphasis(asked).matchAll(LETTERED)]
    .find(([, mark]) => mark?.toLowerCase() === letter)?.[2];
  const rest = said.replace(LETTER_ALONE, "").trim();
  return way === undefined
    ? rest
    : cut(rest === "" ? collapse(way) : `${collapse(way)}; ${rest}`, ANSWER_CHARACTERS_MAX);
}
