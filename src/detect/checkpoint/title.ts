/**
 * The title of a checkpoint: the first sentence of its conclusion that names a matter, where it is specific;
 * else the request, which tells one checkpoint from another better than what went well.
 * 'Everything green — build OK, 17 packages pass' says how it went, but not of what.
 */
import { cutTitle } from "../../base/text/text.ts";
import { namesItsSubject, withoutMentions } from "../summary/intent.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { isComplete, type Sentence, stemsOf, termsOf } from "../text/sentences.ts";
import { leadsTo } from "./worth.ts";

/** More would not be shown. */
const CHARACTERS_MAX = 80;
/** How many terms must be left to name a subject. */
const MATTER_TERMS_MIN = 2;
/** One word of a request comes back in any answer. */
const SHARED_STEMS_MIN = 2;
/** Two come back in an answer to any reaction: 'the tests fail again'. */
const NAMED_STEMS_MIN = 3;

/** Prefix of a conclusion that names alternatives before one is taken. */
export const OPTIONS_LABEL = "Options: ";

/** A name that is not used by chance. */
const CODE = /`[^`\n]{2,}`|\b\w+\.[a-z]{1,4}\b|\b[a-z]+[A-Z]\w+|\b[A-Z]{2,}_\w+/;
/** Where something lies now, a commit or an address. */
const PLACE = /`?\b(?=[a-f]*\d)[\da-f]{7,40}\b`?|https?:\/\/\S+/g;
const ASIDE = /\([^()\n]*\)/g;
/** A single digit counts anything. */
const FIGURE = /\d\d|\d[.,]\d|\d ?%/;

/** Refers to what comes before it, or tells the reader what to do. */
const POINTS = phrasePattern("title.points", String.raw`^(?:${OPTIONS_LABEL}|\W*{}\b)`);
/** How a check or a piece of work went. */
const STATE = phrasePattern("title.state", String.raw`\b{}\b`, "gi");

/** A sentence of the conclusion. */
export type Concluded = Pick<Sentence, "text" | "isItem">;

/**
 * A whole sentence, because forgotten text is recognised by whole sentences; the writer cuts it. `asked`:
 * requests from first to last. Empty if neither names a subject.
 */
export function titleOf(concluded: readonly Concluded[], asked: readonly string[]): string {
  const told = concluded.find(({ text }) => namesMatter(text) && !leadsTo(text));
  const said = concluded.map(({ text }) => text).join(" ");
  const requests = asked.map(withoutMentions).filter((text) =>
    namesItsSubject(text.replace(COMMAND, ""))
  );
  if (told !== undefined && isSpecific(told.text, asked)) {
    // What was asked names the whole of which an item is a part, unless it only reacts to something.
    const whole = isDetail(told) ? requests.findLast((text) => isNamed(text, said)) : undefined;
    return whole ?? told.text;
  }
  const ways = concluded.flatMap(({ text }) => text.startsWith(OPTIONS_LABEL) ? [text] : [])
    .join(" ");
  return requests.findLast((text) => ways === "" || isAbout(ways, text)) ?? told?.text ??
    asked.findLast((text) => COMMAND.test(text)) ?? "";
}

/** Whether a request names what was concluded: as the title of a plan, or in its words. */
function isNamed(request: string, concluded: string): boolean {
  return request.startsWith("Implement: ") || isAbout(request, concluded, NAMED_STEMS_MIN);
}

/** Whether it is one item of a list: what was done to a file, or a step by its number. */
function isDetail({ text, isItem }: Concluded): boolean {
  return !text.startsWith(OPTIONS_LABEL) && (isItem || !isComplete(text) || LABELLED.test(text));
}

/** A command of the client by its name: 'plan:phase 12' says what to do, not what it is about. */
const COMMAND = /^\/?[\w-]+:[\w-]+(?=\s|$)/;

/** '`app.ts` — wires …', '[README.md](README.md): …', 'Step 2 - …', 'FQ-1: …'. */
const LABELLED =
  /^(?:`[^`\n]+`|\[[^\]\n]+\]\([^)\n]*\)|[\w./-]+\.[a-z]{1,4}|[A-Za-z]{1,12}[ -]\d[\d.-]*)(?: \([^()\n]{0,60}\))?(?:: | [-–—→] )/;

/** Whether it has a name or a figure, or goes on about what was asked. */
function isSpecific(text: string, asked: readonly string[]): boolean {
  return CODE.test(text) || FIGURE.test(text) || isAbout(text, asked.join(" "), SHARED_STEMS_MIN);
}

function isAbout(text: string, other: string, sharedMin = 1): boolean {
  return stemsOf(text).intersection(stemsOf(other)).size >= sharedMin;
}

function namesMatter(sentence: string): boolean {
  const seen = cutTitle(sentence, CHARACTERS_MAX);
  return !POINTS.test(seen) && !saysHowItWent(seen);
}

/** Whether it says how a check or a piece of work went, and not of what: 'All 1216 tests pass, lint is clean.' */
export function saysHowItWent(sentence: string): boolean {
  const left = sentence.replace(PLACE, "").replace(ASIDE, "").replace(STATE, "")
    .replace(/\b\d+\b/g, "");
  return termsOf(left).size + (CODE.test(left) ? 1 : 0) < MATTER_TERMS_MIN;
}
