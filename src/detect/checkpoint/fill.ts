/**
 * Fills a checkpoint within its budget: question, conclusion and next step first, then decisions, then the
 * most salient sentences, then exact details that these do not contain. Each part has its share of the tokens
 * and leaves the next what it does not need.
 */
import { estimateTokens } from "../../base/text/tokens.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Decision } from "../decisions/decisions.ts";
import { exactLines, renderExact } from "./exact_lines.ts";
import { asksToRepeat } from "../summary/intent.ts";
import { LAST_ASKED } from "../summary/summary_marks.ts";
import { answersOf, exchangesOf } from "../text/exchanges.ts";
import { saysTheSame } from "./rank_sentences.ts";
import { asProse, isComplete, isQuestion, jaccard, termsOf } from "../text/sentences.ts";
import type { Salient } from "./salience.ts";
import { saysHowItWent } from "./outcome.ts";
import { byWorth } from "./worth.ts";

export interface Extract {
  /** Empty if no sentence can serve as a title. */
  readonly title: string;
  readonly coreQuestion: string;
  readonly thesis: string;
  readonly keyEvidence: readonly string[];
  readonly decisions: readonly string[];
  readonly openQuestions: readonly string[];
  readonly reasoningTrace: string;
  readonly nextStep: string | undefined;
}

export interface Material {
  readonly turns: readonly Turn[];
  readonly decisions: readonly Decision[];
  readonly open: readonly string[];
  /** Best first. */
  readonly salient: readonly Salient[];
  readonly thesis: readonly Salient[];
  readonly cwd: string | undefined;
  readonly redact: ((text: string) => string) | undefined;
}

export type Fixed = Pick<Extract, "title" | "coreQuestion" | "thesis" | "nextStep">;

const SHARES = { decisions: 0.4, open: 0.12, sentences: 0.35 };
/** Tokens that are left for lists, whatever question and conclusion cost. */
const LEFT_MIN = 60;
/** A less likely sentence is not worth its tokens. */
const WORTH_MIN = 0.015;
const SAME_OVERLAP = 0.6;
/** With this many numbers and some words in common, two sentences say the same. */
const SAME_NUMBERS = 2;
const SAME_NUMBERS_OVERLAP = 0.25;
/** More sentences never fit. */
const COMPARED_MAX = 80;
/** Tokens of the labels before the lists. */
const LABELS = 12;

export function fill(fixed: Fixed, material: Material, tokensMax: number): Extract {
  const { salient, thesis, turns, cwd, redact } = material;
  const empty = { ...fixed, keyEvidence: [], decisions: [], openQuestions: [], reasoningTrace: "" };
  const total = Math.max(LEFT_MIN, tokensMax - tokensOf(empty));
  const decisions = within(decisionsOf(material), total * SHARES.decisions);
  const open = within(material.open, total * SHARES.open);
  let left = total - costOf([...decisions, ...open]);

  const asked = fixed.coreQuestion.split(LAST_ASKED);
  const answers = answersOf(exchangesOf(turns));
  const others = distinct(byWorth(salient.slice(0, COMPARED_MAX), answers), thesis, [
    ...decisions,
    ...open,
    ...asked,
  ]);
  const telling = withinSentences(others, Math.min(left, total * SHARES.sentences));
  left -= costOf(telling.map(({ sentence }) => sentence.text));
  const known = [fixed.thesis, ...decisions, ...telling.map(({ sentence }) => sentence.text)];
  const exact = within(
    exactLines(turns, { known: known.join("\n"), cwd, redact }),
    left - LABELS,
    ({ text }) => {
      return `\`${text}\`,`;
    },
  );
  left -= costOf(renderExact(exact));
  const more = withinSentences(others.filter((one) => !telling.includes(one)), left);

  const chosen = [...telling, ...more].sort(inOrder);
  const definite = chosen.filter(({ sentence }) => isDefinite(sentence.text));
  const rest = chosen.filter((one) => !definite.includes(one));
  return {
    ...fixed,
    decisions,
    openQuestions: open,
    keyEvidence: [...definite.map(({ sentence }) => sentence.text), ...renderExact(exact)],
    reasoningTrace: asProse(rest.map(voiced)),
  };
}

