/**
 * Splits turns into sentences that can stand alone. Each is verbatim (white space aside), so that a reader
 * finds it in the transcript. Fragments, lead-ins, paths and the agent talking to itself are left out.
 */
import { memoize } from "../../base/memoize.ts";
import { isAscii, pattern, patternFor } from "../../base/text/pattern.ts";
import { isUnspaced, replaceRuns, spaced, unspacedLength } from "../../base/text/unspaced.ts";
import type { Turn } from "../../editor/editor.ts";
import {
  capitalised,
  collapse,
  fold,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../../base/text/text.ts";
import { opensQuotation, prose, tableRowsAsSentences } from "./clean.ts";
import { inRussianList } from "../phrases/russian.ts";
import { typedText } from "./machine_lines.ts";
import { OPENING, phrasePattern } from "../phrases/phrase_patterns.ts";
import { share } from "../trigger/measures.ts";
import { bigramsIn, withUnspaced } from "../phrases/unspaced.ts";

export interface Sentence {
  readonly text: string;
  readonly turn: Turn;
  /** Index of the turn. */
  readonly turnIndex: number;
  /** Its index in its turn, among sentences that can stand alone. */
  readonly position: number;
  /** The heading above it, folded; empty if there is none. */
  readonly heading: string;
  /** Whether it is in an item of a list. */
  readonly isItem: boolean;
}

const CHARACTERS_MIN = 18;
const CHARACTERS_MAX = 420;
/** Four words, as `wordCount` counts them: fewer say nothing. */
const FOUR_WORDS = String
  .raw`[\p{L}\p{N}](?:[\p{L}\p{N}'’_./-]*[^\p{L}\p{N}'’_./-][^\p{L}\p{N}]*[\p{L}\p{N}]){3}`;

/** A heading that names one of several alternatives. */
const ALTERNATIVE_HEADING = phrasePattern("sentences.way", "^{}e? .{1,70}$");

/**
 * The agent announcing its next step, or being polite. In several patterns, here and below, because V8 makes
 * up to ten copies of what follows an optional word, which costs two milliseconds a pattern.
 */
const LEADS = phrasePattern("sentences.leads", String.raw`^(?:{}[,.!:]?\s+)*`);
const ASIDE = phrasePattern("sentences.aside", String.raw`^{}\b`);
const INTENDS =
  /^i(?:['’]ll| will|['’]m going to| am going to| need to| want to) (?:now |first |also |just )?/i;
const GOES_ON = /^(?:now|next),? /i;
const ACTS =
  /^(?:look|check|read|run|search|start|see|verify|update|create|add|fix|try|open|take|write|test|explore|examine|investigate|find|use|continue|move|rename|remove|delete|replace|refactor|implement|change|make|apply|revert|extract|rewrite|install|build|commit|push|merge)\b/i;

function isAside(text: string): boolean {
  const said = text.replace(LEADS, "");
  const meant = said.replace(INTENDS, "");
  return ASIDE.test(said) || (meant !== said || GOES_ON.test(text)) && ACTS.test(meant);
}

const POLITE = phrasePattern("sentences.polite", String.raw`^{}\b[^.!?]{0,30}[.!]?$`);

/** Marks where private text was taken out: the rest of the sentence may say something else. */
export const WITHHELD = "[private]";

/** Words that answer the other speaker; without that speaker the sentence begins after them. */
const ANSWER = phrasePattern("sentences.answer", String.raw`^{}(?:[,:;.!]| ?[—–]| -)\s+(?=\S)`);
const ANSWERS_MAX = 3;
/** What is left of 'Yes, 30 a minute' says nothing without the question. */
const ANSWER_WORDS_MIN = 7;

/**
 * Emoji and arrows around a sentence. The lookbehind keeps a long run inside a sentence from being tried at
 * each character.
 */
const ORNAMENTS = String.raw`[\p{Extended_Pictographic}\uFE0F\u200D\s]`;
const ORNAMENT = `^${ORNAMENTS}+|(?<!${ORNAMENTS})${ORNAMENTS}+$`;
const ENDED = withUnspaced("sentences.ended", /[.!?。！？…]["'”’)\]]*$/);
/** A question typed in a hurry has no question mark: 'where do they store it'. */
const UNMARKED = phrasePattern(
  "sentences.unmarked",
  String.raw`${OPENING}{}\b`,
);
const UNMARKED_WORDS_MAX = 14;

type Own = Omit<Sentence, "turn" | "turnIndex">;

/** Kept: turns and conversations are split once for all detectors. */
const ownOf: (turn: Turn) => readonly Own[] = memoize(splitTurn);

/** All sentences that can stand alone, in order. */
export const sentencesOf: (turns: readonly Turn[]) => readonly Sentence[] = memoize(splitAll);

function splitAll(turns: readonly Turn[]): Sentence[] {
  const written = new Set<string>();
  return turns.flatMap((turn, turnIndex) => {
    // Most turns of a long session are tool calls without text.
    if (turn.text === "") return [];
    const own = ownOf(turn);
    if (turn.role === "assistant") own.forEach(({ text }) => written.add(text));
    // What the agent wrote and a person pasted back is not the person's.
    const said = turn.role === "user" ? own.filter(({ text }) => !written.has(text)) : own;
    return said.map((one) => ({ ...one, turn, turnIndex }));
  });
}

function splitTurn({ text, role }: Turn): Own[] {
  const sentences: Own[] = [];
  const sentencesIn = role === "user" ? splitTyped : splitSentences;
  let [heading, alternative] = ["", ""];
  for (const block of blocks(role === "user" ? typedText(text) : prose(text))) {
    if (block.heading !== undefined) {
      heading = block.heading;
      alternative = ALTERNATIVE_HEADING.test(block.text) ? `${block.text} — ` : "";
      continue;
    }
    const parted = withWholeCode(sentencesIn(withoutEmphasis(block.text)));
    for (const whole of withWholeQuotations(parted)) {
      const plain = withoutOrnament(whole);
      const sentence = withoutAnswer(role === "user" ? withoutFiller(plain) : plain);
      if (sentence === undefined || !standsAlone(sentence, role)) continue;
      // A sentence about an alternative says nothing without its name.
      sentences.push({
        text: alternative + sentence,
        position: sentences.length,
        heading,
        isItem: block.isItem === true,
      });
      alternative = "";
    }
  }
  // Beside sentences a table is their evidence; alone it is the answer.
  if (role === "assistant" && sentences.every(({ text }) => isAskedAtEnd(text))) {
    const rows = tableRowsAsSentences(text).map(withoutEmphasis).filter((row) => standsAlone(row));
    sentences.unshift(
      ...rows.map((text) => ({ text, position: 0, heading: "", isItem: true })),
    );
    return sentences.map((one, position) => ({ ...one, position }));
  }
  return sentences;
}

/** Without `**` and `*` around words; text in `code` stays. */
export function withoutEmphasis(text: string): string {
  return text.includes("*")
    ? text.replace(EMPHASIS, (match, word) => match.startsWith("`") ? match : word ?? "")
    : text;
}

const EMPHASIS =
  /`[^`\n]{0,400}`|\*\*(?=\S)|(?<=\S)\*\*|(?<![\w*])\*(?=[^\s*])([^*\n`]{1,200}?)(?<=[^\s*])\*(?![\w*])/g;

