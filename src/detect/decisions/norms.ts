/**
 * Normative statements: how a thing is to be. A person decides by making one; an order for the moment and a
 * fault look alike and are worth nothing later. Apart from orders.ts and preferences.ts, whose sentences
 * settle something by themselves: these settle it by where they stand.
 */
import { OPENING, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { namesIn } from "./reversals.ts";
import { termsOf, wordCount } from "../text/sentences.ts";

/** How something is to be, or that it holds for a while, by default, or alone. */
const SHALL = phrasePattern("norms.shall", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);
/** What is expected of the last change: 'it should work now'. */
const EXPECTED = phrasePattern("norms.expected", WHOLE_WORD);

/** Whether a sentence says how something is to be, not only what to do next. */
export function isNormative(said: string): boolean {
  return SHALL.test(said) && !EXPECTED.test(said) && !reportsObservation(said) &&
    !TITLED.test(said);
}

/** Text copied from elsewhere begins with a title: 'Listening Address: Change it to …'. */
const TITLED = /^(?:[A-Z][\w-]{0,30} ){1,4}[\w-]{0,30}: [A-Z]/;

/** Whether a person reports what they see, not how it is to be. */
export function reportsObservation(said: string): boolean {
  return MET.test(said);
}

/** 'I still see the old one', 'it looks wrong for some reason'. */
const MET = phrasePattern("norms.met", WHOLE_WORD);

/** A fault has a reason too, and nobody chose it: "it lets 101 through instead of 100, because …". */
const GOES_WRONG = phrasePattern(
  "decisions.goes_wrong",
  String.raw`\b{}\b.{0,200}\b{decisions.wrong_instead}\b|\b{decisions.wrong_instead} \d`,
);
const NOW = phrasePattern("decisions.now", WHOLE_WORD);

/** Whether it tells what goes wrong, not what was chosen. */
export function tellsOfFault(said: string): boolean {
  return GOES_WRONG.test(said) && !NOW.test(said);
}

/** Whether it tells of a person, as a story does. */
export function isNarrated(said: string): boolean {
  return NARRATED.test(said);
}

const NARRATED = phrasePattern("norms.narrated", "^{}");

/** 'You edited the wrong file', 'i only asked for a plan'. */
const REPROACHES = phrasePattern(
  "norms.reproaches",
  String.raw`${OPENING}{}(?![\wà-ÿ])`,
);

/** Whether a person criticizes what the agent did, which matters only for the moment. */
export function criticizesAgent(said: string): boolean {
  return REPROACHES.test(said);
}

const MUST = phrasePattern("norms.must", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);
const WISHES = phrasePattern("norms.wishes", "^{}");
const UNNAMED = phrasePattern("norms.unnamed", "^{}");
const UNSURE = phrasePattern("norms.unsure", WHOLE_WORD);
/** Whether its subject is a pronoun, or the speaker. */
export function lacksNamedSubject(said: string): boolean {
  return UNNAMED.test(said);
}

/** Enough terms to name the subject. */
const RULE_TERMS_MIN = 4;

/**
 * Whether a sentence by itself says how a thing that it names must be: 'invoices must keep the discount they
 * were made with', but not 'It should be blue'.
 */
export function statesRule(said: string): boolean {
  return (MUST.test(said) && !UNNAMED.test(said) || WISHES.test(said)) && !UNSURE.test(said) &&
    isNormative(said) && termsOf(said).size >= RULE_TERMS_MIN;
}

const REASON = phrasePattern("decisions.reason", WHOLE_WORD);

/** Whether a sentence gives its reason; such decisions are worth more. */
export function hasReason(text: string): boolean {
  return REASON.test(text);
}

const NOT_DECIDED = phrasePattern("decisions.not_decided", String.raw`\?\s*$|\b{}\b`);

/** 'We keep the old ones, don't we', 'which one did we choose': a question or a doubt settles nothing. */
const DOUBTED = phrasePattern(
  "decisions.doubted",
  String
    .raw`, {decisions.asked_behind}\b[^,.;]*$|{}|${OPENING}{decisions.asks_after}(?![\wà-ÿ])`,
);

/** Whether it is a question, leaves its matter open, or makes it depend on something. */
export function isUndecided(text: string): boolean {
  return NOT_DECIDED.test(text);
}

/** Whether its speaker asks or doubts. */
export function isDoubted(said: string): boolean {
  return DOUBTED.test(said);
}

/** Whether a question tag follows: 'We don't need that there. right?' */
export function hasTagQuestion(text: string, whole: string): boolean {
  const at = whole.indexOf(text);
  return at >= 0 && TAG.test(whole.slice(at + text.length));
}

const TAG = /^[\s.,!]{0,8}[^\s.,!?]{1,20}(?: [^\s.,!?]{1,20})?\?/;

const BARE = phrasePattern("norms.bare", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`, "gi");

/** Whether it takes something without naming it: 'let's go with option 2'. */
export function lacksNames(said: string): boolean {
  return wordCount(said) <= BARE_WORDS_MAX && namesIn(said.replace(BARE, "")).size === 0;
}

const BARE_WORDS_MAX = 10;
