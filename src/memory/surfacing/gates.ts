/**
 * The gates in front of surfacing, as far as the prompt alone decides. Cheap ones first; the first
 * that matches keeps Sage silent. Apart from surfacing.ts, so that a refusal loads nothing else.
 */
import { lazy } from "../../base/memoize.ts";
import { isAscii, lazyPattern, pattern } from "../../base/pattern.ts";
import { fold, hasQuestionMark } from "../../base/text.ts";
import { isUnspaced, replaceRuns, unspacedLength } from "../../base/unspaced.ts";
import { pairsIn, wider, wordsOf } from "../../detect/unspaced.ts";

export type Gate =
  | "off"
  | "short"
  | "slash_command"
  | "conversational"
  | "no_specific_term"
  | "mode"
  | "same_topic"
  | "nothing_relevant"
  | "shown_before";

const PROMPT_CHARACTERS_MIN = 20;
/** What is looked at: a longer prompt says what it is about in front of what was pasted, or behind it. */
const PROMPT_CHARACTERS_MAX = 4000;

/** What keeps a conversation going: a prompt of nothing else asks for nothing. */
const COURTESIES = [
  ...["ok", "okay", "yes", "yeah", "yep", "no", "nope", "sure", "thank", "thanks", "thank you"],
  ...["great", "perfect", "nice", "cool", "awesome", "good", "sounds good", "looks good", "lgtm"],
  ...["got it", "go ahead", "please", "continue", "do it", "proceed", "well done", "hello", "hi"],
  ...["hey", "good morning", "good evening", "danke", "super", "gut", "weiter", "vielen dank"],
  ...["merci", "merci beaucoup", "parfait", "d'accord", "oui", "bonjour", "gracias", "vale"],
  ...["muchas gracias", "perfecto", "de acuerdo", "adelante", "hola", "obrigado", "obrigada"],
  ...["muito obrigado", "perfeito", "de acordo", "grazie", "grazie mille", "perfetto", "va bene"],
  ...[
    "valeu",
    "beleza",
    "blz",
    "sim",
    "isso mesmo",
    "ta bom",
    "ta certo",
    "pode ser",
    "pode seguir",
  ],
  ...["manda bala", "muito obrigada", "bom dia", "boa tarde", "boa noite", "otimo", "combinado"],
];
const CONVERSATIONAL = lazyPattern(
  String.raw`^(?:(?:${
    COURTESIES.join("|")
  })[\s,.!、。]*)+(?:that'?s? (?:great|perfect|it|all|good)|` +
    "that (?:looks|sounds) (?:good|great|right)|(?:very|so) much|for (?:now|that|your help))?" +
    String.raw`[\s,.!]*$`,
  "",
);
/**
 * The same where no space parts words. Of two that begin alike the longer one, and no second try: 明白了 is
 * also 明白 and 了, and a row of it could be read in 2^n ways.
 */
const UNSPACED = lazy(() => {
  const words = wordsOf("gates.courtesies").toSorted((a, b) => b.length - a.length);
  return new RegExp(`^(?:(?=(${words.join("|")}))\\1[\\s,.!、。]*)+$`);
});
const CONVERSATIONAL_CHARACTERS_MAX = 200;

/**
 * Orders to act on what lies in front: the agent knows what it works on. Not those that may reach beyond
 * the folder or take something away: before `deploy`, `delete`, `move` a note wants to have been read.
 */
const EXECUTING = wider(
  "gates.executing",
  /^(?:(?:please|now|ok(?:ay)?|then)[\s,]+)*(?:run|rerun|execute|commit|format|lint|build|remove|rename|revert|undo|squash|rebase|amend|stash|apply|fix (?:it|this|that|them)|try again|retry|continue|go on|do (?:it|that|this)|make (?:it|that) so|show me the diff)\b/,
);
/** A longer one tells what it is about. */
const ORDER_CHARACTERS_MAX = 80;
/** A longer one was dictated, and is several. */
export const SENTENCE_CHARACTERS_MAX = 120;

/** A path begins with a slash as well, and has more of them. */
const COMMAND = /^\/[^\s/]*(?:\s|$)/;

export type Passed =
  | { readonly gate: Gate }
  /** `isShort`: says enough only together with the prompt before it. */
  | { readonly terms: readonly string[]; readonly isShort: boolean };

/**
 * The gate that keeps Sage silent about this prompt, or the terms of what it is about. `isGoingOn`: the session
 * had a prompt that passed, and a short question may go on from there.
 */
