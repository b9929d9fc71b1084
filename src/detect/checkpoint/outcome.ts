/**
 * How well a sentence says what came of its exchange, among the sentences of one answer: the verdict, the
 * cause or the overview, rather than one of six items or how the checks went. A logistic model, fitted on what
 * readers chose from answers of agents (docs/decisions/0170). Which answer concludes is another matter
 * (extract.ts).
 */
import { saturate } from "../trigger/measures.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { stemsOf, termsOf } from "../text/sentences.ts";
import { wordsIn } from "../text/shape.ts";
import { chanceOf, type Features } from "../trigger/signal.ts";
import { OUTCOME_WEIGHTS } from "./outcome_weights.ts";
import type { Salient } from "./salience.ts";
import { instructs, narrates } from "./worth.ts";

/** 'Root cause: …', 'The fix is …', 'In short, …': announces that it is the outcome. */
const VERDICT = phrasePattern("outcome.verdict", String.raw`^\W*{}(?![\wà-ÿ])`);
const CONCLUSION_HEADING = phrasePattern("extract.conclusion_heading", "^{}", "");

/** Prefix of a conclusion that names alternatives before one is taken. */
export const OPTIONS_LABEL = "Options: ";
/** Refers to what comes before it, or tells the reader what to do. */
const POINTS = phrasePattern("title.points", String.raw`^(?:${OPTIONS_LABEL}|\W*{}\b)`);
/** How a check or a piece of work went. */
const STATE = phrasePattern("title.state", String.raw`\b{}\b`, "gi");

/** '`app.ts` — wires …', '[README.md](README.md): …', 'Step 2 - …', 'FQ-1: …'. */
const LABELLED =
  /^(?:`[^`\n]+`|\[[^\]\n]+\]\([^)\n]*\)|[\w./-]+\.[a-z]{1,4}|[A-Za-z]{1,12}[ -]\d[\d.-]*)(?: \([^()\n]{0,60}\))?(?:: | [-–—→] )/;

/** A name that is not used by chance. */
export const CODE = /`[^`\n]{2,}`|\b\w+\.[a-z]{1,4}\b|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}_\w+/;
/** Where something lies now, a commit or an address. */
const PLACE = /`?\b(?=[a-f]*\d)[\da-f]{7,40}\b`?|https?:\/\/\S+/g;
const ASIDE = /\([^()\n]*\)/g;
/** How many terms must be left to name a subject. */
const MATTER_TERMS_MIN = 2;

/** More words add nothing; fewer than the least say little. */
const LONG_WORDS = 30;
const SHORT_WORDS = 7;
const SHARED_STEMS = 3;

/** The chance that a reader chooses it, 0..1. `asked`: the request that its answer answers. */
export function tellsOutcome(salient: Salient, asked: string): number {
  return chanceOf(outcomeFeatures(salient, asked), OUTCOME_WEIGHTS);
}

export function outcomeFeatures(
  { sentence: { text, isItem, heading, position }, rankScore }: Pick<
    Salient,
    "sentence" | "rankScore"
  >,
  asked: string,
): Features {
  const { wordClasses, words } = wordsIn(text);
  return {
    "telling": rankScore,
    "first": Number(position === 0),
    "a verdict": Number(VERDICT.test(text)),
    "below a conclusion's heading": Number(headsConclusion(heading)),
    "about what was asked": saturate(stemsOf(text).intersection(stemsOf(asked)).size, SHARED_STEMS),
    "denies or limits": Number(wordClasses.not + wordClasses.closed > 0),
    "an item": Number(isItem),
    "labelled": Number(isLabelled(text)),
    "points back": Number(pointsBack(text)),
    "how it went": Number(saysHowItWent(text)),
    "narrates": Number(narrates(text)),
    "instructs": Number(instructs(text)),
    "short": Number(words < SHORT_WORDS),
    "long": saturate(words, LONG_WORDS),
  };
}

/** Whether a heading announces a conclusion: 'Result', 'Root cause'. */
export function headsConclusion(heading: string): boolean {
  return CONCLUSION_HEADING.test(heading);
}

/** Whether it begins with what it is about, as the items of a list of changes do. */
export function isLabelled(text: string): boolean {
  return LABELLED.test(text);
}

/** Whether it needs what comes before it. */
export function pointsBack(text: string): boolean {
  return POINTS.test(text);
}

/** Whether it says how a check or a piece of work went, and not of what: 'All 1216 tests pass, lint is clean.' */
export function saysHowItWent(sentence: string): boolean {
  const left = sentence.replace(PLACE, "").replace(ASIDE, "").replace(STATE, "")
    .replace(/\b\d+\b/g, "");
  return termsOf(left).size + (CODE.test(left) ? 1 : 0) < MATTER_TERMS_MIN;
}
