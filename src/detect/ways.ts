/**
 * The names of the ways that an answer lays out, and which one it would take. A checkpoint at a choice
 * begins with them: one way's sentences without the names of the others say nothing.
 */
import {
  collapse,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  withoutEnd,
} from "../base/text.ts";
import { withoutQuoted } from "./clean.ts";
import { BEGINS, heard, WORD } from "./languages.ts";
import { stemsOf, withoutEmphasis } from "./sentences.ts";
import { onlyUnspaced, type Wider } from "./unspaced.ts";

const WAYS_MIN = 2;
const WAYS_MAX = 6;
const NAME_CHARACTERS_MAX = 70;
const NAME_WORDS_MAX = 12;

const HEADING = /^\s{0,3}#{2,6}\s+(.+)$/;
const ITEM = /^\s{0,3}(?:(?:[-*+•]|\d{1,2}[.)])\s+|(?=[A-F][.)] ))(.+)$/;
/** `**Row lock.** It serialises …`, `**Row lock** — it serialises …`. */
const BOLD = /^\*\*(.{2,80}?)\*\*/;
/** 'Option A: …', '2) …' before a name. The letter stays: what is recommended is told by it. */
const NUMBERED = heard("ways.numbered", String.raw`^{}\s+(?=\S)`);
/** 'A. Row lock', 'B) Advisory lock': a full stop would end what is told of it. */
const LETTERED = /^([A-F]|[1-6](?=\)))(?:[.)：、] ?| [—–-] )(?=\S)/;
/** 'B. Switch the service, one line': a letter says by itself that it is a way. */
const LETTERED_CLAUSE = /^([A-F][.)：、] ?[^,.;:—–，。；：]{3,70})[,.;，。；]/;
const RECOMMENDED = heard("ways.recommended", BEGINS);

/** Whether it says which way its speaker would take. */
export function recommends(text: string): boolean {
  return RECOMMENDED.test(text);
}

/** Whether it says what its speaker would do, which is for somebody else to decide. */
export function proposes(text: string): boolean {
  return recommends(text) || WOULD.test(text);
}

const WOULD = heard("ways.would", "^{}");

