/**
 * The title of a checkpoint: the first sentence of its conclusion that names a matter, where it is specific;
 * else the request, which tells one checkpoint from another better than what went well.
 * 'Everything green — build OK, 17 packages pass' says how it went, but not of what.
 */
import { cutTitle } from "../../base/text/text.ts";
import { namesItsSubject, withoutMentions } from "../summary/intent.ts";
import { type Sentence, stemsOf } from "../text/sentences.ts";
import { CODE, isLabelled, OPTIONS_LABEL, pointsBack, saysHowItWent } from "./outcome.ts";
import { leadsTo } from "./worth.ts";

/** More would not be shown. */
const CHARACTERS_MAX = 80;
/** A shorter request mostly reacts to what was said before. */
const REQUEST_CHARACTERS_MIN = 36;
/** One word of a request comes back in any answer. */
const SHARED_STEMS_MIN = 2;

/** A single digit counts anything. */
const FIGURE = /\d\d|\d[.,]\d|\d ?%/;

/** A sentence of the conclusion. */
export type Concluded = Pick<Sentence, "text" | "isItem">;

/**
 * A whole sentence, because forgotten text is recognised by whole sentences; the writer cuts it. `concluded`: the
 * sentence that says it best first. `asked`: requests from first to last; `own` is the one that the conclusion
 * answers, if it is one. Empty if neither names a subject.
 */
export function titleOf(
  concluded: readonly Concluded[],
  asked: readonly string[],
  own: string | undefined,
): string {
  const told = concluded.find(({ text }) => namesMatter(text) && !leadsTo(text));
  const requests = asked.map(withoutMentions).filter(namesMatterItself);
  if (told !== undefined) {
    const plan = requests.findLast((text) => text.startsWith(PLAN));
    if (plan !== undefined) return plan;
    // What was asked names the whole of which an item is a part, unless it only reacts to something.
    const whole = withoutMentions(own ?? "");
    const isWhole = whole.length >= REQUEST_CHARACTERS_MIN && namesMatterItself(whole) &&
      concluded.some(({ text }) => isAbout(whole, text));
    const isEnough = isSpecific(told.text, asked);
    if (isWhole && (isDetail(told) || !isEnough)) return whole;
    if (isWhole || isEnough) return told.text;
  }
  const ways = concluded.flatMap(({ text }) => text.startsWith(OPTIONS_LABEL) ? [text] : [])
    .join(" ");
  return requests.findLast((text) => ways === "" || isAbout(ways, text)) ?? told?.text ??
    asked.findLast((text) => COMMAND.test(text)) ?? "";
}

function namesMatterItself(request: string): boolean {
  return namesItsSubject(request.replace(COMMAND, ""));
}

/** Begins what was asked by approving a plan. */
const PLAN = "Implement: ";

/** Whether it is one item of a list: what was done to a file, or a step by its number. */
function isDetail({ text, isItem }: Concluded): boolean {
  return !text.startsWith(OPTIONS_LABEL) && (isItem || isLabelled(text));
}

/** A command of the client by its name: 'plan:phase 12' says what to do, not what it is about. */
const COMMAND = /^\/?[\w-]+:[\w-]+(?=\s|$)/;

/** Whether it has a name or a figure, or goes on about what was asked. */
function isSpecific(text: string, asked: readonly string[]): boolean {
  return CODE.test(text) || FIGURE.test(text) || isAbout(text, asked.join(" "), SHARED_STEMS_MIN);
}

function isAbout(text: string, other: string, sharedMin = 1): boolean {
  return stemsOf(text).intersection(stemsOf(other)).size >= sharedMin;
}

function namesMatter(sentence: string): boolean {
  const seen = cutTitle(sentence, CHARACTERS_MAX);
  return !pointsBack(seen) && !saysHowItWent(seen);
}
