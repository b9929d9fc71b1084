/**
 * Which decision takes back an earlier one: it says what it turns away from, and that is what the earlier
 * one had taken. Apart from decisions.ts, because whoever lists decisions asks in two ways: all of them,
 * or those that still hold.
 */
import { patternFor } from "../base/pattern.ts";
import { isUnspaced, replaceRuns } from "../base/unspaced.ts";
import { fold, splitSentences } from "../base/text.ts";
import { namesUnspaced, onlyUnspaced, wider } from "./unspaced.ts";

export interface Told {
  readonly text: string;
  /** The uuid of the turn, to find the context again. */
  readonly turn: string;
  /** The earlier one that it takes back. */
  readonly reverses?: Told;
}

/** What stands behind these is left; what must not be done, or not yet, is not. */
const LEFT =
  /\b(?:instead of|rather than|over|away from|drop(?:s|ped)?|scrap(?:s|ped)?|no longer|(?:don['’]?t|do not|won['’]t) need|(?<!\bmust )not(?! (?:before|until|yet|only)\b)|replac(?:es?|ed|ing)|ditch(?:ed)?|abandon(?:ed)?|without|(?:switch|mov|migrat|chang)\w* from|(?:wechsel|umgestellt|migrier)\w* von|statt|anstatt|anstelle von|nicht mehr|kein(?:e|en)?|weg von|verzichten auf|en (?:vez|lugar) de|ya no|(?<=[^\s,], (?:y )?)no(?= (?:en|con|de|el|la|los|las|una?|por|para) )|(?<=[^\s,], (?:et )?)pas(?! (?:grave|encore|mal|besoin|compris|s[uû]r|vraiment|du tout|tout|trop|très|si|le temps|la peine|envie|possible|normal|clair|vu|trouvé|réussi|fini|d['’]accord|de (?:souci|problème|quoi|panique|nouvelles|réponse|chance)))|dejamos|au lieu de|plut[oô]t que?|abandonn\w*|renon[cç]\w* [aà])\s+(.{2,60})/gi;
/** The same where no space is written; in Japanese what is left stands before. */
const LEFT_UNSPACED = onlyUnspaced("reversals.left_unspaced", "g");
const LEFT_BEFORE = onlyUnspaced("reversals.left_before", "g");
/** Without a name: what was decided last about the same things does not hold any more. */
const TAKEN_BACK = wider(
  "reversals.taken_back",
  /\b(?:(?:chang\w*|chang\w* (?:my|our)) mind|after all(?! (?:the|that|these|those|this|of|my|our|your)\b)|on second thoughts?|revers\w* (?:that|this|the|our)|scrap that|(?<!\b(?:come|coming|get|getting|me|you|us|circle) )back to (?:the (?:old|previous|former|original|earlier) (?!(?:question|problem|topic|point|issue|error|bug|test|message|file|page|list)\b)|(?!(?:the|an?|my|your|this|that|these|those|it|where|what|how|when|line|page|step|work|business|basics|bed|sleep|normal|top|start|square|green|yesterday|you|me|us|them|later)\b)\w+)|revert\w* to|doch (?:lieber|nicht|wieder)|zur[uü]ck zu|anders entschieden|al final|volvemos a|cambi\w* de idea|finalement|revenons|chang\w* d'avis)\b/i,
);
/** Where what was taken ends and reasons or what was left begin. */
const TAKEN_UNTIL = wider(
  "reversals.taken_until",
  /\b(?:over|instead of|rather than|because|since|so that|as it|not|without|statt|anstatt|weil|damit|da|nicht|en vez de|en lugar de|porque|ya que|au lieu de|plut[oô]t que?|parce que|puisque|car)\b|[;:–—]/i,
);
const WORDS_LEFT = 5;
/** Of what is taken back, where it is told. */
export const REVERSED_CHARACTERS_MAX = 120;
/** So many words in common make it the same matter, where nothing is named. */
const SAME_MATTER = 2;

/** The same decisions, in order; one that takes back another says which. */
export function withReversals<T extends Told>(decisions: readonly T[]): T[] {
  const linked: T[] = [];
  /** What each took, read once: most turn away from nothing, and what they took is asked for often. */
  const took: Set<string>[] = [];
  for (const decision of decisions) {
    const turn = turnIn(decision.text);
    const earlier = turn === undefined
      ? undefined
      : linked.findLast((one, i) =>
        one.turn !== decision.turn &&
        takesBack(turn, one.text, () => took[i] ??= takenIn(one.text))
      );
    linked.push(earlier === undefined ? decision : { ...decision, reverses: earlier });
  }
  return linked;
}

/** Those that no later one took back. */
export function standing<T extends Told>(decisions: readonly T[]): T[] {
  const gone = new Set(decisions.flatMap(({ reverses }) => reverses?.text ?? []));
  return decisions.filter(({ text }) => !gone.has(text));
}

/**
 * The same across sessions, where much more was decided: both must share two names, or what is left must
 * have a name of its own.
 */
export function reversesEarlier(later: string, earlier: string): boolean {
  if (common(later, earlier) >= SAME_MATTER) {
    return reverses({ text: later, turn: "" }, { text: earlier, turn: "" });
  }
  return correctsFigure(later, earlier) || leavesByName(later, earlier);
}

/** Whether what it leaves and the earlier one took has a name of its own. */
function leavesByName(later: string, earlier: string): boolean {
  const shared = leftBehind(later).intersection(takenIn(earlier));
  return wordsOf(later).some((word) => word !== word.toLowerCase() && shared.has(fold(word)));
}

/** Between what holds and what was left, or before what somebody left. */
const INSTEAD = wider(
  "reversals.instead",
  /\b(?:instead of|rather than|statt|anstatt|anstelle von|en (?:vez|lugar) de|au lieu de|plut[oô]t que?|(?:we|i)(?:'ve| have)? (?:dropped|ditched|abandoned)(?! (?:from|by|off|out|me|my|packets|connections)\b|.* by (?:mistake|accident)\b)|ya no(?= (?:l[oa]s? |se )?(?:us|necesit|quer|quier|soport|depend|vamos a|hac))|dejamos(?! (?:(?:esto|eso|lo) )?(?:aqu[ií]|por|para) )|abandonn\w*|renon[cç]\w* [aà])\b|[^\s,], (?:and |und |y |et )?(?:not|nicht|kein(?:e|en)?|no|pas)\s/i,
);

/**
 * Whether a sentence that decides nothing turns away from something: "pnpm, not npm". "Run it without
 * Redis" and "the problem is not Redis" leave Redis where it is.
 */
export function turnsAway(statement: string): boolean {
  return INSTEAD.test(statement) && leaves(statement) && takenIn(statement).size > 0;
}

/** Whether it turns away from something that a text names. */
export function turnsAwayFrom(statement: string, text: string): boolean {
  const names = namesIn(text);
  // Of a reply told with what it takes up, each part says its own.
  return statement.split(/ → |(?<=[.;]) /).some((part) => !leftBehind(part).isDisjointFrom(names));
}

/** Whether it says that something is taken after all, whatever it names. */
export function turnsBack(statement: string): boolean {
  return TAKEN_BACK.test(statement);
}

/** Whether it says what it turns away from. */
export function leaves(statement: string): boolean {
  return leftBehind(statement).size > 0 || figuresIn(statement) !== undefined;
}

/** '6 characters, not 7': of one or two digits they are no names, and all that differs. */
const FIGURES =
  /(?<![\w.,:])(\d{1,2})(?: ?[%€$]| [^\s\d,.;:]+){0,2},? (?:and |und |y |et )?(?:not|nicht|no|pas|instead of|rather than|statt|en vez de|au lieu de)(?: the| die| der| das)? (\d{1,2})(?![\w:]|[.,]\d)/i;

function figuresIn(text: string): { readonly left: string; readonly next: string } | undefined {
  const [, next = "", left = ""] = FIGURES.exec(text) ?? [];
  return left === next ? undefined : { left, next };
}

/** Whether an earlier text says the figure that was left of the same things, and not the one that holds. */
function correctsFigure(later: string, earlier: string): boolean {
  const figures = figuresIn(later);
  if (figures === undefined) return false;
  const said: readonly string[] = earlier.match(/(?<![\w.,:])\d{1,2}(?![\w:]|[.,]\d)/g) ?? [];
  return said.includes(figures.left) && !said.includes(figures.next) &&
    thingsIn(later).intersection(thingsIn(earlier)).size >= SAME_MATTER;
}

/** Names, of one or of many: 'slugs have' and 'a slug has'. */
function thingsIn(text: string): Set<string> {
  return new Set([...namesIn(text)].map((name) => name.replace(/(?<=...)(?:e?s|e?n)$/, "")));
}

/** Behind these stands a reason: it names what was left as well, and takes nothing back. */
const REASON = wider(
  "reversals.reason",
  /\b(?:because|since|so that|as it|weil|da|damit|porque|ya que|parce que|puisque|car)\b/i,
);
/** Of a sentence that says how it is not, or would be: nobody took that. */
const NO_STATEMENT = wider(
  "reversals.no_statement",
  /n't\b|\b(?:not|never|no|nor|would|could|might|if|unless|nicht|kein\w*|nie|w[uü]rde\w*|k[oö]nnte\w*|falls|nunca|ser[ií]a\w*|podr[ií]a\w*|jamais|pas|serait|pourrait)\b/i,
);

/** Behind it stands what was not taken, or why: "SQLite, not Redis: links must never be lost". */
const ASIDE = /[;:–—]\s|,\s(?:and |und |y |et )?(?:not|nicht|kein(?:e|en)?|no|pas)\s/i;

/** A sentence up to its reason. */
export function withoutReason(sentence: string): string {
  return sentence.split(REASON)[0] ?? "";
}

/** Whether a sentence says how something is, and not how it is not, or would be. */
export function isStatement(sentence: string): boolean {
  const [first = ""] = sentence.split(ASIDE);
  return !NO_STATEMENT.test(withoutReason(first));
}

/** The sentence of a text that a statement takes back, where it says what it turns away from. */
export function takenBackBy(statement: string, text: string): string | undefined {
  const turns = splitSentences(statement).map(withoutReason).filter(leaves);
  if (turns.length === 0) return undefined;
  return splitSentences(text).find((one) =>
    isStatement(one) && turns.some((turn) => reversesEarlier(turn, one) && !agree(turn, one))
  );
}

/** Whether both turn away from the same, and the later one from nothing else that has a name. */
function agree(later: string, earlier: string): boolean {
  return !leftBehind(later).isDisjointFrom(leftBehind(earlier)) && !leavesByName(later, earlier);
}

export function reverses(later: Told, earlier: Told): boolean {
  const turn = turnIn(later.text);
  return turn !== undefined && takesBack(turn, earlier.text);
}

/** What a text turns away from. */
interface Turn {
  readonly text: string;
  readonly left: ReadonlySet<string>;
  /** It says so, whatever it names. */
  readonly isSaid: boolean;
}

/** Undefined where it turns away from nothing. */
function turnIn(text: string): Turn | undefined {
  const turn = { text, left: leftBehind(text), isSaid: TAKEN_BACK.test(text) };
  return turn.isSaid || turn.left.size > 0 || figuresIn(text) !== undefined ? turn : undefined;
}

/** `took`: what the earlier text had taken. */
function takesBack(
  { text, left, isSaid }: Turn,
  earlier: string,
  took = (): Set<string> => takenIn(earlier),
): boolean {
  return !left.isDisjointFrom(took()) ||
    isSaid && common(text, earlier) >= SAME_MATTER || correctsFigure(text, earlier);
}

/** Whoever drops something has not taken it: to say so twice takes nothing back. */
export function takenIn(text: string): Set<string> {
  return namesIn(text.split(TAKEN_UNTIL)[0] ?? "").difference(leftBehind(text));
}

function leftBehind(text: string): Set<string> {
  const unspaced = isUnspaced(text)
    ? [LEFT_UNSPACED, LEFT_BEFORE].flatMap((form) => [...form.all(text)])
    : [];
  return new Set([...text.matchAll(LEFT), ...unspaced].flatMap(([, behind = ""]) => [
    ...namesIn(behind.split(TAKEN_UNTIL)[0]?.split(/\s+/).slice(0, WORDS_LEFT).join(" ") ?? ""),
  ]));
}

/** How many names both have. */
function common(a: string, b: string): number {
  return namesIn(a).intersection(namesIn(b)).size;
}

/** Words that can name what was decided on: no verbs of deciding, no small words. */
export function namesIn(text: string): Set<string> {
  const folded = fold(text);
  const names = wordsOf(folded).filter((word) => word.length >= 3 && !SMALL.has(word));
  return new Set(isUnspaced(folded) ? [...names, ...namesUnspaced(folded)] : names);
}

function wordsOf(text: string): string[] {
  const rest = isUnspaced(text) ? replaceRuns(text, () => "") : text;
  const words = rest.match(patternFor(rest, String.raw`[\p{L}\p{N}][\p{L}\p{N}_.-]*`, "gu")) ?? [];
  return words.map((word) => word.replace(/\.$/, ""));
}

const SMALL = new Set(
  ("the and for our out now all its was are has had have will with that this they them then than one two " +
    "let lets we'll i'll choose chose chosen decide decided decision picked pick settle settled going went " +
    "goes stick use using used take taken taking keep keeping approved plan prefer preferred both only just " +
    "wir nehmen haben uns fur entschieden bleiben bleibt bei der die das den dem ein eine einen und mit " +
    "elegimos decidimos vamos usar con los las una que del por prenons gardons choisi avons avec les des " +
    "pour une dans first second third other way option").split(" "),
);
