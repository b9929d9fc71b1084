/**
 * What the person wanted: their requests, without assent, thanks and 'go on'.
 */
import { patternFor } from "../../base/text/pattern.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import type { Turn } from "../../editor/editor.ts";
import {
  collapse,
  cut,
  fold,
  isAskedAtEnd,
  splitSentences,
  splitTyped,
} from "../../base/text/text.ts";
import { isPrinted, proseOfAll } from "../text/clean.ts";
import { inRussianList } from "../phrases/russian.ts";
import { OPENING, phrasePattern } from "../phrases/phrase_patterns.ts";
import { typedText, withoutButton } from "../text/machine_lines.ts";
import { hasWithheld, termsOf, WITHHELD, withoutFiller, wordCount } from "../text/sentences.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";

export interface Intent {
  readonly text: string;
  readonly turn: Turn;
}

const CHARACTERS_MAX = 320;

/** Pasted text: a log begins with a time; commands, settings and failures show what they are. */
const PASTED =
  /^\[?(?:\d{4}-\d\d-\d\d|\d?\d:\d\d:\d\d|\d\d\/\d\d\/\d\d )|^(?:[$>] |curl |npm (?:err|warn)|(?:FAIL|PASS|ERROR|WARN(?:ING)?|INFO|FATAL|Traceback|File)\b|[A-Z_]{3,}=|[\w.]*(?:Error|Exception)\b:?)|[{[]"\w+":/;

/** Words that only keep a conversation going; a prompt of nothing else requests nothing. */
const ASSENT = new Set(
  ("yes yep yeah ok okay sure please go ahead on continue proceed do it that this thanks thank you great good nice " +
    "perfect cool fine lgtm sounds looks right correct exactly agreed and now next the one both all also hi hello hey " +
    "well done works it's its is ja nein bitte danke weiter gut genau mach das passt super klar " +
    "si vale gracias adelante sigue bien oui merci continue vas-y d'accord no nope commit push " +
    "gotta bye goodbye see you tomorrow tonight tschuss ciao feierabend bis morgen schluss heute manana demain " +
    "sim nao obrigado obrigada valeu beleza blz bora segue pode manda bala isso mesmo perfeito otimo certo " +
    "entao fechou combinado tchau amanha favor commita commitar " +
    "grazie perfetto bene certo vai procedi esatto capito allora domani committa")
    .split(" "),
);
/** The same in languages without spaces. */
const ASSENT_UNSPACED = unspacedPattern("intent.assent_unspaced", "g");
const isRussianAssent = inRussianList("intent.assent");

/** Requests in order, each as its first sentences. */
export function intentsOf(turns: readonly Turn[]): Intent[] {
  const found = turns.filter((turn) => turn.role === "user").flatMap((turn) => {
    const text = requestOf(turn.text);
    return text === undefined ? [] : [{ text, turn }];
  });
  // A request with private text taken out is better than none, and worse than every other.
  const whole = found.filter(({ text }) => !hasWithheld(text));
  if (whole.length > 0) return whole;
  return found.length > 0 ? found.slice(0, 1) : pastedFailures(turns);
}

/** Somebody who pastes a failure without a word wants it fixed. */
function pastedFailures(turns: readonly Turn[]): Intent[] {
  return turns.flatMap((turn) => {
    const text = turn.role === "user" ? failureIn(turn.text) : undefined;
    return text === undefined || hasWithheld(text) ? [] : [{ text, turn }];
  }).slice(0, 1);
}

/** The first line that names what went wrong. */
export function failureIn(text: string): string | undefined {
  const line = text.split("\n", PASTED_LINES_MAX).find((one) => FAILURE.test(one));
  return line === undefined ? undefined : cut(collapse(line), CHARACTERS_MAX / 2);
}

const PASTED_LINES_MAX = 2000;
const FAILURE =
  /\b[A-Za-z][\w.]{0,80}(?:Error|Exception)\b|^\W*(?:npm ERR!|FATAL|FAILED?\b|panic:|error(?:\[|:))/;

/** Terms that a request needs to be understood alone. */
const TERMS_MIN = 3;
/** Asks to repeat what was found; no question of its own. */
const TELL_AGAIN = phrasePattern("intent.tell_again", String.raw`\b{}`);

/** Whether it names its subject in the person's words, and does not just ask to repeat what was found. */
export function namesItsSubject(text: string): boolean {
  return termsOf(text).size >= TERMS_MIN && !asksToRepeat(text) && !isPrinted(text);
}

/** The first words of a day: they ask what comes next. */
const WHERE_IT_STOOD = phrasePattern("intent.where_it_stood", String.raw`\b{}`);

/**
 * Without the files and pages that a person gives along, before a word is said. A page that is meant by what
 * is said keeps its name: 'Is it worth setting this up?'
 */
export function withoutMentions(text: string): string {
  const said = text.replace(MENTIONS, "");
  const page = POINTS_AT.test(said) ? PAGE.exec(text)?.[1] : undefined;
  return page === undefined ? said : `${page}: ${said}`;
}

/** The address of a page, without what it says of the site where that is known to everybody. */
const PAGE = /^https?:\/\/(?:www\.|github\.com\/)?([^\s?#]{3,50}?)\/?(?:[?#]\S*)?\s/;
const POINTS_AT = phrasePattern("intent.points_at", String.raw`^.{0,60}\b{}\b`);

/** In Japanese a particle behind it makes it a part of the sentence. */
const MENTIONS =
  /^(?:(?:@|https?:\/\/)\S+(?:\s+\(\d+(?:-\d+)?\))?(?:\s+(?![をのにはがでともへ])|$))+/;

/** Nothing but files and pages, also as they are dragged into a terminal: quoted, or with escaped spaces. */
const GIVEN = String
  .raw`(?:(?:@|https?:\/\/)\S+|"(?:[~/]|[A-Z]:\\)[^"\n]+"|'(?:[~/]|[A-Z]:\\)[^'\n]+'|(?:[~/]|[A-Z]:\\)(?:\\ |[^\s"'])*\.\w{1,5})`;
const GIVEN_ALONE = new RegExp(String.raw`^\s*${GIVEN}(?:\s+${GIVEN})*\s*$`);

export function asksForStatus(text: string): boolean {
  return WHERE_IT_STOOD.test(text);
}

export function asksToRepeat(text: string): boolean {
  return TELL_AGAIN.test(text);
}

/** Whether a prompt requests something by itself. */
export function isRequest(text: string): boolean {
  const whole = fold(text);
  const folded = isUnspaced(whole) ? whole.replace(ASSENT_UNSPACED, " ") : whole;
  const words = folded.match(patternFor(folded, String.raw`[\p{L}\p{N}'-]+`, "gu")) ?? [];
  if (words.length === 0 || BY_BUTTON.test(text) || GIVEN_ALONE.test(text)) return false;
  const own = words.filter((word) => !isAssent(word));
  return own.length >= 2 || (own.length === 1 && (own[0]?.length ?? 0) >= 12) ||
    /[\u3040-\u30ff\u3400-\u9fff]{4,}/.test(folded);
}

/** A command of the client, and what its buttons 'Continue' and 'Try Again' send. */
const BY_BUTTON = /^\s*(?:\/|@agent (?:Continue: "|Try Again\s*$))/;

function isAssent(word: string): boolean {
  return ASSENT.has(word) || isRussianAssent(word);
}

/**
 * A question without what was known when it was asked ("nothing is decided yet"), which is out of date beside
 * the result.
 */
export function leadOf(wanted: string): string {
  const [first] = splitSentences(wanted);
  return first !== undefined && isAskedAtEnd(first) ? first : wanted;
}

function requestOf(text: string): string | undefined {
  const own = asksIn(typedText(text));
  // Somebody who forwards a mail without a word, or with 'The mail:', wants what it says.
  const prose = own.length > 0 ? own : asksIn(proseOfAll(withoutButton(text)));
  const asked = prose.map(withoutGreeting).filter(isRequest);
  // 'You are a senior engineer.' says who is to answer, not what.
  const tasks = asked.filter((sentence) => !ROLE.test(sentence));
  const wanted = (tasks.length > 0 ? tasks : asked)
    .sort((a, b) => Number(hasWithheld(a)) - Number(hasWithheld(b)));
  // A lead to pasted text is used only if nothing else says what is wanted.
  const whole = wanted.filter((sentence) => !sentence.endsWith(":"));
  const sentences = whole.length > 0 ? whole : wanted.flatMap(withoutLead);
  // A greeting or remark may come first; the first question, or longer sentence, is the request.
  const best = sentences.findIndex((sentence) =>
    isAskedAtEnd(sentence) || wordCount(sentence) >= 5 || FILE.test(sentence) ||
    isUnspaced(sentence) && wordCount(sentence) >= 4
  );
  // Short sentences are joined only where they stand together.
  const said = collapse(text);
  const isTogether = (longer: string): boolean =>
    longer.length <= CHARACTERS_MAX / 2 && !hasWithheld(longer) && said.includes(longer);
  const matter = sentences[Math.max(0, best)];
  if (matter === undefined) return undefined;
  const lead = sentences[best - 1] ?? "";
  let together = wordCount(lead) >= LEAD_IN_WORDS_MIN && isTogether(`${lead} ${matter}`)
    ? `${lead} ${matter}`
    : matter;
  for (const next of sentences.slice(Math.max(0, best) + 1)) {
    // 'Create export.py.' does not say what it is for.
    const isBare = FILE.test(together) && said.includes(`${together} ${next}`);
    if (!isBare && !isTogether(`${together} ${next}`)) break;
    together += ` ${next}`;
  }
  const wish = withoutFiller(together);
  // 'Any idea?' asks about what was pasted with it.
  const failure = termsOf(wish).size < WISH_TERMS_MIN ? failureIn(text) : undefined;
  return cut(failure === undefined ? wish : `${failure} — ${wish}`, CHARACTERS_MAX);
}

function withoutGreeting(sentence: string): string {
  return sentence.replace(GREETING, "");
}

/** 'Hi there, ', 'Olá, tudo bem?'; a line that only greets is no request. */
const GREETING = phrasePattern(
  "intent.greeting",
  String.raw`^(?:{}(?:[\s,.!?–—-]+|$))+`,
);
const ROLE = phrasePattern("intent.role", String.raw`${OPENING}{}`);
const WISH_TERMS_MIN = 2;
/** 'Create export.py.' is short and says what is wanted. */
const FILE = /^\S+ (?:\S+ )?[\w./-]*\w\.[a-z]\w{0,4}[.!]?$/;

function asksIn(text: string): string[] {
  return splitTyped(withoutHeadings(text)).map(withoutListMark).filter((sentence) =>
    isRequest(sentence.replaceAll(WITHHELD, "")) && !PASTED.test(sentence) && !isPrinted(sentence)
  );
}

/** Drops headings, which request nothing; unless there is nothing else, or it is the title of the whole. */
function withoutHeadings(text: string): string {
  const rest = text.replace(/^\s*# /, "").replace(/^ {0,3}#{1,6} .*$/gm, "");
  return rest.trim() === "" ? text : rest;
}

/** 'It fails in CI, never here. log:' without 'log:'. */
function withoutLead(sentence: string): string[] {
  const lead = sentence.slice(0, -1);
  const before = lead.replace(/[.,;!?](?: [^\s.,;!?]+){1,4}$/, "");
  const rest = wordCount(before) >= LEAD_WORDS_MIN ? before : lead;
  return wordCount(rest) >= LEAD_WORDS_MIN ? [rest] : [];
}

const LEAD_WORDS_MIN = 5;
/** 'The refunds page.' introduces the next sentence, a greeting does not. */
const LEAD_IN_WORDS_MIN = 3;

function withoutListMark(sentence: string): string {
  return sentence.replace(/^(?:[-*+•]|\d{1,3}[.)]|#{1,6}) /, "");
}