const IS_FIRST = /^[\s#*|>-]{0,8}1[.):*]/;
const IS_NUMBERED = /^[\s#*|>-]{0,8}\d{1,2}[.):*]/;

export interface Ways {
  readonly names: readonly string[];
  readonly recommended: string | undefined;
  /** They have numbers; the second heading of a report is not meant by '2'. */
  readonly areNumbered: boolean;
}

/** Undefined where they are told in running text, without names. */
export function waysIn(whole: string): Ways | undefined {
  const answer = withoutQuoted(whole);
  const lines = answer.split("\n");
  const names = markedNames(lines) ?? namesAmong(lines.filter((line) => MARKED_WAY.test(line))) ??
    namesBelow(belowCall(lines)) ?? namesAmong(lines) ?? namesInLine(lines);
  if (names === undefined) return undefined;
  const sentences = splitSentences(withoutEmphasis(answer));
  const recommended = sentences.find((sentence) =>
    RECOMMENDED.test(sentence) && !isAskedAtEnd(sentence) && !sentence.startsWith("#")
  );
  // Of several lists the last is what can be taken.
  const list = lines.slice(Math.max(0, lines.findLastIndex((line) => IS_FIRST.test(line))));
  const numbered = names.filter((name) =>
    list.some((line) => IS_NUMBERED.test(line) && withoutEmphasis(line).includes(name))
  );
  return { names, recommended, areNumbered: numbered.length >= WAYS_MIN };
}

function namesAmong(lines: readonly string[]): string[] | undefined {
  return [HEADING, BOLD, ITEM].map((mark) => namesBy(lines, mark))
    .find((found) => found.length >= WAYS_MIN && found.length <= WAYS_MAX);
}

/** What is called ways has no need to set its names apart: there an item is known by its first sentence. */
function namesBelow(lines: readonly string[]): string[] | undefined {
  const named = namesAmong(lines);
  if (named !== undefined) return named;
  const items = lines.flatMap((line) => ITEM.exec(line)?.[1] ?? []);
  const names = items.map((item) => nameOf(splitSentences(withoutEmphasis(item))[0] ?? ""));
  return names.length >= WAYS_MIN && names.length <= WAYS_MAX ? names : undefined;
}

/** What stands below 'A few options:', to the next heading of its rank; where that is none, to the next one. */
function belowCall(lines: readonly string[]): readonly string[] {
  const call = lines.findLastIndex((line) => CALL.test(line) && CALLED_WAYS.test(line));
  if (call < 0) return [];
  const rank = rankOf(lines[call] ?? "") ?? Infinity;
  const below = lines.slice(call + 1);
  const end = below.findIndex((line) => (rankOf(line) ?? Infinity) <= Math.min(rank, RANK_MAX));
  const indent = /^ */.exec(below.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  return (end < 0 ? below : below.slice(0, end))
    .map((line) => line.startsWith(indent) ? line.slice(indent.length) : line);
}

/** Leads to what stands below it. */
const CALL = /^\s{0,3}(?:#{1,6} |\*\*[^*]{1,80}\*\*:?\s*$)|[:：]\**\s*$/;
const RANK_MAX = 6;

function rankOf(line: string): number | undefined {
  return /^\s{0,3}(#{1,6}) /.exec(line)?.[1]?.length;
}

/**
 * Whether the names are those of ways, and not of the parts of a report: they are called so, numbered or
 * lettered as such, one of them is recommended, or it is asked which. Headings that are asked about in other
 * words are those of a report, and where several are recommended each is a question of its own.
 */
export function areOffered({ names, recommended }: Ways, whole: string): boolean {
  const answer = withoutQuoted(whole);
  const lines = answer.split("\n");
  const lead = lines.map(withoutEmphasis).filter((line) =>
    names.some((name) => line.includes(name))
  );
  if (lead.filter((line) => RECOMMENDED.test(line)).length >= WAYS_MIN) return false;
  const areHeadings = lead.some((line) => HEADING.test(line));
  const isCalled = areHeadings ? belowCall(lines).length > 0 : CALLED_WAYS.test(answer);
  const marked = lines.filter((line) => MARKED_WAY.test(line)).length;
  if (isCalled || marked >= WAYS_MIN || names.some(isLettered)) return true;
  const share = areHeadings ? HEADING_NAMED_MIN : NAMED_MIN;
  const namedIn = (sentence: string): number =>
    names.filter((name) => isNamedIn(sentence, name, share)).length;
  if (recommended !== undefined && namedIn(recommended) > 0) return true;
  return splitSentences(withoutEmphasis(answer)).some((sentence) => {
    if (!areHeadings && TELL_WHICH.test(sentence)) return true;
    return isAskedAtEnd(sentence) && !sentence.startsWith("#") &&
      (!areHeadings && ASKS_WHICH.test(sentence) || namedIn(sentence) >= WAYS_MIN);
  });
}

/** Whether somebody asks what could be done: 'options?', 'which ways are there'. */
export function asksForWays(prompt: string): boolean {
  return hasQuestionMark(prompt) && ASKED_FOR.test(prompt);
}

const ASKED_FOR = heard("decisions.ways", WORD);

/** 'Three ways:', '## Options', 'The alternatives are:'. */
const CALLED_WAYS = heard(
  "ways.count",
  String
    .raw`\b(?:[2-6]|{}) (?:\S+ ){0,2}{decisions.ways}\b[^.:\n—–]{0,60}(?:[.:]|$)|^(?:#{1,6} |\*\*)[^\n]{0,40}\b{decisions.ways}\b|\b{decisions.ways}\b[^.\n]{0,40}:\s*$`,
  "im",
);
/** What of a line stands in front of its words: a mark of a heading, an item or a row, and of emphasis. */
const LINE_HEAD = String.raw`^(?:#{1,6} |[-*+•] |\d{1,2}[.)] |\|)?\s*\**`;
/** A line that says of itself that it is a way: 'Option A: …', '### Approach 2', 'B. …'. */
const MARKED_WAY = heard(
  "ways.numbered",
  String
    .raw`${LINE_HEAD}(?:{}\s+(?:[A-F]|\d)\b|[A-F](?:[.):]| [—–-] ))`,
);
/** Whether a sentence asks which one is to be taken, with a mark or without: 'let me know which you prefer'. */
export function asksWhich(sentence: string): boolean {
  return ASKS_WHICH.test(sentence);
}

const ASKS_WHICH = heard("ways.asks_which", WORD);

/** Whether a way has a letter in front of its name, as `waysIn` tells it. */
export function isLettered(name: string): boolean {
  return name.startsWith(": ", 1);
}

const TELL_WHICH = heard("ways.tell_which", WORD);

function isNamedIn(sentence: string, name: string, share: number): boolean {
  if (isLettered(name)) return true;
  const stems = stemsOf(name.replace(RECOMMENDED, ""));
  const said = stemsOf(sentence).intersection(stems).size;
  return said > 0 && said >= share * stems.size;
}

/** 'Option A: …' and 'Option B: …', one after the other, whatever headings the answer has beside them. */
function markedNames(lines: readonly string[]): string[] | undefined {
  let names: string[] = [];
  for (const line of lines) {
    const [, mark = "", rest = ""] = MARKED_NAME.exec(line.replace(IS_RECOMMENDED, " ")) ?? [];
    if (mark === "") continue;
    const place = Number(mark) || "ABCDEF".indexOf(mark) + 1;
    if (place === 1) names = [];
    const [name = ""] = withoutEmphasis(rest).split(NAME_ENDS, 1);
    if (place === names.length + 1 && name.length >= 3) names.push(nameOf(`${mark}) ${name}`));
  }
  return names.length >= WAYS_MIN && names.length <= WAYS_MAX ? names : undefined;
}

const MARKED_NAME = heard(
  "ways.numbered",
  String
    .raw`${LINE_HEAD}(?:\S{1,2} )?{}\s+([A-F]|[1-6])\**\s*(?:[.:)–—-]|\()\**\s*(\S.*)$`,
);
/** Where what it is ends, and what is said of it begins. */
const NAME_ENDS = /: |\. |\s[–—-]\s|\.$|:$/;

/** Of items, paragraphs and rows of a table the bold lead, else what stands before the first colon or dash. */
function namesBy(lines: readonly string[], mark: RegExp): string[] {
  const names = lines.flatMap((line) => {
    const item = ITEM.exec(line)?.[1] ?? line.replace(/^\s{0,3}\|\s{0,3}/, "");
    const text = mark === HEADING
      ? HEADING.exec(line)?.[1]
      : mark === BOLD
      ? BOLD.exec(item)?.[1]
      : ITEM.test(line)
      ? (/^([^:：—–.。]{2,80})(?:(?::|\s[—–-])\s|：)/.exec(withoutEmphasis(item)) ??
        LETTERED_CLAUSE.exec(withoutEmphasis(item)))?.[1]
      : undefined;
    return text === undefined ? [] : [nameOf(text)];
  });
  return [...new Set(names)].filter((name) =>
    name.length >= 3 && name.split(" ").length <= NAME_WORDS_MAX && !ONLY_CALLED.test(name) &&
    !isAskedAtEnd(name)
  );
}

/** The heading above them: 'Options'. */
const ONLY_CALLED = heard("decisions.ways", String.raw`^(?:\S+ )?{}$`);

/** 'A) keep the hash; B) append only', in one line and in the order of the alphabet. */
function namesInLine(lines: readonly string[]): string[] | undefined {
  for (const line of lines) {
    const found = [...withoutEmphasis(line).matchAll(LETTERED_INSIDE)];
    const inOrder = found.every(([, letter], i) => letter === "ABCDEF".charAt(i));
    if (inOrder && found.length >= WAYS_MIN) {
      return found.map(([, letter = "", name = ""]) => nameOf(`${letter}) ${name}`));
    }
  }
  return undefined;
}

const LETTERED_INSIDE = /(?<![^\s(])\(?([A-F])\) ([^,.;:—–()]{3,70})(?=[,.;:—–(]|$)/g;

/** 'Row lock (recommended)': said of the way, and no part of its name. */
const IS_RECOMMENDED = heard("ways.recommended", String.raw` ?\({}\) ?`);

function nameOf(text: string): string {
  return cut(
    withoutEnd(collapse(withoutEmphasis(text).replace(/\\([*_])/g, "$1")), /[.:;,：。，；]/)
      .replace(IS_RECOMMENDED, " ").trim().replace(NUMBERED, "").replace(LETTERED, "$1: "),
    NAME_CHARACTERS_MAX,
  );
}

/** Whether a prompt names a way by its number alone. */
export function isByNumber(prompt: string): boolean {
  return NUMBER.test(prompt);
}

/** As a name, and not as the article of what follows. */
const LETTER = heard(
  "ways.behind_letter",
  String.raw`(?<![\w'’-])[A-F](?=$|[,.;:!)]| (?:[-–—+&]|{}\b))`,
  "g",
);

/** Whether a way is called by its letter, or the number that stands in front of its name. */
export function isCalled(name: string, said: string): boolean {
  const letter = isLettered(name) ? name.slice(0, 1) : "";
  return letter !== "" &&
    (BY_LETTER.exec(said)?.[1]?.toUpperCase() === letter ||
      said.match(LETTER)?.includes(letter) === true);
}

export function hasLetter(said: string): boolean {
  return said.match(LETTER) !== null;
}

/** With the names of the ways that it calls by their letters: 'A for a month, then B' says nothing alone. */
export function withNames(said: string, names: readonly string[]): string {
  const letters = new Set(said.match(LETTER));
  const meant = names.filter((name) =>
    letters.has(name.slice(0, 1)) && name.startsWith(": ", 1) && !said.includes(name.slice(3))
  );
  return meant.length === 0 ? said : `${said} (${meant.join("; ")})`;
}

/** No single one was taken. */
export const SEVERAL = heard("ways.several", WORD);
/** What stands behind these was not taken. */
const LEFT = heard("ways.left", WORD);

/** A number alone, or with a word that says to go on. */
const NUMBER = heard(
  "ways.go_on",
  String.raw`^(?:{ways.number_after}[,.]? )*#?([1-6])(?:[.),:;!]|$| *{}\b)`,
);
/** 'The second one', as a number and as it is written. */
const ORDINAL = onlyUnspaced("ways.ordinal");
const DIGITS = "一二三四五六";
/** 'Plan A', where letters name ways. */
const LETTER_UNSPACED = onlyUnspaced("ways.letter_unspaced");

const BY_LETTER = heard("ways.letter_after", String.raw`^(?:{}[,.]? )*([a-f1-6])\b`);

/** Which of the ways a prompt takes: by its letter or number, else by the words that only one of them has. */
export function wayMeant(prompt: string, names: readonly string[]): string | undefined {
  const letter = BY_LETTER.exec(prompt)?.[1]?.toLowerCase();
  const lettered = names.find((name) => name.toLowerCase().startsWith(`${letter}:`));
  if (lettered !== undefined) return lettered;
  const plan = names.find((name) => name.startsWith(`${foundBy(LETTER_UNSPACED, prompt)}:`));
  if (plan !== undefined) return plan;
  if (SEVERAL_NUMBERS.test(prompt)) return undefined;
  const numbered = NUMBER.exec(prompt)?.[1] ?? foundBy(ORDINAL, prompt);
  if (numbered !== undefined) {
    return names[(Number(numbered) || DIGITS.indexOf(numbered) + 1) - 1];
  }
  if (SEVERAL.test(prompt)) return undefined;
  const said = stemsOf(prompt.split(LEFT)[0] ?? "");
  const scores = names.map((name) => said.intersection(stemsOf(name)).size);
  const most = Math.max(0, ...scores);
  const [best = "", ...others] = names.filter((_, i) => scores[i] === most);
  const isNamed = most >= NAMED_MIN * stemsOf(best).size;
  return most > 0 && others.length === 0 && isNamed ? best : undefined;
}

/** A word that a long name shares with a prompt is chance. */
const NAMED_MIN = 0.4;
/** Headings are made of the words that the whole answer is about. */
const HEADING_NAMED_MIN = 0.75;
/** '1, 2 and 3': none of them by itself. */
const SEVERAL_NUMBERS = heard(
  "ways.and",
  String.raw`^\W*[1-9]\d?(?:(?:, ?| ?[&+] ?|,? {} )[1-9]\d?)+\b`,
);

/** The one group that matched: a number may stand before or behind its word. */
function foundBy(pattern: Wider, text: string): string | undefined {
  return pattern.exec(text)?.slice(1).find((one) => one !== undefined);
}
