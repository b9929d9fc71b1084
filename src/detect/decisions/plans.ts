/**
 * What is told of a plan that its person approved or sent back: the title, and of one that says little the
 * steps. Apart from decisions.ts, because a plan is a text of its own, with headings that say what is what.
 */
import { cut } from "../../base/text/text.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { withoutEmphasis, wordCount } from "../text/sentences.ts";

const SENT_BACK = "Sent back: ";

export function approved(plan: string): string {
  return `Approved plan: ${plan}`;
}

/** The word may be a wish for the plan as well as against it. */
export function sentBackWith(plan: string, word: string): string {
  return `${SENT_BACK}${plan} → ${word}`;
}

export function isSentBack(told: string): boolean {
  return told.startsWith(SENT_BACK);
}

/** Its title and first steps: a title alone says too little, and a step too little of the whole. */
export function planOf(lines: readonly string[]): string {
  const [title = "", ...rest] = lines;
  const isLong = (line: string): boolean => wordCount(line) >= STEP_WORDS_MIN;
  if (!/^#+ /.test(title)) return withoutMark(lines.find(isLong) ?? title);
  if (wordCount(title) >= TITLE_WORDS) return withoutMark(title);
  const steps = stepsIn(rest).map(withoutMark).map(withoutEmphasis).filter(isLong);
  const parts = [withoutMark(title), steps.join("; ")];
  return cut(parts.filter((part) => part !== "").join(": "), PLAN_CHARACTERS_MAX);
}

/**
 * The headings or items below a heading that leads to the steps; of a plan that has no headings all items. Others
 * are what is wrong, what was looked at, or why.
 */
function stepsIn(lines: readonly string[]): readonly string[] {
  const [headings, items]: [string[], string[]] = [[], []];
  /** Of the heading that leads to them. */
  let rank = lines.some((line) => HEADED.test(line)) ? undefined : 0;
  for (const line of lines) {
    const [, mark, heading = ""] = HEADED.exec(line) ?? [];
    if (mark === undefined) {
      if (rank !== undefined && LISTED.test(line)) items.push(line);
    } else if (rank !== undefined && mark.length > rank) headings.push(heading);
    else rank = LEADS_TO_STEPS.test(heading) ? mark.length : undefined;
  }
  return headings.length > 0 ? headings : items;
}

const HEADED = /^(#+) (.+)$/;
const LISTED = /^(?:[-*]|\d+[.)]) /;
const LEADS_TO_STEPS = phrasePattern(
  "decisions.plan_steps",
  String.raw`^(?:\d+\. )?{}(?: \(.*\))?:?$`,
);

export function withoutMark(line: string): string {
  return line.replace(/^(?:#+ (?:plan ?: )?|[-*] |\d+[.)] )/i, "");
}

const STEP_WORDS_MIN = 3;
/** A title of so many words says what the plan is. */
const TITLE_WORDS = 5;
const PLAN_CHARACTERS_MAX = 160;
