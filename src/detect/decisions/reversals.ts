/**
 * Which decision reverses an earlier one: it names what it rejects, and the earlier one had chosen that.
 * Apart from decisions.ts, because callers ask for all decisions or for those that still stand.
 */
import { memoize } from "../../base/memoize.ts";
import { patternFor } from "../../base/text/pattern.ts";
import { isUnspaced, replaceRuns } from "../../base/text/unspaced.ts";
import { cut, fold, splitSentences } from "../../base/text/text.ts";
import { phraseLines, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { inRussianList } from "../phrases/russian.ts";
import type { Said } from "./reply.ts";
import { tablesFor } from "../phrases/phrase_tables.ts";
import { namesUnspaced, type PhraseTable, unspacedPattern } from "../phrases/unspaced.ts";

export interface Statement {
  readonly text: string;
  /** The uuid of its turn, to find the context again. */
  readonly turn: string;
  /** The earlier statement that it reverses. */
  readonly reverses?: Statement;
  /** Of a reply: the question and the answer, which `text` joins. */
  readonly reply?: Said;
}

/** What follows is rejected; but not what must not be done, or not yet. */
const LEFT = phrasePattern("reversals.left", String.raw`\b{}\s+(.{2,60})`, "gi");
/** The same in languages without spaces; in Japanese what is rejected comes first. */
const LEFT_UNSPACED = unspacedPattern("reversals.left_unspaced", "g");
const LEFT_BEFORE = unspacedPattern("reversals.left_before", "g");
/** Reverses without a name: the last decision about the same things no longer holds. */
const TAKEN_BACK = phrasePattern("reversals.taken_back", WHOLE_WORD);
/** What was chosen ends here; reasons or rejected things begin. */
const TAKEN_UNTIL = phrasePattern("reversals.taken_until", String.raw`\b{}\b|[;:–—]`);
const WORDS_LEFT = 5;
/** How much of a reversed decision is quoted. */
const REVERSED_CHARACTERS_MAX = 120;
/** The quotation behind a decision that is told with the one that it reverses. */
const QUOTED = " (takes back: “";
/** How many names two statements share if they are about the same matter. */
const SAME_MATTER = 2;
/** A statement that chose so few names was about the one that is rejected; of more, any word may come back. */
const CHOSEN_FEW = 6;

/** The same decisions, in order; each reversal with the one that it reverses. */
export function withReversals<T extends Statement>(decisions: readonly T[]): T[] {
  const linked: T[] = [];
  /** What each chose, computed on demand: most decisions reject nothing. */
  const took: Set<string>[] = [];
  for (const decision of decisions) {
    // What a reply replies to rejects nothing.
    const turn = rejectionIn(decision.reply?.said ?? decision.text);
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

/** A decision as it is told, with the one that it reverses; `where`: what follows the quotation. */
export function toldWith(decision: string, reversed: string, where = ""): string {
  return `${decision}${QUOTED}${cut(reversed, REVERSED_CHARACTERS_MAX)}”${where})`;
}

/** A decision without that quotation; with it, each year would quote all years before. */
export function withoutReversed(told: string): string {
  const [own = told] = told.split(QUOTED, 1);
  return own;
}

/** Whether one of these reverses that decision. */
export function isTakenBack(decision: string, told: readonly string[]): boolean {
  const quoted = `${QUOTED}${cut(decision, REVERSED_CHARACTERS_MAX)}”`;
  return told.some((one) => one.includes(quoted));
}

/** The decisions that no later one reversed. */
export function stillStanding<T extends Statement>(decisions: readonly T[]): T[] {
  const gone = new Set(decisions.flatMap(({ reverses }) => reverses?.text ?? []));
  return decisions.filter(({ text }) => !gone.has(text));
}

/**
 * Whether a statement reverses an earlier one of another session. More was decided there, so the two must
 * share two names, or what is rejected must have a name of its own.
 */
export function reversesEarlier(later: string, earlier: string): boolean {
  // What a reply replies to rejects nothing: 'also where it is old rather than missing? → yes'.
  const said = later.split(" → ").at(-1) ?? later;
  if (common(later, earlier) >= SAME_MATTER) {
    return reverses({ text: said, turn: "" }, { text: earlier, turn: "" });
  }
  return correctsFigure(said, earlier) || rejectsByName(said, earlier);
}

/** Whether something that it rejects and the earlier one chose is a proper name. */
function rejectsByName(later: string, earlier: string): boolean {
  return !takesPicked(later, earlier) &&
    hasProperName(later, rejectedNamesIn(later).intersection(chosenNamesIn(earlier)));
}

/** Whether the text writes one of these names with a capital. */
function hasProperName(text: string, names: ReadonlySet<string>): boolean {
  return wordsOf(text).some((word) => word !== word.toLowerCase() && names.has(fold(word)));
}

/** Between what is chosen and what is rejected, or before what is rejected. */
const INSTEAD = phrasePattern(
  "reversals.instead",
  String.raw`\b{}\b|[^\s,], (?:{reversals.and} )?{reversals.not}\s|\d {reversals.not} \d`,
);

/**
 * Whether a sentence rejects something for something else: "pnpm, not npm". "Run it without Redis" and "the
 * problem is not Redis" reject nothing.
 */
export function rejects(statement: string): boolean {
  return INSTEAD.test(chosenFirst(statement)) && namesRejected(statement) &&
    chosenNamesIn(statement).size > 0;
}

/** 'Use pnpm instead of npm' of 'Instead of npm, use pnpm'. */
function chosenFirst(text: string): string {
  return text.replace(LEFT_FIRST, "$2 $1");
}

const LEFT_FIRST = phrasePattern(
  "reversals.left_first",
  String.raw`^({} [^,]{2,80}), (?!{reversals.looks})(.+)$`,
);

/** Whether it rejects something that a text names. */
export function rejectsPartOf(statement: string, text: string): boolean {
  const names = namesIn(text);
  // A reply is joined with its question by an arrow: each part rejects for itself.
  return statement.split(/ → |(?<=[.;]) /).some((part) =>
    !rejectedNamesIn(part).isDisjointFrom(names)
  );
}

/** Whether it says that something is taken after all, whatever it names. */
export function takesBack(statement: string): boolean {
  return TAKEN_BACK.test(statement);
}

/** Whether it names what it rejects. */
export function namesRejected(statement: string): boolean {
  return rejectedNamesIn(statement).size > 0 || figuresIn(statement) !== undefined;
}

/** '6 characters, not 7': numbers of one or two digits are no names, but the only difference. */
const FIGURES = phrasePattern(
  "reversals.figure_left",
  String
    .raw`(?<![\w.,:])(\d{1,2})(?: ?[%€$]| [^\s\d,.;:]+){0,2},? (?:{reversals.and} )?{}(?: {reversals.article})? (\d{1,2})(?![\w:]|[.,]\d)`,
);

function figuresIn(text: string): { readonly left: string; readonly next: string } | undefined {
  const [, next = "", left = ""] = FIGURES.exec(text) ?? [];
  return left === next ? undefined : { left, next };
}

/** Whether an earlier text gives the rejected figure, and not the new one, for the same things. */
function correctsFigure(later: string, earlier: string): boolean {
  const figures = figuresIn(later);
  if (figures === undefined) return false;
  const said: readonly string[] = earlier.match(/(?<![\w.,:])\d{1,2}(?![\w:]|[.,]\d)/g) ?? [];
  return said.includes(figures.left) && !said.includes(figures.next) &&
    thingsIn(later).intersection(thingsIn(earlier)).size >= SAME_MATTER;
}

/** Names in singular form: 'slugs' and 'a slug' are the same. */
function thingsIn(text: string): Set<string> {
  return new Set([...namesIn(text)].map((name) => name.replace(/(?<=...)(?:e?s|e?n)$/, "")));
}

/** A reason follows: it may name what was rejected, and reverses nothing. */
const REASON = phrasePattern("reversals.reason", WHOLE_WORD);
/** Says how something is not, or would be: nobody chose that. */
const NO_STATEMENT = phrasePattern("reversals.no_statement");

/** What was not chosen follows, or a reason: "SQLite, not Redis: links must never be lost". */
const ASIDE = phrasePattern(
  "reversals.not",
  String.raw`[;:–—]\s|,\s(?:{reversals.and} )?{}\s`,
);

/** A sentence up to its reason. */
export function withoutReason(sentence: string): string {
  return sentence.split(REASON)[0] ?? "";
}

/** Whether a sentence says how something is, not how it is not or would be. */
export function isStatement(sentence: string): boolean {
  const [first = ""] = sentence.split(ASIDE);
  return !NO_STATEMENT.test(withoutReason(first));
}

/** The sentence of a text that a statement reverses; undefined if it names nothing that it rejects. */
export function sentenceReversedBy(statement: string, text: string): string | undefined {
  const turns = splitSentences(statement).map(withoutReason).filter(namesRejected);
  if (turns.length === 0) return undefined;
  return splitSentences(text).find((one) =>
    isStatement(one) && turns.some((turn) => reversesEarlier(turn, one) && !agree(turn, one))
  );
}

/** Whether both reject the same, and the later one no other proper name. */
function agree(later: string, earlier: string): boolean {
  return !rejectedNamesIn(later).isDisjointFrom(rejectedNamesIn(earlier)) &&
    !rejectsByName(later, earlier);
}

export function reverses(later: Statement, earlier: Statement): boolean {
  const turn = rejectionIn(later.text);
  return turn !== undefined && reversesChoice(turn, earlier.text);
}

/** What a text rejects. */
interface Rejection {
  readonly text: string;
  readonly left: ReadonlySet<string>;
  /** It says so without a name. */
  readonly isSaid: boolean;
}

/** Undefined if it rejects nothing. */
function rejectionIn(text: string): Rejection | undefined {
  const turn = { text, left: rejectedNamesIn(text), isSaid: TAKEN_BACK.test(text) };
  return turn.isSaid || turn.left.size > 0 || figuresIn(text) !== undefined ? turn : undefined;
}

/** `took`: the names that the earlier text chose. */
function reversesChoice(
  { text, left, isSaid }: Rejection,
  earlier: string,
  took = (): Set<string> => chosenNamesIn(earlier),
): boolean {
  return rejectsChosen(text, left, earlier, took) ||
    isSaid && common(text, earlier) >= SAME_MATTER || correctsFigure(text, earlier);
}

/** Whether what is rejected was chosen: it was the matter of the earlier text, or another name is common to both. */
function rejectsChosen(
  text: string,
  left: ReadonlySet<string>,
  earlier: string,
  took: () => ReadonlySet<string>,
): boolean {
  if (left.size === 0) return false;
  const chosen = took();
  const shared = left.intersection(chosen);
  if (shared.size === 0 || takesPicked(text, earlier)) return false;
  if (hasProperName(text, shared)) return true;
  // 'No calls below the user's message' does not reject the user's picture.
  if (2 * shared.size < left.size) return false;
  return chosen.size <= CHOSEN_FEW ||
    !namesIn(text).difference(left).isDisjointFrom(namesIn(earlier));
}

/**
 * Whether it takes what a reply picked: "React or Svelte? → Svelte." names React too, but only as what was
 * there to choose from.
 */
function takesPicked(text: string, earlier: string): boolean {
  const [, picked] = earlier.split(" → ");
  return picked !== undefined && !namesIn(picked).isDisjointFrom(chosenNamesIn(text));
}

/** A statement that drops something has not chosen it: dropping it twice reverses nothing. */
export function chosenNamesIn(text: string): Set<string> {
  const said = chosenFirst(text);
  return namesIn(said.split(TAKEN_UNTIL)[0] ?? "").difference(rejectedNamesIn(said));
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

/** Words that can name what was decided on: no verbs of deciding, no function words. */
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

/** Words that name nothing. */
const smallOf = memoize((tables: readonly PhraseTable[]) =>
  new Set(phraseLines("reversals.small", tables).flatMap((line) => line.split(" ")))
);
const isSmallInRussian = inRussianList("reversals.small");