function withoutOrnament(text: string): string {
  return isAscii(text) ? text : text.replace(pattern(ORNAMENT, "gu"), "");
}

/** Words typed before the matter itself. */
const FILLER = phrasePattern(
  "sentences.filler",
  String.raw`^(?:{}(?:,|\.{2,3}|!)?\s+)+(?=\S+\s+\S)`,
  "",
);

/** Drops leading filler from a sentence that begins in lower case. */
export function withoutFiller(text: string): string {
  return /^[a-zа-яё]/.test(text) ? text.replace(FILLER, "") : text;
}

/** The sentence without a leading answer to the other speaker; undefined if too little is left. */
function withoutAnswer(text: string): string | undefined {
  let rest = text;
  for (let n = 0; n < ANSWERS_MAX && ANSWER.test(rest); n++) rest = rest.replace(ANSWER, "");
  if (rest === text) return text;
  if (/^\d/.test(rest) && wordCount(rest) < ANSWER_WORDS_MIN) return undefined;
  return capitalised(rest);
}

/** A label in front of a sentence, possibly repeated: "Next: **Next step:** …". */
export const LABEL = String.raw`^(?:[*_]{0,3}{}[*_]{0,3}\s*[:：]\s*[*_]{0,3}\s*)+`;

/** Joins sentences as prose, adding a full stop where the end has no mark. */
export function asProse(sentences: readonly string[]): string {
  return sentences.map((text) => ENDED.test(text) ? text : text + (isUnspaced(text) ? "。" : "."))
    .join(" ");
}

/** Whether it ends like a sentence: list items and titles often do not. */
export function isComplete(text: string): boolean {
  return ENDED.test(text);
}

/** Whether it is a question; of a person's also without a question mark. */
export function isQuestion({ text, turn }: Pick<Sentence, "text" | "turn">): boolean {
  return turn.role === "user" ? isTypedQuestion(text) : isAskedAtEnd(text);
}

/** Whether something typed is a question, with a question mark or without. */
export function isTypedQuestion(text: string): boolean {
  return isAskedAtEnd(text) ||
    !ENDED.test(text) && UNMARKED.test(text) && wordCount(text) <= UNMARKED_WORDS_MAX;
}

