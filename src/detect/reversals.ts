/**
 * Which decision takes back an earlier one: it says what it turns away from, and that is what the earlier
 * one had taken. Apart from decisions.ts, because whoever lists decisions asks in two ways: all of them,
 * or those that still hold.
 */
import { memoize } from "../base/memoize.ts";
import { patternFor } from "../base/pattern.ts";
import { isUnspaced, replaceRuns } from "../base/unspaced.ts";
import { fold, splitSentences } from "../base/text.ts";
import { phraseLines, phrasePattern, WHOLE_WORD } from "./phrase_patterns.ts";
import { inRussianList } from "./russian.ts";
import { tablesFor } from "./phrase_tables.ts";
import { namesUnspaced, type PhraseTable, unspacedPattern } from "./unspaced.ts";

export interface Statement {
  readonly text: string;
  /** The uuid of the turn, to find the context again. */
  readonly turn: string;
  /** The earlier one that it takes back. */
  readonly reverses?: Statement;
}

/** What stands behind these is left; what must not be done, or not yet, is not. */
const LEFT = phrasePattern("reversals.left", String.raw`\b{}\s+(.{2,60})`, "gi");
/** The same where no space is written; in Japanese what is left stands before. */
const LEFT_UNSPACED = unspacedPattern("reversals.left_unspaced", "g");
const LEFT_BEFORE = unspacedPattern("reversals.left_before", "g");
/** Without a name: what was decided last about the same things does not hold any more. */
const TAKEN_BACK = phrasePattern("reversals.taken_back", WHOLE_WORD);
/** Where what was taken ends and reasons or what was left begin. */
const TAKEN_UNTIL = phrasePattern("reversals.taken_until", String.raw`\b{}\b|[;:–—]`);
const WORDS_LEFT = 5;
/** Of what is taken back, where it is told. */
export const REVERSED_CHARACTERS_MAX = 120;
/** So many words in common make it the same matter, where nothing is named. */
const SAME_MATTER = 2;

/** The same decisions, in order; one that takes back another says which. */
export function withReversals<T extends Statement>(decisions: readonly T[]): T[] {
  const linked: T[] = [];
  /** What each took, read once: most turn away from nothing, and what they took is asked for often. */
  const took: Set<string>[] = [];
  for (const decision of decisions) {
    const turn = rejectionIn(decision.text);
    const earlier = turn === undefined
      ? undefined
      : linked.findLast((one, i) =>
        one.turn !== decision.turn &&
        reversesChoice(turn, one.text, () => took[i] ??= chosenNamesIn(one.text))
      );
    linked.push(earlier === undefined ? decision : { ...decision, reverses: earlier });
  }
  return linked;
}

/** Those that no later one took back. */
export function stillStanding<T extends Statement>(decisions: readonly T[]): T[] {
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
  return correctsFigure(later, earlier) || rejectsByName(later, earlier);
}

/** Whether what it leaves and the earlier one took has a name of its own. */
function rejectsByName(later: string, earlier: string): boolean {
  const shared = rejectedNamesIn(later).intersection(chosenNamesIn(earlier));
  return wordsOf(later).some((word) => word !== word.toLowerCase() && shared.has(fold(word)));
}

/** Between what holds and what was left, or before what somebody left. */
const INSTEAD = phrasePattern(
  "reversals.instead",
  String.raw`\b{}\b|[^\s,], (?:{reversals.and} )?{reversals.not}\s`,
);

/**
 * Whether a sentence that decides nothing turns away from something: "pnpm, not npm". "Run it without
 * Redis" and "the problem is not Redis" leave Redis where it is.
 */
export function rejects(statement: string): boolean {
  return INSTEAD.test(statement) && namesRejected(statement) && chosenNamesIn(statement).size > 0;
}

/** Whether it turns away from something that a text names. */
export function rejectsPartOf(statement: string, text: string): boolean {
  const names = namesIn(text);
  // Of a reply told with what it takes up, each part says its own.
  return statement.split(/ → |(?<=[.;]) /).some((part) =>
    !rejectedNamesIn(part).isDisjointFrom(names)
  );
}

/** Whether it says that something is taken after all, whatever it names. */
export function takesBack(statement: string): boolean {
  return TAKEN_BACK.test(statement);
}

