/**
 * The shape of a text, whatever its subject: length, questions, lists, numbers, function words. Code,
 * quotations and block quotes are removed first and do not count.
 */
import { isAscii, lazyPattern } from "../../base/text/pattern.ts";
import { isUnspaced, replaceRuns } from "../../base/text/unspaced.ts";
import { fold, splitSentences, withoutEnd } from "../../base/text/text.ts";
import { spoken } from "./clean.ts";
import {
  countWordClasses,
  unspacedWordsIn,
  wordClassBitsIn,
  type WordClassCounts,
  wordClassesAmong,
} from "../phrases/word_classes.ts";
import { bigramsIn, withUnspaced } from "../phrases/unspaced.ts";

export interface Shape {
  /** Without code and quotations. */
  readonly text: string;
  readonly words: number;
  readonly questions: number;
  /** Whether the last sentence is a question. */
  readonly asksBack: boolean;
  readonly numbers: readonly string[];
  readonly items: number;
  /** Headings and bold leads. */
  readonly leads: number;
  readonly hasTable: boolean;
  readonly wordClasses: WordClassCounts;
  /** Of the first six words: how the text responds to what came before. */
  readonly opening: WordClassCounts;
  readonly sentences: readonly SentenceShape[];
  /** How many more sentences or clauses begin with the same word: parallel structure. */
  readonly parallels: number;
  /** Sums of money, spans of time, shares. */
  readonly amounts: number;
  /** Prefixes of the content words: `migrate` and `migration` share theirs. */
  readonly terms: ReadonlySet<string>;
}

/** Which classes occur (0 or 1), not how often. */
export interface SentenceShape {
  readonly wordClasses: WordClassCounts;
  /** Of its first two words. */
  readonly opening: WordClassCounts;
}

