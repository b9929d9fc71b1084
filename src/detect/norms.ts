/**
 * What shall be, and what was or is to be done just now. A person decides by saying how a thing is to be; an
 * order of the moment, and what went wrong, look the same and are worth nothing later. Apart from orders.ts
 * and preferences.ts, which settle something by themselves: here a sentence is asked that settles something by
 * its place.
 */
import { phrasePattern, WHOLE_WORD } from "./phrase_patterns.ts";
import { namesIn } from "./reversals.ts";
import { termsOf, wordCount } from "./sentences.ts";

/** How it is to be, or that it is so for a while, by default, or only. */
const SHALL = phrasePattern("norms.shall", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);
/** What is expected of what was just done: 'it should work now'. */
const EXPECTED = phrasePattern("norms.expected", WHOLE_WORD);

/** Whether a sentence says how something is to be, and not only what to do next. */
export function isNormative(said: string): boolean {
  return SHALL.test(said) && !EXPECTED.test(said) && !isExample(said) &&
    !reportsObservation(said) &&
    !hasTitle(said);
}

/** 'Listening Address: Change it to …' has a title, as what is handed over from elsewhere has. */
export function hasTitle(said: string): boolean {
  return LABELLED.test(said);
}

const LABELLED = /^(?:[A-Z][\w-]{0,30} ){1,4}[\w-]{0,30}: [A-Z]/;

/** It shows what is meant by what was said before. */
const EXAMPLE = phrasePattern("norms.example", String.raw`^(?:\S+ )?{}(?![\wà-ÿ])`);

/** Whether a person tells what they met with, and not how it is to be. */
export function reportsObservation(said: string): boolean {
  return MET.test(said);
}

/** 'I still see the old one', 'it looks wrong for some reason'. */
const MET = phrasePattern("norms.met", WHOLE_WORD);

/** What the agent did, or was to do: 'you edited the wrong file', 'i only asked for a plan'. */
const REPROACHES = phrasePattern(
  "norms.reproaches",
  String.raw`^(?:{norms.reproaches_after}[,.]? )*{}(?![\wà-ÿ])`,
);

/** Whether a person tells the agent what it did or is doing, which is over with this moment. */
export function criticizesAgent(said: string): boolean {
  return REPROACHES.test(said);
}

/** 'It should be blue' says nothing without what was spoken of. */
export function isAnaphoric(said: string): boolean {
  return POINTS.test(said);
}

const POINTS = phrasePattern("norms.points", "^{}");

const MUST = phrasePattern("norms.must", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);
const WISHES = phrasePattern("norms.wishes", "^{}");
const UNNAMED = phrasePattern("norms.unnamed", "^{}");
const UNSURE = phrasePattern("norms.unsure", WHOLE_WORD);
/** Whether what a sentence is about stands in another one, or is who says it. */
export function lacksNamedSubject(said: string): boolean {
  return UNNAMED.test(said);
}

/** So much says what is meant. */
const RULE_TERMS_MIN = 4;
const RULE_WORDS_MAX = 40;

/**
 * Whether a sentence by itself says how a thing that it names must be: 'invoices must keep the discount they were
 * made with'. 'It should be blue' says nothing without what was spoken of.
 */
export function statesRule(said: string): boolean {
  return (MUST.test(said) && !UNNAMED.test(said) || WISHES.test(said)) && !UNSURE.test(said) &&
    isNormative(said) && hasEnoughTerms(said) && wordCount(said) <= RULE_WORDS_MAX;
}

/** Whether it names what it is about. */
export function hasEnoughTerms(said: string): boolean {
  return termsOf(said).size >= RULE_TERMS_MIN;
}

const REASON = phrasePattern("decisions.reason", WHOLE_WORD);

/** Whether a sentence gives its reason; such decisions are worth more. */
export function hasReason(text: string): boolean {
  return REASON.test(text);
}

const NOT_DECIDED = phrasePattern("decisions.not_decided", String.raw`\?\s*$|\b{}\b`);

/** 'We keep the old ones, don't we', 'which one did we choose': who asks, or doubts it, has settled nothing. */
const DOUBTED = phrasePattern(
  "decisions.doubted",
  String
    .raw`, {decisions.asked_behind}\b[^,.;]*$|{}|^(?:{decisions.asks_first}[,.]? )*{decisions.asks_after}(?![\wà-ÿ])`,
);

/** Whether it leaves open what it names, or hangs on something. */
export function isUndecided(text: string): boolean {
  return NOT_DECIDED.test(text);
}

/** Whether who says it asks, or doubts it. */
export function isDoubted(said: string): boolean {
  return DOUBTED.test(said);
}

/** Whether it only shows what was meant by something else. */
export function isExample(said: string): boolean {
  return EXAMPLE.test(said);
}

/** 'We don't need that there. right?': what is asked behind it, in a word or two. */
export function hasTagQuestion(text: string, whole: string): boolean {
  const at = whole.indexOf(text);
  return at >= 0 && TAG.test(whole.slice(at + text.length));
}

const TAG = /^[\s.,!]{0,8}[^\s.,!?]{1,20}(?: [^\s.,!?]{1,20})?\?/;

const BARE = phrasePattern("norms.bare", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`, "gi");

/** Whether somebody takes something and nobody learns what: 'let's go with option 2'. */
export function lacksNames(said: string): boolean {
  return wordCount(said) <= BARE_WORDS_MAX && namesIn(said.replace(BARE, "")).size === 0;
}

const BARE_WORDS_MAX = 10;
