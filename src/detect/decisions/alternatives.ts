/**
 * Finds the alternatives that an answer lays out, by name, and which of them it recommends. A checkpoint at a
 * branch point begins with the names: one alternative says nothing without the others.
 */
import {
  collapse,
  cut,
  hasQuestionMark,
  isAskedAtEnd,
  splitSentences,
  withoutEnd,
} from "../../base/text/text.ts";
import { withoutQuoted } from "../text/clean.ts";
import { phrasePattern, WHOLE_WORD, WORD_START } from "../phrases/phrase_patterns.ts";
import { stemsOf, withoutEmphasis } from "../text/sentences.ts";
import { type PhrasePattern, unspacedPattern } from "../phrases/unspaced.ts";

const ALTERNATIVES_MIN = 2;
const ALTERNATIVES_MAX = 6;
const NAME_CHARACTERS_MAX = 70;
const NAME_WORDS_MAX = 12;

const HEADING = /^\s{0,3}#{2,6}\s+(.+)$/;
const ITEM = /^\s{0,3}(?:(?:[-*+•]|\d{1,2}[.)])\s+|(?=[A-F][.)] ))(.+)$/;
/** `**Row lock.** It serialises …`, `**Row lock** — it serialises …`. */
const BOLD = /^\*\*(.{2,80}?)\*\*/;
/** 'Option A: …', '2) …' before a name. The letter is kept, because a recommendation may refer to it. */
const NUMBERED = phrasePattern("alternatives.numbered", String.raw`^{}\s+(?=\S)`);
/** 'A. Row lock', 'B) Advisory lock': kept as "A: ", because a full stop would end the sentence. */
const LETTERED = /^([A-F]|[1-6](?=\)))(?:[.)：、] ?| [—–-] )(?=\S)/;
/** 'B. Switch the service, one line', 'B. Full fix — A and …': the letter alone marks it as an alternative. */
const LETTERED_CLAUSE = /^([A-F][.)：、] ?[^,.;:—–，。；：]{3,70}?)(?:[,.;，。；：]|:\s|\s[—–-]\s)/;
const RECOMMENDED = phrasePattern("alternatives.recommended", WORD_START);

/** Whether the sentence recommends an alternative. */
export function recommends(text: string): boolean {
  return RECOMMENDED.test(text);
}

/** Whether the sentence says what its speaker would do, leaving the decision to somebody else. */
export function proposes(text: string): boolean {
  return recommends(text) || WOULD.test(text);
}

const WOULD = phrasePattern("alternatives.would", "^{}");

