/**
 * The gates of surfacing that need the prompt alone, cheap ones first; the first that matches keeps
 * Sage silent. Apart from surfacing.ts, so that a refusal loads nothing else.
 */
import { lazy } from "../../base/memoize.ts";
import { isAscii, lazyPattern, patternFor } from "../../base/text/pattern.ts";
import { fold, hasQuestionMark } from "../../base/text/text.ts";
import { isCyrillic } from "../../base/text/cyrillic.ts";
import { isUnspaced, replaceRuns, unspacedLength } from "../../base/text/unspaced.ts";
import { russianWords } from "../../detect/phrases/russian.ts";
import { bigramsIn, unspacedWords, withUnspaced } from "../../detect/phrases/unspaced.ts";

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
/** How much is read, at both ends: a long prompt says what it is about before or after what was pasted. */
const PROMPT_CHARACTERS_MAX = 4000;

/** Words that keep a conversation going: a prompt of nothing else asks for nothing. */
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
 * The same in scripts without spaces. Where one begins another the longer is listed first, and
 * nothing is tried twice: 明白了 is also 明白 and 了, and a row of them could be read in 2^n ways.
 */
const UNSPACED = lazy(() => {
  const words = unspacedWords("gates.courtesies").toSorted((a, b) => b.length - a.length);
  return new RegExp(`^(?:(?=(${words.join("|")}))\\1[\\s,.!、。]*)+$`);
});
/** Of Russian ones, with English among them; `поехали дальше` is also one and the other. */
const CYRILLIC = lazy(() => {
  const words = [...russianWords("gates.courtesies", "|"), ...COURTESIES]
    .toSorted((a, b) => b.length - a.length);
  return new RegExp(`^(?:(?=((?:${words.join("|")})(?:[\\s,.!)]+|$)))\\1)+$`);
});
const CONVERSATIONAL_CHARACTERS_MAX = 200;

/**
 * Orders to act on what lies in front: the agent knows what it works on. None that reach beyond the
 * folder or remove something: before `deploy`, `delete` or `move` a note should be read.
 */
const EXECUTING = withUnspaced(
  "gates.executing",
  /^(?:(?:please|now|ok(?:ay)?|then)[\s,]+)*(?:run|rerun|execute|commit|format|lint|build|remove|rename|revert|undo|squash|rebase|amend|stash|apply|fix (?:it|this|that|them)|try again|retry|continue|go on|do (?:it|that|this)|make (?:it|that) so|show me the diff)\b/,
);
/**
 * Orders to reshape what lies in front: "turn this if chain into a switch". Not those that ask for a shape
 * which a note may describe: "convert this class to our result type".
 */
const RESHAPING = lazyPattern(
  String.raw`^(?!.*\b(?:our|we|us|usual|conventions?|style|like|same)\b)` +
    String.raw`(?:(?:please|now|ok(?:ay)?|then)[\s,]+)*` +
    "(?:translate|sort|convert|rewrite|reformat|reflow|reorder|shorten|simplify|inline|extract|split|turn|wrap|indent|trim|flatten)" +
    String.raw`\b[^.!?\n]*\b(?:this|these|that|those)\b`,
  "",
);
/** A longer order says what it is about. */
const ORDER_CHARACTERS_MAX = 80;
/** A longer sentence was dictated, and is several. */
export const SENTENCE_CHARACTERS_MAX = 120;

/** A path begins with a slash as well, and has more of them. */
const COMMAND = /^\/[^\s/]*(?:\s|$)/;

export type Passed =
  | { readonly gate: Gate }
  /** `isShort`: too short to be understood without the prompt before it. */
  | { readonly terms: readonly string[]; readonly isShort: boolean };

/**
 * The gate that keeps Sage silent about this prompt, or the prompt's terms. `isGoingOn`: a prompt
 * of this session passed before, so a short question may continue it.
 */
export function passGates(prompt: string, isGoingOn = false): Passed {
  const text = endsOf(prompt.trim());
  if (COMMAND.test(text)) return { gate: "slash_command" };
  // Without spaces a character says as much as two or three letters.
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

/** Whether nothing specific is said beside the files mentioned: the client reads those to the agent. */
function isHandedOver(text: string): boolean {
  return text.includes("@") && specificTerms(text.replace(/(?<!\S)@\S+/g, "")).length === 0;
}

/** Whether the prompt is an order to act, and nothing behind its first sentence says more. `text`: folded. */
function isOrder(folded: string): boolean {
  if (!EXECUTING.test(folded)) return RESHAPING().test(folded);
  return folded.split(/[.!]\s+|\n\s*/).every((sentence) =>
    sentence.length < PROMPT_CHARACTERS_MIN || EXECUTING.test(sentence)
  );
}

/**
 * Whether the prompt is greetings, thanks or assent alone; of folded text. Few begin so, and only
 * those pay for the pattern.
 */
export function isConversational(folded: string): boolean {
  if (isCyrillic(folded)) return CYRILLIC().test(folded.slice(0, CONVERSATIONAL_CHARACTERS_MAX));
  if (isUnspaced(folded)) return UNSPACED().test(folded.slice(0, CONVERSATIONAL_CHARACTERS_MAX));
  return COURTESIES.some((words) => folded.startsWith(words)) &&
    CONVERSATIONAL().test(folded.slice(0, CONVERSATIONAL_CHARACTERS_MAX));
}

/** Jaccard similarity: the share of terms that two prompts have in common. */
export function jaccard(a: readonly string[], b: readonly string[]): number {
  const left = new Set(a);
  const right = new Set(b);
  const shared = [...left].filter((term) => right.has(term)).length;
  return shared / Math.max(1, left.size + right.size - shared);
}

/**
 * Noise words for a topic: question words, politeness, generic verbs of programming, and the state
 * of the work at this moment, because whether the tests passed some other day is no answer.
 */
const GENERIC = new Set(
  ("about after again also another anything back because been before being between both bring came come could does doing done " +
    "down each even every everything first from gets give goes going good have having help here into just keep know last later like " +
    "look made make many maybe more most much must need never next nothing okay once only other over please quite really right same " +
    "seems shall should show some something soon still such sure take tell than that them then there these they thing things think " +
    "this those time together under until upon used using very want well were what when where which while will with without work " +
    "would your code file files test tests function line lines change changes write read update create implement check explain " +
    "ahead already commit commits committed committing continue continuing done fail failing fails finish finished fixed iterate iterating pass passed passes passing push pushed pushing worked working works " +
    // In capitals they look like abbreviations.
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
  for (const pair of bigramsIn(fold(prompt))) terms.add(pair);
  const rest = replaceRuns(prompt, () => "");
  for (const match of rest.matchAll(patternFor(rest, String.raw`[\p{L}\p{N}_./-]+`, "gu"))) {
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

/** A single character of these scripts can be a word. */
const CJK = lazyPattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]`,
  "u",
);
