/**
 * What waits for somebody else, and what has a deadline, as people mention it in passing: 'Ana has to sign
 * off first', 'has to be out by the 14th'. Nobody asked for it, but whoever continues without knowing it
 * ships too early or too late.
 */
import { isAskedAtEnd, splitSentences, splitTyped } from "../../base/text/text.ts";
import type { Exchange } from "../text/exchanges.ts";
import { phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { isTypedQuestion, type Sentence, withPreceding } from "../text/sentences.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";

/** The beginning of a clause, after any introduction. */
const CLAUSE = String.raw`(?:^|[.,;:!–—] |(?<![\wà-ÿ]){waits.and} )`;
/** A whole word, in any script. */
const WHOLE = String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`;
/** Each line has a group `who`: the person or body to wait for. */
const WAITS = phrasePattern("waits.for_others", `${CLAUSE}{}`).prefilteredBy(
  phrasePattern("waits.sign"),
);
/** The same in languages without spaces; cheap, so there is no prefilter. */
const WAITS_UNSPACED = unspacedPattern("waits.for_others_unspaced");
const SUPPOSED = phrasePattern("waits.supposed", WHOLE);

/**
 * Somebody goes to ask, or asked in vain. Whom is matched afterwards, because names are expensive to match.
 */
const GOES = phrasePattern("waits.goes", `${CLAUSE}{}`).prefilteredBy(
  phrasePattern("waits.goes_sign"),
);
const ANYBODY = phrasePattern("waits.anybody", String.raw`^{}(?![\wà-ÿ])`);
const KNOWN = phrasePattern("waits.known", String.raw`^{}(?![\wà-ÿ])`);
const BODY = phrasePattern("waits.body", String.raw`^{}(?![\wà-ÿ])`);
/** What is to be asked may follow ('ask Dana whether …') … */
const SAYS_WHICH = phrasePattern("waits.says_which", WHOLE_WORD);
/** … or come before ('ask Dana about that'). */
const POINTS_BACK = phrasePattern("questions.points_back", "^(?: [a-z]+)? {}(?=$|[.,;!])");
/** … and so is what is only put off to a day: 'I'll ask Dana on monday'. */
const ONLY_WHEN = phrasePattern("waits.day", String.raw`^(?: (?:[a-z]+ )?{})?(?=$|[.,;!])`);

/** Who does what on which day: 'Aylin uploads it on friday'. */
const DUTY = phrasePattern("waits.duty", `${CLAUSE}{}`)
  .prefilteredBy(phrasePattern("waits.duty_sign", WHOLE));

/** A day, where something is due: people name days all the time. */
const DAY = phrasePattern("waits.day", WHOLE)
  .prefilteredBy(phrasePattern("waits.due_sign"));
/** A date by which something has to be done. Something monthly is how a program works. */
const DUE = phrasePattern("waits.due", WHOLE).prefilteredBy(DAY);
const REPEATED = phrasePattern("waits.repeated", WHOLE);

/** Whether a statement that something is open names a wait or a deadline. */
export function namesWaitOrDeadline(text: string): boolean {
  return isDue(text) || waitsFor(text) !== undefined;
}

function isDue(text: string): boolean {
  const found = DUE.exec(text);
  return found !== null && !isTypedQuestion(text) && !REPEATED.test(text) &&
    !isHypothetical(text, found);
}

/** Whether the sentence up to the match is a supposition. */
function isHypothetical(text: string, { index }: RegExpExecArray): boolean {
  return SUPPOSED.test(text.slice(0, index + 1).split(/[.;!?]/).at(-1) ?? "");
}

/** Whom a sentence says to wait for; undefined if nobody. */
function waitsFor(text: string): string | undefined {
  return namedIn(text)?.replace(CASE, "");
}

/** Case endings: 'жду апрув от Марины', and then 'Марина апрувнула'. */
const CASE = /(?<=[а-яё]{3})(?:[аеийоуыьюя]{1,2}|ами?|о[вм])$/;

function namedIn(text: string): string | undefined {
  const found = WAITS_UNSPACED.exec(text) ?? WAITS.exec(text);
  const who = found === null || isHypothetical(text, found) ? undefined : found.groups?.who;
  return isTypedQuestion(text)
    ? undefined
    : who?.toLowerCase() ?? asksOf(text)?.who ?? dutyIn(text);
}

/** Who has to do something by a day. */
function dutyIn(text: string): string | undefined {
  const found = DUTY.exec(text);
  if (found === null || REPEATED.test(text) || isHypothetical(text, found)) return undefined;
  return KNOWN.exec(found.groups?.who ?? "")?.[0].toLowerCase();
}

interface Asking {
  readonly who: string;
  /** What follows the name, where somebody goes to ask them. */
  readonly behind?: string;
}

/** Whom the person goes to ask, asked in vain, or otherwise waits for. */
function asksOf(text: string): Asking | undefined {
  const found = GOES.exec(text);
  if (found === null || isTypedQuestion(text) || isHypothetical(text, found)) return undefined;
  const { who, known, body, goes } = found.groups ?? {};
  const [name] = (body === undefined ? KNOWN.exec(known ?? who ?? "") : BODY.exec(body)) ??
    (who === undefined ? null : ANYBODY.exec(who)) ?? [];
  if (name === undefined) return undefined;
  const behind = goes && text.slice(text.indexOf(goes) + goes.length + name.length);
  return { who: name.toLowerCase(), ...(behind === undefined ? {} : { behind }) };
}

/**
 * With the question that is to be asked, if it stands before the sentence or was asked right before: 'does the
 * backend dedupe?', and then 'need to ask Leona about that'.
 */
export function withQuestion(sentence: Sentence, exchanges: readonly Exchange[]): string {
  const { text, turn, turnIndex } = sentence;
  const behind = asksOf(text)?.behind;
  if (behind === undefined) return text;
  const pointsBack = POINTS_BACK.test(behind) || ONLY_WHEN.test(behind);
  if (!pointsBack && SAYS_WHICH.test(behind)) return text;
  const typed = splitTyped(turn.text);
  const own = typed.findIndex((one) => one.toLowerCase().includes(text.toLowerCase()));
  const asked = fromQuestion(typed.slice(0, own));
  if (asked !== "") return `${asked} ${typed[own]}`;
  if (own !== 0 || !pointsBack) return withPreceding(sentence);
  const { prompt, answer } = exchanges.findLast(({ start }) => start < turnIndex) ?? {};
  const matter = fromQuestion(splitTyped(prompt?.text ?? "")) ||
    (splitSentences(answer?.text ?? "").findLast(isAskedAtEnd) ?? "");
  return [matter, text].filter((part) => part !== "").join(" → ");
}

/** From the last question on. */
function fromQuestion(typed: readonly string[]): string {
  const at = typed.findLastIndex((one) => isTypedQuestion(one));
  return at < 0 ? "" : typed.slice(at).join(" ");
}

/** Whether a person said it and no later prompt mentions whom it waits for ('marta said ok'). */
export function isStillWaiting(
  { text, turn, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
): boolean {
  if (turn.role !== "user") return false;
  const who = waitsFor(text);
  return isDue(text) || who !== undefined &&
      !exchanges.some(({ start, prompt }) =>
        start > turnIndex && prompt !== undefined && prompt.text.toLowerCase().includes(who) &&
        waitsFor(prompt.text) !== who
      );
}