export function passGates(prompt: string, isGoingOn = false): Passed {
  const text = endsOf(prompt.trim());
  if (COMMAND.test(text)) return { gate: "slash_command" };
  // Where no spaces are written a character says as much as two or three letters.
  const isShort = text.length + unspacedLength(text) < PROMPT_CHARACTERS_MIN;
  if (isShort && !(isGoingOn && hasQuestionMark(text))) return { gate: "short" };
  const folded = fold(text);
  if (isConversational(folded)) return { gate: "conversational" };
  const terms = specificTerms(text);
  if (terms.length === 0 || isHandedOver(text)) return { gate: "no_specific_term" };
  const mayBeOrder = text.length < ORDER_CHARACTERS_MAX && !hasQuestionMark(text);
  if (mayBeOrder && isOrder(folded)) return { gate: "mode" };
  return { terms, isShort };
}

function endsOf(text: string): string {
  if (text.length <= PROMPT_CHARACTERS_MAX) return text;
  const half = PROMPT_CHARACTERS_MAX / 2;
  return `${text.slice(0, half)}\n${text.slice(-half)}`;
}

/** Whether nothing specific is said beside the files that are mentioned: the client reads those to the agent. */
function isHandedOver(text: string): boolean {
  return text.includes("@") && specificTerms(text.replace(/(?<!\S)@\S+/g, "")).length === 0;
}

/** Whether the first sentence is one, and none behind it says more; of folded text. */
function isOrder(folded: string): boolean {
  if (!EXECUTING.test(folded)) return false;
  return folded.split(/[.!]\s+|\n\s*/).every((sentence) =>
    sentence.length < PROMPT_CHARACTERS_MIN || EXECUTING.test(sentence)
  );
}

/**
 * Greetings, thanks, assent, and nothing else; of folded text. Most prompts begin otherwise, and are
 * spared a pattern that takes longer to make than to ask.
 */
export function isConversational(folded: string): boolean {
  if (isUnspaced(folded)) return UNSPACED().test(folded.slice(0, CONVERSATIONAL_CHARACTERS_MAX));
  return COURTESIES.some((words) => folded.startsWith(words)) &&
    CONVERSATIONAL().test(folded.slice(0, CONVERSATIONAL_CHARACTERS_MAX));
}

/** The share of terms that two prompts have in common. */
export function jaccard(a: readonly string[], b: readonly string[]): number {
  const left = new Set(a);
  const right = new Set(b);
  const shared = [...left].filter((term) => right.has(term)).length;
  return shared / Math.max(1, left.size + right.size - shared);
}

/**
 * Words that say nothing about a topic. Question words, politeness, generic verbs of our trade, and what is asked
 * of the state that the work is in at this moment: whether tests passed and all was pushed some other day is no answer.
 */
const GENERIC = new Set(
  ("about after again also another anything back because been before being between both bring came come could does doing done " +
    "down each even every everything first from gets give goes going good have having help here into just keep know last later like " +
    "look made make many maybe more most much must need never next nothing okay once only other over please quite really right same " +
    "seems shall should show some something soon still such sure take tell than that them then there these they thing things think " +
    "this those time together under until upon used using very want well were what when where which while will with without work " +
    "would your code file files test tests function line lines change changes write read update create implement check explain " +
    "ahead already commit commits committed committing continue continuing done fail failing fails finish finished fixed iterate iterating pass passed passes passing push pushed pushing worked working works " +
    // Shouted, they look like the short name of something.
    "all and any are but can did do for go has how if in is it its let me my new no not now of off on ok or our out see set so stop the to too try up use via was way we who why yep yes you yup")
    .split(" "),
);

/** The specific words of a prompt: identifiers, names, and words of four letters or more. */
export function specificTerms(prompt: string): string[] {
  const terms = new Set<string>();
  if (isAscii(prompt)) {
    for (const word of prompt.match(/[A-Za-z0-9_./-]+/g) ?? []) addTerm(terms, word);
    return [...terms];
  }
  for (const pair of pairsIn(fold(prompt))) terms.add(pair);
  const rest = replaceRuns(prompt, () => "");
  for (const match of rest.matchAll(pattern(String.raw`[\p{L}\p{N}_./-]+`, "gu"))) {
    addTerm(terms, match[0]);
  }
  return [...terms];
}

function addTerm(terms: Set<string>, found: string): void {
  const word = found.replace(/^[./-]+|[./-]+$/g, "");
  const folded = fold(word);
  const isPlain = isAscii(word);
  const isIdentifier = /[_./0-9]|[a-z][A-Z]/.test(word) && (!isPlain || /[A-Za-z]/.test(word));
  const isShort = !isPlain && CJK().test(word);
  const enough = word.length >= (isIdentifier ? 3 : 4) && !isGeneric(folded);
  if (isShort || enough || /^[A-Z]{2,}$/.test(word) && !isGeneric(folded)) terms.add(folded);
}

/** `committed/pushed` is no path. */
function isGeneric(word: string): boolean {
  return GENERIC.has(word) ||
    word.includes("/") && word.split("/").every((part) => GENERIC.has(part));
}

/** One character of these scripts can be a word. */
const CJK = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`,
  "u",
);