const TEXT_CHARACTERS_MAX = 6000;
const OPENING_WORDS = 6;
const PART_WORDS_MIN = 3;
/** Words that may stand before the first word of a clause. */
const JOINTS = new Set(
  "and or but so und oder aber y o pero et ou mais the a der die das el la le".split(" "),
);
const TERM_CHARACTERS_MIN = 4;
const TERM_CHARACTERS_MAX = 6;
const WORD = /[a-z0-9][a-z0-9']*/g;
const ANY_WORD = lazyPattern(String.raw`[a-z0-9][a-z0-9']*|[^\x00-\x7f\s\p{P}]+`, "gu");
const LEAD = /^\s*(?:#{1,5} .|(?:[-*] |\d{1,2}[.)] )?\*\*[^*]{3,80}\*\*)/;

/** `*` where `?` is meant: V8 makes ten copies of what follows a `?`, which takes 2 ms to compile. */
const AMOUNT = withUnspaced(
  "shape.amount",
  /[$€£]\s?\d|\d ?(?:%|[$€£])|(?:\d|\b(?:an?|one|two|three|half an?|eine?n?|zwei|drei|un[ea]?|dos|tres|deux|trois)) *(?:(?:euro|dollar|cent|minute|hour|day|evening|night|week|month|year|minuto|hora|d[ií]a|semana|año|ano|heure|jour|semaine|an)s?|(?:minute|stunde|woche)n?|(?:tag|monat)e?n?|jahre?|mes(?:es)?|afternoon|nachmittag|mois)\b/gi,
);

export function shapeOf(raw: string): Shape {
  const text = ends(spoken(raw));
  const sentences = splitSentences(text);
  const wordsOfEach = sentences.map(wordsOf);
  const kindsOfEach = wordsOfEach.map((words) => words.map(wordClassBitsIn(text)));
  const [words, kinds] = [wordsOfEach.flat(), kindsOfEach.flat()];
  const lines = text.split("\n");
  return {
    text,
    words: words.length,
    questions: sentences.filter(isQuestion).length,
    asksBack: isQuestion(sentences.at(-1) ?? ""),
    numbers: (text.match(/\d[\d.,]*/g) ?? []).map((number) => withoutEnd(number, /[.,]/)),
    items: count(lines, /^\s*(?:[-*+•]|\d{1,2}[.)])\s/),
    leads: count(lines, LEAD),
    hasTable: count(lines, /^\s*\|.*\|\s*$/) >= 3,
    wordClasses: countWordClasses(kinds),
    opening: countWordClasses(kinds.slice(0, OPENING_WORDS)),
    sentences: kindsOfEach.map((kinds) => ({
      wordClasses: wordClassesAmong(kinds),
      opening: wordClassesAmong(kinds.slice(0, 2)),
    })),
    parallels: parallelsOf(text),
    amounts: text.match(AMOUNT)?.length ?? 0,
    terms: termsOf(words, text),
  };
}

/** Of a longer text only the beginning and the end. */
function ends(text: string): string {
  return text.length <= TEXT_CHARACTERS_MAX
    ? text
    : `${text.slice(0, TEXT_CHARACTERS_MAX * 2 / 3)}\n\n${text.slice(-TEXT_CHARACTERS_MAX / 3)}`;
}

/** How often the most frequent first word of a clause comes again: 'You can … Or you can …'. */
function parallelsOf(text: string): number {
  const counts = new Map<string, number>();
  for (const part of text.split(/(?<=[.!?;:])\s+|(?<=[。！？；])|\n/)) {
    const first = firstOf(part);
    if (first !== undefined) counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  return Math.max(0, ...counts.values()) - 1;
}

/** Its first word, if it has at least three. */
function firstOf(part: string): string | undefined {
  let first: string | undefined;
  let count = 0;
  for (const word of wordsOf(part)) {
    if (JOINTS.has(word)) continue;
    first ??= word;
    if (++count === PART_WORDS_MIN) return first;
  }
  return undefined;
}

/** Only the word count and the word classes. */
export function wordsIn(text: string): Pick<Shape, "words" | "wordClasses"> {
  const words = wordsOf(text);
  return { words: words.length, wordClasses: countWordClasses(words.map(wordClassBitsIn(text))) };
}

function count(lines: readonly string[], pattern: RegExp): number {
  return lines.filter((line) => pattern.test(line)).length;
}

function isQuestion(sentence: string): boolean {
  return /[?？]["'”’)\]*_]*$/.test(sentence);
}

function wordsOf(text: string): string[] {
  const plain = fold(text).replaceAll("’", "'");
  const folded = isUnspaced(plain)
    ? replaceRuns(plain, (run) => unspacedWordsIn(run).join(" "))
    : plain;
  return folded.match(isAscii(folded) ? WORD : ANY_WORD()) ?? [];
}

function termsOf(words: readonly string[], text: string): Set<string> {
  const terms = new Set(isUnspaced(text) ? bigramsIn(text) : []);
  words.forEach((word) => {
    if (isUnspaced(word)) return;
    if (word.length < TERM_CHARACTERS_MIN || COMMON.has(word) || /^\d/.test(word)) return;
    terms.add(word.slice(0, TERM_CHARACTERS_MAX));
  });
  return terms;
}

const COMMON = new Set(
  ("about after also because been before being both does doing done each from have having here into " +
    "just like made make more most much only other over same should some such than that their them " +
    "then there these they this those very want were what when where which while will with would your " +
    "could can't don't it's that's i'd isn't first second they're need well every still even aber auch " +
    "dann dass dies eine einen einer einem haben hier kann muss nach nicht noch oder sind wenn wird sich " +
    "schon mehr sein werden wurde beim uber unter diese dieser dieses jetzt como cuando desde esta este " +
    "para pero porque sobre todo esto solo tambien entre hasta tiene avec cette dans elle mais nous pour " +
    "vous plus tout sont etre fait faire comme aussi bien leur leurs deux essa esse isso quando ainda voce agora muito pela pelo mesmo depois " +
    "questo questa ancora della nella sono anche invece dopo")
    .split(" "),
);