const IS_FIRST = /^[\s#*|>-]{0,8}1[.):*]/;
const IS_NUMBERED = /^[\s#*|>-]{0,8}(\d{1,2})[.):*]/;

/** What alternatives are called. */
export interface Names {
  readonly names: readonly string[];
  /**
   * By their numbers, the first at 0; empty where they have none. '2' means neither the second heading of a
   * report nor the second item that has a name.
   */
  readonly numbered: readonly (string | undefined)[];
}

export interface Alternatives extends Names {
  readonly recommended: string | undefined;
}

/** Undefined where they have no names, because they are laid out in running text. */
export function alternativesIn(whole: string): Alternatives | undefined {
  const answer = withoutQuoted(whole);
  const lines = answer.split("\n");
  const names = namesOfMarked(lines) ??
    namesOfFirstKind(lines.filter((line) => MARKED_ALTERNATIVE.test(line))) ??
    namesBelow(linesBelowLead(lines)) ?? namesOfFirstKind(lines) ?? namesInLine(lines);
  if (names === undefined) return undefined;
  const sentences = splitSentences(withoutEmphasis(answer));
  const recommended = sentences.find((sentence) =>
    RECOMMENDED.test(sentence) && !sentence.startsWith("#")
  );
  return { names, recommended, numbered: numberedIn(lines, names) };
}

/** What each number stands for, also where an item has no name of its own. */
function numberedIn(lines: readonly string[], names: readonly string[]): (string | undefined)[] {
  // Of several lists the last one is what can be chosen from.
  const list = lines.slice(Math.max(0, lines.findLastIndex((line) => IS_FIRST.test(line))));
  const items = list.flatMap((line) => {
    const [mark, number = ""] = IS_NUMBERED.exec(line) ?? [];
    if (mark === undefined) return [];
    const text = withoutEmphasis(line);
    const name = names.find((one) => text.includes(one));
    return [{ place: Number(number) - 1, name, first: nameOf(firstOf(line.slice(mark.length))) }];
  });
  if (items.filter(({ name }) => name !== undefined).length < ALTERNATIVES_MIN) return [];
  const numbered: (string | undefined)[] = [];
  for (const { place, name, first } of items) numbered[place] ??= name ?? first;
  return numbered;
}

/** An item up to where its name would end. */
function firstOf(item: string): string {
  return withoutEmphasis(item).trim().split(NAME_ENDS, 1)[0] ?? "";
}

function namesOfFirstKind(lines: readonly string[]): string[] | undefined {
  return [HEADING, BOLD, ITEM].map((mark) => namesBy(lines, mark))
    .find((found) => found.length >= ALTERNATIVES_MIN && found.length <= ALTERNATIVES_MAX);
}

/** Below a lead like 'Three options:' names need no markup: there an item is known by its first sentence. */
function namesBelow(lines: readonly string[]): string[] | undefined {
  const named = namesOfFirstKind(lines);
  if (named !== undefined) return named;
  const items = lines.flatMap((line) => ITEM.exec(line)?.[1] ?? []);
  const names = items.map((item) => nameOf(splitSentences(withoutEmphasis(item))[0] ?? ""));
  return names.length >= ALTERNATIVES_MIN && names.length <= ALTERNATIVES_MAX ? names : undefined;
}

/**
 * The lines below 'A few options:', up to the next heading of the same rank, or of any rank if the lead is no
 * heading.
 */
function linesBelowLead(lines: readonly string[]): readonly string[] {
  const call = lines.findLastIndex((line) =>
    LEADS_TO_LIST.test(line) && CALLED_ALTERNATIVES.test(line)
  );
  if (call < 0) return [];
  const rank = rankOf(lines[call] ?? "") ?? Infinity;
  const below = lines.slice(call + 1);
  const end = below.findIndex((line) => (rankOf(line) ?? Infinity) <= Math.min(rank, RANK_MAX));
  const indent = /^ */.exec(below.find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  return (end < 0 ? below : below.slice(0, end))
    .map((line) => line.startsWith(indent) ? line.slice(indent.length) : line);
}

/** A heading, or a line that ends with a colon. */
const LEADS_TO_LIST = /^\s{0,3}(?:#{1,6} |\*\*[^*]{1,80}\*\*:?\s*$)|[:：]\**\s*$/;
const RANK_MAX = 6;

function rankOf(line: string): number | undefined {
  return /^\s{0,3}(#{1,6}) /.exec(line)?.[1]?.length;
}

/**
 * Whether the names are alternatives rather than the parts of a report: a lead calls them so, they are
 * numbered or lettered as options, one of them is recommended, or the answer asks which. Headings that no
 * question names are those of a report; where several are recommended each is a question of its own.
 */
export function areOffered({ names, recommended }: Alternatives, whole: string): boolean {
  const answer = withoutQuoted(whole);
  const lines = answer.split("\n");
  const lead = lines.map(withoutEmphasis).filter((line) =>
    names.some((name) => line.includes(name))
  );
  if (lead.filter((line) => RECOMMENDED.test(line)).length >= ALTERNATIVES_MIN) return false;
  const areHeadings = lead.some((line) => HEADING.test(line));
  const hasLead = areHeadings ? linesBelowLead(lines).length > 0 : CALLED_ALTERNATIVES.test(answer);
  const marked = lines.filter((line) => MARKED_ALTERNATIVE.test(line)).length;
  if (hasLead || marked >= ALTERNATIVES_MIN) return true;
  const share = areHeadings ? HEADING_NAMED_MIN : NAMED_MIN;
  const namedIn = (sentence: string): number =>
    names.filter((name) => isNamedIn(sentence, name, share)).length;
  if (recommended !== undefined && namedIn(recommended) > 0) return true;
  return splitSentences(withoutEmphasis(answer)).some((sentence) =>
    isAskedAtEnd(sentence) &&
    (!areHeadings && ASKS_WHICH.test(sentence) || namedIn(sentence) >= ALTERNATIVES_MIN)
  );
}

/** Whether a prompt asks what could be done: 'options?', 'which ways are there?' */
export function asksForAlternatives(prompt: string): boolean {
  return hasQuestionMark(prompt) && ASKED_FOR.test(prompt);
}

const ASKED_FOR = phrasePattern("decisions.ways", WHOLE_WORD);

/** 'Three ways:', '## Options', 'The alternatives are:'. */
const CALLED_ALTERNATIVES = phrasePattern(
  "alternatives.count",
  String
    .raw`\b(?:[2-6]|{}) (?:\S+ ){0,2}{decisions.ways}\b[^.:\n—–]{0,60}(?:[.:]|$)|^(?:#{1,6} |\*\*)[^\n]{0,40}\b{decisions.ways}\b|\b{decisions.ways}\b[^.\n]{0,40}:\s*$`,
  "im",
);
/** What may stand before the words of a line: the mark of a heading, item or table row, and emphasis. */
const LINE_HEAD = String.raw`^(?:#{1,6} |[-*+•] |\d{1,2}[.)] |\|)?\s*\**`;
/** A line that marks itself as an alternative: 'Option A: …', '### Approach 2', 'B. …'. */
const MARKED_ALTERNATIVE = phrasePattern(
  "alternatives.numbered",
  String
    .raw`${LINE_HEAD}(?:{}\s+(?:[A-F]|\d)\b|[A-F](?:[.):]| [—–-] ))`,
);
/**
 * Whether a sentence asks which one to take, with a question mark or without: 'let me know which you prefer'.
 */
export function asksWhich(sentence: string): boolean {
  return ASKS_WHICH.test(sentence);
}

const ASKS_WHICH = phrasePattern("alternatives.asks_which", WHOLE_WORD);

/** Whether a name begins with a letter and a colon, as `alternativesIn` renders it. */
export function isLettered(name: string): boolean {
  return name.startsWith(": ", 1);
}

function isNamedIn(sentence: string, name: string, share: number): boolean {
  const stems = stemsOf(name.replace(RECOMMENDED, ""));
  const said = stemsOf(sentence).intersection(stems).size;
  return said > 0 && said >= share * stems.size;
}

/** 'Option A: …' and 'Option B: …' in this order, whatever other headings there are. */
function namesOfMarked(lines: readonly string[]): string[] | undefined {
  let names: string[] = [];
  for (const line of lines) {
    const [, mark = "", rest = ""] = MARKED_NAME.exec(line.replace(IS_RECOMMENDED, " ")) ?? [];
    if (mark === "") continue;
    const place = Number(mark) || "ABCDEF".indexOf(mark) + 1;
    if (place === 1) names = [];
    const [name = ""] = withoutEmphasis(rest).split(NAME_ENDS, 1);
    if (place === names.length + 1 && name.length >= 3) names.push(nameOf(`${mark}) ${name}`));
  }
  return names.length >= ALTERNATIVES_MIN && names.length <= ALTERNATIVES_MAX ? names : undefined;
}

const MARKED_NAME = phrasePattern(
  "alternatives.numbered",
  String
    .raw`${LINE_HEAD}(?:\S{1,2} )?{}\s+([A-F]|[1-6])\**\s*(?:[.:)–—-]|\()\**\s*(\S.*)$`,
);
/** Where the name ends and its description begins. */
const NAME_ENDS = /: |\. |\s[–—-]\s|\.$|:$/;

/**
 * The name in an item, paragraph or table row: its bold lead, else what stands before the first colon or
 * dash.
 */
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
    name.length >= 3 && name.split(" ").length <= NAME_WORDS_MAX &&
    !isAskedAtEnd(name)
  );
}

/** 'A) keep the hash; B) append only', in one line and in alphabetical order. */
function namesInLine(lines: readonly string[]): string[] | undefined {
  for (const line of lines) {
    const found = [...withoutEmphasis(line).matchAll(LETTERED_INSIDE)];
    const inOrder = found.every(([, letter], i) => letter === "ABCDEF".charAt(i));
    if (inOrder && found.length >= ALTERNATIVES_MIN) {
      return found.map(([, letter = "", name = ""]) => nameOf(`${letter}) ${name}`));
    }
  }
  return undefined;
}

const LETTERED_INSIDE = /(?<![^\s(])\(?([A-F])\) ([^,.;:—–()]{3,70})(?=[,.;:—–(]|$)/g;

/** 'Row lock (recommended)': said of the alternative, not part of its name. */
const IS_RECOMMENDED = phrasePattern("alternatives.recommended", String.raw` ?\({}\) ?`);

function nameOf(text: string): string {
  return cut(
    withoutEnd(collapse(withoutEmphasis(text).replace(/\\([*_])/g, "$1")), /[.:;,：。，；]/)
      .replace(IS_RECOMMENDED, " ").trim().replace(NUMBERED, "").replace(LETTERED, "$1: "),
    NAME_CHARACTERS_MAX,
  );
}

/**
 * An alternative in all words of its line: where a person says no more than its number, a name like 'Verify
 * first' says too little.
 */
export function itemNamed(name: string, answer: string): string {
  const bare = isLettered(name) ? name.slice(": ".length + 1) : name;
  const item = withoutQuoted(answer).split("\n").filter((line) => MARKED.test(line))
    .map((line) => inCells(collapse(withoutEmphasis(line.replace(MARKED, "")))))
    .find((line) => line.includes(bare));
  return item === undefined ? name : cut(item, ITEM_CHARACTERS_MAX);
}

/** The cells of a table's row as one text. */
export function inCells(line: string): string {
  return line.split("|").map((cell) => cell.trim()).filter((cell) => cell !== "").join(" — ");
}

/** What marks a line as an alternative. */
const MARKED = /^[\s#*|>•+-]{0,8}(?:(?:\d{1,2}|[A-F])[.):]\**)?\s*/;
const ITEM_CHARACTERS_MAX = 200;

/** Whether a prompt chooses by a number alone. */
export function beginsWithNumber(prompt: string): boolean {
  return NUMBER.test(prompt);
}

/** A letter as a name: 'A' as an article does not count. */
const LETTER = phrasePattern(
  "alternatives.behind_letter",
  String.raw`(?<![\w'’-])[A-F](?=$|[,.;:!)]| (?:[-–—+&]|{}\b))`,
  "g",
);

/** Whether a prompt names this alternative by its letter or number. */
export function isNamedByLetter(name: string, said: string): boolean {
  return isLettered(name) && BY_LETTER.exec(said)?.[1]?.toUpperCase() === name.slice(0, 1);
}

export function namesALetter(said: string): boolean {
  return said.match(LETTER) !== null;
}

/**
 * Adds the names of alternatives that the text calls by letter: 'A for a month, then B' says nothing alone.
 */
export function withAlternativeNames(said: string, names: readonly string[]): string {
  const letters = new Set(said.match(LETTER));
  const meant = names.filter((name) =>
    letters.has(name.slice(0, 1)) && name.startsWith(": ", 1) && !said.includes(name.slice(3))
  );
  return meant.length === 0 ? said : `${said} (${meant.join("; ")})`;
}

/** More than one was meant. */
export const SEVERAL_MEANT = phrasePattern("alternatives.several", WHOLE_WORD);
/** What follows one of these words was not chosen. */
const REJECTION = phrasePattern("alternatives.left", WHOLE_WORD);

/** A number alone, or with a word like 'go on'. */
const NUMBER = phrasePattern(
  "alternatives.go_on",
  String.raw`^(?:{alternatives.number_after}[,.]? )*#?([1-6])(?:[.),:;!]|$| *{}\b)`,
);
/** 'The second one', in digits or in characters. */
const ORDINAL = unspacedPattern("alternatives.ordinal");
const DIGITS = "一二三四五六";
/** 'Plan A', in a language without spaces. */
const LETTER_UNSPACED = unspacedPattern("alternatives.letter_unspaced");

const BY_LETTER = phrasePattern(
  "alternatives.letter_after",
  String.raw`^(?:{}[,.]? )*([a-f1-6])\b`,
);

/**
 * Which alternative a prompt means: by its letter or number, else by the words that only this one has.
 * Undefined if none or several match.
 */
export function alternativeMeant(
  prompt: string,
  names: readonly string[],
  numbered: Names["numbered"] = [],
): string | undefined {
  const letter = BY_LETTER.exec(prompt)?.[1]?.toLowerCase();
  const lettered = names.find((name) => name.toLowerCase().startsWith(`${letter}:`));
  if (lettered !== undefined) return lettered;
  const plan = names.find((name) => name.startsWith(`${foundBy(LETTER_UNSPACED, prompt)}:`));
  if (plan !== undefined) return plan;
  if (SEVERAL_NUMBERS.test(prompt)) return undefined;
  const number = NUMBER.exec(prompt)?.[1] ?? foundBy(ORDINAL, prompt);
  if (number !== undefined) {
    const place = (Number(number) || DIGITS.indexOf(number) + 1) - 1;
    return (numbered.length > 0 ? numbered : names)[place];
  }
  if (SEVERAL_MEANT.test(prompt)) return undefined;
  const said = stemsOf(prompt.split(REJECTION)[0] ?? "");
  const scores = names.map((name) => said.intersection(stemsOf(name)).size);
  const most = Math.max(0, ...scores);
  const [best = "", ...others] = names.filter((_, i) => scores[i] === most);
  const isNamed = most >= NAMED_MIN * stemsOf(best).size;
  return most > 0 && others.length === 0 && isNamed ? best : undefined;
}

/** The share of a name's terms that must be said: fewer may be chance. */
const NAMED_MIN = 0.4;
/** Higher for headings, whose words the whole answer uses. */
const HEADING_NAMED_MIN = 0.75;
/** '1, 2 and 3': no single one is meant. */
const SEVERAL_NUMBERS = phrasePattern(
  "alternatives.and",
  String.raw`^\W*[1-9]\d?(?:(?:, ?| ?[&+] ?|,? {} )[1-9]\d?)+\b`,
);

/** The one group that matched: a number may stand before or after its word. */
function foundBy(pattern: PhrasePattern, text: string): string | undefined {
  return pattern.exec(text)?.slice(1).find((one) => one !== undefined);
}