/** Whether the last sentence of a prompt is a question. */
export function endsWithQuestion(prompt: string): boolean {
  return isTypedQuestion(splitTyped(prompt).at(-1) ?? "");
}

type Typed = Pick<Sentence, "text" | "turn">;

/** What was typed, on one line, and where the sentence begins in it; -1 if it was changed since. */
export function placeOf({ text, turn }: Typed): { readonly whole: string; readonly at: number } {
  const whole = collapse(turn.text);
  return { whole, at: whole.toLowerCase().indexOf(text.toLowerCase()) };
}

/** The sentence typed before this one, if any. */
export function precedingTyped(sentence: Typed): string | undefined {
  const { whole, at } = placeOf(sentence);
  return at <= 0 ? undefined : splitTyped(whole.slice(0, at)).at(-1);
}

const JOINED_CHARACTERS_MAX = 240;

/**
 * Joined with the sentence before it, unless that is too long: 'the first or the second? leave both for now'.
 */
export function withPreceding(sentence: Typed): string {
  const before = precedingTyped(sentence);
  if (before === undefined || hasWithheld(before)) return sentence.text;
  const full = `${before} ${sentence.text}`;
  return full.length > JOINED_CHARACTERS_MAX ? sentence.text : full;
}

/** Joined with the sentences behind it, as far as there is room. */
export function withFollowing(sentence: Typed): string {
  const { whole, at } = placeOf(sentence);
  let full = sentence.text;
  for (const next of at < 0 ? [] : splitTyped(whole.slice(at + full.length))) {
    if (hasWithheld(next) || full.length + next.length >= JOINED_CHARACTERS_MAX) break;
    full += ` ${next}`;
  }
  return full;
}

/** Joins what was split at a full stop inside `code`. */
function withWholeCode(sentences: readonly string[]): string[] {
  const whole: string[] = [];
  let open = "";
  for (const sentence of sentences) {
    if (open === "" && !sentence.includes("`")) {
      whole.push(sentence);
      continue;
    }
    const joined = open === "" ? sentence : `${open} ${sentence}`;
    const isOpen = (joined.split("`").length - 1) % 2 === 1;
    if (isOpen && joined.length <= CHARACTERS_MAX) {
      open = joined;
      continue;
    }
    if (!isOpen) whole.push(joined);
    open = "";
  }
  return whole;
}

/** A quotation of several sentences is one: 'he wrote: "We take Iceberg. Kafka is next."' is nobody's here. */
function withWholeQuotations(sentences: readonly string[]): string[] {
  const whole: string[] = [];
  let parts: string[] = [];
  for (const sentence of sentences) {
    parts.push(sentence);
    const joined = parts.join(" ");
    const isOpen = opensQuotation(joined);
    if (isOpen && joined.length <= CHARACTERS_MAX) continue;
    // What never ends is no quotation.
    whole.push(...isOpen ? parts : [joined]);
    parts = [];
  }
  return [...whole, ...parts];
}

/** Whether a sentence means something to a reader who sees nothing else. */
export function standsAlone(text: string, role: Turn["role"] = "assistant"): boolean {
  if (text.length > CHARACTERS_MAX || text.endsWith(":") || text.endsWith("…")) return false;
  if (hasWithheld(text)) return false;
  if (isUnspaced(text)) {
    const isTyped = role === "user" && !KANA.test(text);
    const written = lettersIn(text) + (isTyped ? digitsIn(text) / 2 : 0);
    return written >= (isTyped ? TYPED_LETTERS_MIN : UNSPACED_LETTERS_MIN) &&
      !text.endsWith("：") && !isAside(text);
  }
  // Names in code count as words, whatever they are made of.
  const words = text.replace(CODE, (span) => "x".repeat(span.length));
  const written = lettersIn(words) + digitsIn(words) / 2;
  if (text.length < CHARACTERS_MIN || written < text.length * 0.55) return false;
  if (!hasFourWords(text) || isAside(text) || POLITE.test(text)) return false;
  if (POINTS_BACK.test(text)) return false;
  return !/^(?:at \S+ \(|[\w./-]+:\d+:|[\w./-]+\.\w+:\d+ )/.test(text);
}

const UNSPACED_LETTERS_MIN = 8;
/** What a person types in Chinese is short: '缓存先不做了' leaves the cache out. */
const TYPED_LETTERS_MIN = 6;
const KANA = /[\u3041-\u30ff]/;

const CODE = /`[^`\n]{1,200}`/g;

/** "We decided against it.": says that something was settled, but not what. */
const POINTS_BACK = phrasePattern("sentences.points_back", "^{}[.!]?$");

function hasFourWords(text: string): boolean {
  return patternFor(text, FOUR_WORDS, "u").test(text);
}

function lettersIn(text: string): number {
  return isAscii(text)
    ? text.length - (text.match(/[^A-Za-z]/g)?.length ?? 0)
    : text.match(patternFor(text, String.raw`[\p{L}]`, "gu"))?.length ?? 0;
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}

/** Whether private text was taken out of it. */
export function hasWithheld(text: string): boolean {
  return text.includes(WITHHELD);
}

export function wordCount(text: string): number {
  const words = patternFor(text, String.raw`[\p{L}\p{N}][\p{L}\p{N}'’_./-]*`, "gu");
  return spaced(text).match(words)?.length ?? 0;
}