/** What the checkpoint costs its reader. */
export function tokensOf(extract: Extract): number {
  return estimateTokens(textsOf(extract).join("\n"));
}

/** All that the note of an extract will say. */
export function textsOf(extract: Extract): string[] {
  return [
    extract.coreQuestion,
    extract.thesis,
    ...extract.keyEvidence,
    ...extract.decisions,
    ...extract.openQuestions,
    extract.reasoningTrace,
    extract.nextStep ?? "",
  ];
}

/** Decisions as stated or recorded, best first; none is taken for one by its place alone. */
function decisionsOf({ decisions, salient, turns }: Material): string[] {
  const scores = new Map(salient.map(({ sentence, score }) => [sentence.text, score]));
  const places = new Map(turns.map(({ uuid }, place) => [uuid, place / turns.length]));
  // What the editor recorded is in no sentence, so it has no score.
  const worth = ({ text, turn }: Decision): number =>
    (scores.get(text) ?? 0.5) + 0.1 * (places.get(turn) ?? 0);
  const kept: { readonly text: string; readonly terms: ReadonlySet<string> }[] = [];
  for (const { text } of [...decisions].sort((a, b) => worth(b) - worth(a))) {
    const terms = termsOf(text);
    const isSame = kept.some((one) =>
      one.text.includes(text) || jaccard(one.terms, terms) > SAME_OVERLAP
    );
    if (!isSame) kept.push({ text, terms });
  }
  return kept.map(({ text }) => text);
}

/** The most salient sentences, each of which adds something new. */
function distinct(
  salient: readonly Salient[],
  thesis: readonly Salient[],
  decisions: readonly string[],
): Salient[] {
  const kept = thesis.map(withNumbers);
  const decided = decisions.map(termsOf);
  for (const one of salient) {
    const { text } = one.sentence;
    if (one.score < WORTH_MIN || isQuestion(one.sentence)) continue;
    if (decisions.some((decision) => decision.includes(text))) continue;
    const isAgents = one.sentence.turn.role === "assistant";
    if (isAgents ? isFragment(text) || saysHowItWent(text) : asksToRepeat(text)) continue;
    if (decided.some((terms) => jaccard(terms, one.terms) > SAME_OVERLAP)) continue;
    const told = withNumbers(one);
    if (!kept.some((other) => saysTheSame(one, other.one) || tellsTheSame(told, other))) {
      kept.push(told);
    }
  }
  return kept.slice(thesis.length).map(({ one }) => one);
}

function withinSentences(sentences: readonly Salient[], tokens: number): Salient[] {
  return within(sentences, tokens, voiced);
}

/** A quotation of the person, or the agent's own words. */
function voiced({ sentence: { text, turn } }: Salient): string {
  return turn.role === "user" ? `“${text}”` : text;
}

/** Those that fit, in order; one that is too long is skipped. */
function within<T>(items: readonly T[], tokens: number, textOf: (item: T) => string = String): T[] {
  let left = tokens;
  return items.filter((item) => {
    const cost = costOf([textOf(item)]);
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

function costOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + estimateTokens(`${line}\n`), 0);
}

function inOrder(a: Salient, b: Salient): number {
  return a.sentence.turnIndex - b.sentence.turnIndex || a.sentence.position - b.sentence.position;
}

/** Whether it has numbers, names in code or links: what a conclusion rests on. */
function isDefinite(text: string): boolean {
  return /\d|`|https?:/.test(text);
}

/** Whether it is a list item that needs the sentence before the list. */
function isFragment(text: string): boolean {
  return !isComplete(text) && (!isDefinite(text) || /^[a-zß-ÿ]/.test(text));
}

interface Numbered {
  readonly one: Salient;
  readonly numbers: ReadonlySet<string>;
}

function withNumbers(one: Salient): Numbered {
  return { one, numbers: new Set(one.sentence.text.match(/\d[\d.,]*\d/g) ?? []) };
}

/** The same numbers in other words. */
function tellsTheSame(a: Numbered, b: Numbered): boolean {
  return Math.min(a.numbers.size, b.numbers.size) >= SAME_NUMBERS &&
    a.numbers.intersection(b.numbers).size >= SAME_NUMBERS &&
    jaccard(a.one.terms, b.one.terms) > SAME_NUMBERS_OVERLAP;
}