/** Whether it says what it turns away from. */
export function namesRejected(statement: string): boolean {
  return rejectedNamesIn(statement).size > 0 || figuresIn(statement) !== undefined;
}

/** '6 characters, not 7': of one or two digits they are no names, and all that differs. */
const FIGURES = phrasePattern(
  "reversals.figure_left",
  String
    .raw`(?<![\w.,:])(\d{1,2})(?: ?[%€$]| [^\s\d,.;:]+){0,2},? (?:{reversals.and} )?{}(?: {reversals.article})? (\d{1,2})(?![\w:]|[.,]\d)`,
);

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
const REASON = phrasePattern("reversals.reason", WHOLE_WORD);
/** Of a sentence that says how it is not, or would be: nobody took that. */
const NO_STATEMENT = phrasePattern("reversals.no_statement");

/** Behind it stands what was not taken, or why: "SQLite, not Redis: links must never be lost". */
const ASIDE = phrasePattern(
  "reversals.not",
  String.raw`[;:–—]\s|,\s(?:{reversals.and} )?{}\s`,
);

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
export function sentenceReversedBy(statement: string, text: string): string | undefined {
  const turns = splitSentences(statement).map(withoutReason).filter(namesRejected);
  if (turns.length === 0) return undefined;
  return splitSentences(text).find((one) =>
    isStatement(one) && turns.some((turn) => reversesEarlier(turn, one) && !agree(turn, one))
  );
}

/** Whether both turn away from the same, and the later one from nothing else that has a name. */
function agree(later: string, earlier: string): boolean {
  return !rejectedNamesIn(later).isDisjointFrom(rejectedNamesIn(earlier)) &&
    !rejectsByName(later, earlier);
}

export function reverses(later: Statement, earlier: Statement): boolean {
  const turn = rejectionIn(later.text);
  return turn !== undefined && reversesChoice(turn, earlier.text);
}

/** What a text turns away from. */
interface Rejection {
  readonly text: string;
  readonly left: ReadonlySet<string>;
  /** It says so, whatever it names. */
  readonly isSaid: boolean;
}

/** Undefined where it turns away from nothing. */
function rejectionIn(text: string): Rejection | undefined {
  const turn = { text, left: rejectedNamesIn(text), isSaid: TAKEN_BACK.test(text) };
  return turn.isSaid || turn.left.size > 0 || figuresIn(text) !== undefined ? turn : undefined;
}

/** `took`: what the earlier text had taken. */
function reversesChoice(
  { text, left, isSaid }: Rejection,
  earlier: string,
  took = (): Set<string> => chosenNamesIn(earlier),
): boolean {
  return !left.isDisjointFrom(took()) ||
    isSaid && common(text, earlier) >= SAME_MATTER || correctsFigure(text, earlier);
}

/** Whoever drops something has not taken it: to say so twice takes nothing back. */
export function chosenNamesIn(text: string): Set<string> {
  return namesIn(text.split(TAKEN_UNTIL)[0] ?? "").difference(rejectedNamesIn(text));
}

function rejectedNamesIn(text: string): Set<string> {
  const unspaced = isUnspaced(text)
    ? [LEFT_UNSPACED, LEFT_BEFORE].flatMap((form) => [...form.matchAll(text)])
    : [];
  return new Set([...LEFT.matchAll(text), ...unspaced].flatMap(([, behind = ""]) => [
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
  const small = smallOf(tablesFor(text));
  const names = wordsOf(folded).filter((word) =>
    word.length >= 3 && !small.has(word) && !isSmallInRussian(word)
  );
  return new Set(isUnspaced(folded) ? [...names, ...namesUnspaced(folded)] : names);
}

function wordsOf(text: string): string[] {
  const rest = isUnspaced(text) ? replaceRuns(text, () => "") : text;
  const words = rest.match(patternFor(rest, String.raw`[\p{L}\p{N}][\p{L}\p{N}_.-]*`, "gu")) ?? [];
  return words.map((word) => word.replace(/\.$/, ""));
}

/** They name nothing that could be decided on. */
const smallOf = memoize((tables: readonly PhraseTable[]) =>
  new Set(phraseLines("reversals.small", tables).flatMap((line) => line.split(" ")))
);
const isSmallInRussian = inRussianList("reversals.small");