/** Content terms: words of four letters or more, anything with a digit, and bigrams of unspaced text. */
export function termsOf(text: string): Set<string> {
  const terms = new Set<string>();
  let folded = fold(text);
  if (isUnspaced(folded)) {
    for (const pair of bigramsIn(folded)) terms.add(pair);
    folded = replaceRuns(folded, () => "");
  }
  for (const term of folded.match(patternFor(folded, String.raw`[\p{L}\p{N}_]+`, "gu")) ?? []) {
    if ((term.length >= 4 || /\d/.test(term)) && !isCommon(term)) terms.add(term);
  }
  return terms;
}

/**
 * Whether a text has enough terms to name something. Without spaces one is enough ('退款那块'), or a clause of
 * everyday words, which has none in Japanese.
 */
export function namesMatter(text: string, least: number): boolean {
  const terms = termsOf(text).size;
  return terms >= least ||
    isUnspaced(text) && (terms > 0 || unspacedLength(text) >= CLAUSE_CHARACTERS_MIN);
}

const CLAUSE_CHARACTERS_MIN = 8;

/** Prefixes of the terms, as a crude stemmer: `revoke` and `revocable` share five characters. */
export function stemsOf(text: string, characters = 5): Set<string> {
  return new Set([...termsOf(text)].map((term) => term.slice(0, characters)));
}

/** Returns a test whether a text has at least half of the matter's stems. */
export function restates(matter: string): (text: string) => boolean {
  const stems = stemsOf(matter, SHORT_STEM);
  return (text) =>
    share(stems.intersection(stemsOf(text, SHORT_STEM)).size, stems.size) >= TOLD_AGAIN;
}

const TOLD_AGAIN = 0.5;
/** 'Write the migration' and 'the migration is written' share stems of this length. */
export const SHORT_STEM = 4;

/** Jaccard similarity, 0..1. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  // Not `for`: an iterator allocates an object for each term, and thousands of pairs are compared.
  a.forEach((term) => {
    if (b.has(term)) common++;
  });
  return common / (a.size + b.size - common);
}

function isCommon(term: string): boolean {
  return COMMON.has(term) || isCommonInRussian(term);
}

const isCommonInRussian = inRussianList("sentences.common");
const COMMON = new Set(
  ("about after also because been before being both does doing done each from have having here into " +
    "just like made make more most much only other over same should some such than that their them " +
    "then there these they this those very want were what when where which while will with would your " +
    "aber auch dann dass dies eine einen einer haben hier kann muss nach nicht noch oder sind wenn wird " +
    "como cuando desde esta este para pero porque sobre avec cette dans elle mais nous pour vous " +
    "essa esse isso quando ainda voce agora muito pela pelo mesmo depois " +
    "questo questa ancora della nella sono anche invece dopo")
    .split(" "),
);

interface Block {
  readonly text: string;
  readonly heading?: string;
  readonly isItem?: boolean;
}

/** Headings, paragraphs, and list items without their mark. A line that is all bold is a heading. */
function blocks(text: string): Block[] {
  const found: Block[] = [];
  let paragraph: string[] = [];
  let isItem = false;
  const flush = (): void => {
    if (paragraph.length > 0) found.push({ text: paragraph.join("\n"), isItem });
    paragraph = [];
    isItem = false;
  };
  for (const line of text.split("\n")) {
    const trimmed = line.trim();
    const isMarked = /^[-#*+•\d]/.test(trimmed);
    const heading = !isMarked ? undefined : /^#{1,6} (.*)$/.exec(trimmed)?.[1] ??
      /^\*\*([^*]{2,60}?):?\*\*:?$/.exec(trimmed)?.[1];
    const item = !isMarked ? undefined : /^(?:[-*+•]|\d{1,3}[.)]) (.*)$/.exec(trimmed)?.[1];
    if (heading !== undefined) {
      flush();
      found.push({
        text: withoutEmphasis(heading).trim(),
        heading: fold(heading).replace(/[*`:]/g, "").trim(),
      });
    } else if (item !== undefined) {
      flush();
      isItem = true;
      paragraph.push(item.replace(/^\[[ xX]\] /, ""));
    } else if (trimmed === "") {
      flush();
    } else {
      paragraph.push(trimmed);
    }
  }
  flush();
  return found;
}
