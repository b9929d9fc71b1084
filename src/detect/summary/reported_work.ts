/**
 * Sentences in which an agent reports work: what it did, or how things are now that it changed them. What it
 * found, wants, proposes or still has to do is no such report, even in similar words.
 */
import { isAskedAtEnd } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import type { Exchange } from "../text/exchanges.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { isComplete, type Sentence } from "../text/sentences.ts";
import { alternativesIn } from "../decisions/alternatives.ts";
import { announces, instructs } from "../checkpoint/worth.ts";
import { filesChanged, hasActed } from "./work.ts";

/** What a change led to, if it was trouble. */
const TROUBLE = phrasePattern(
  "reported_work.trouble",
  String.raw`^(?:(?:\S+ ){0,6}{reported_work.fails}\b|{})`,
);

/** The agent reports what it did, or how things are now. */
const REPORTED = phrasePattern("reported_work.reported", String.raw`^{reported_work.reporter}{}\b`);
/** 'Moved files are not seen': the participle describes the files. */
const DONE_TO = phrasePattern("reported_work.done_to", "^{}");
/** Anything the agent did: 'I raised it to 16', but not what it needed, thought, read or found. */
const I_DID = phrasePattern("reported_work.i_did", "^{}");
/** 'Now clear', 'now asked', 'now wrong', 'now under way': not done. */
const NOW_SO = phrasePattern("reported_work.now_so");
const IS_NOW = phrasePattern("reported_work.is_now");

/** Answers of exchanges that changed something. In any language they begin with what that was. */
export function answersAfterChanges(exchanges: readonly Exchange[]): ReadonlySet<Turn | undefined> {
  const changes = (replies: readonly Turn[]): boolean =>
    filesChanged(replies).length > 0 || hasActed(replies);
  const changing = exchanges.filter(({ replies, tools }) =>
    changes(replies) && !endsInFailure(tools)
  );
  // What a stop hook had changed after it is not what an answer begins with.
  return new Set(
    changing.flatMap(({ answers, replies }) =>
      answers.filter((answer, i) =>
        i === answers.length - 1 || changes(replies.slice(0, replies.indexOf(answer)))
      )
    ),
  );
}

/** The sentences that report work, in the given order. */
export function reportedWork<Told extends { readonly sentence: Sentence }>(
  told: readonly Told[],
  changes: ReadonlySet<Turn | undefined>,
): Told[] {
  const said = told.filter(({ sentence: { text } }) =>
    !isAskedAtEnd(text) && !announces(text) && !EMPTY.test(text)
  );
  const reports = new Set(
    said.flatMap(({ sentence }) =>
      isReport(sentence.text) && !beginsWithAlternative(sentence) ? [sentence] : []
    ),
  );
  // A sentence right before a report gives its reason.
  const giveReason = new Set(
    [...reports].flatMap(({ text, turn, position }) =>
      position === 1 && tellsMatter(text) ? [turn] : []
    ),
  );
  return said.filter(({ sentence }) =>
    reports.has(sentence) ||
    (sentence.position === 0 && changes.has(sentence.turn) && !giveReason.has(sentence.turn) &&
      isOpening(sentence))
  );
}

/** An answer after a failure begins with what is wrong. */
function endsInFailure(tools: readonly ToolUse[]): boolean {
  return tools.findLast(({ command }) => command !== undefined)?.failed === true;
}

/** The result of a change, in a complete sentence; not a special case, and not the lead of a draft. */
function isOpening({ text, turn }: Sentence): boolean {
  // An aside in brackets is no result either.
  return isComplete(text) && !text.startsWith("(") && !instructs(text) && !TROUBLE.test(text) &&
    !LEANS.test(text) && !SHOWN.test(turn.text);
}

/** Depends on what was asked, or holds in one case only. */
const LEANS = phrasePattern("reported_work.leans", String.raw`^{} |\b{reported_work.depends}\b`);
/** 'Here is a draft:' and the draft. */
const SHOWN = phrasePattern("reported_work.shown", String.raw`^\s*{}\b[^\n]*:\s*\n`);
/** 'All changes are complete.': it says that, and not what. */
const EMPTY = phrasePattern("reported_work.empty", String.raw`^{}[.!]*$`);
/** 'All tests pass', 'lint is clean': how the checks went, which the commands tell. */
const CHECKS_PASS = phrasePattern("reported_work.check", String.raw`^{}[.!]*$`);
const ASIDE = / \([^()]{1,80}\)/g;
const CLAUSE_ENDS = phrasePattern("reversals.and", "(?:,? {} |, |; | [–—-] )");

/** 'The build should be green now', 'the app is up, please log in': expected or waited for, and not done. */
const PENDING = phrasePattern("reported_work.pending", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

/** Whether a report tells more than how the checks went, and something that is done. */
export function tellsMatter(text: string): boolean {
  return !PENDING.test(text) &&
    !text.replace(ASIDE, "").split(CLAUSE_ENDS).every((clause) => CHECKS_PASS.test(clause));
}

/** Nothing was done, or nothing found. */
const NOTHING = phrasePattern("reported_work.nothing");

function isReport(text: string): boolean {
  return !NOTHING.test(text) &&
    (reportsWork(text) || I_DID.test(text) ||
      IS_NOW.test(text) && !NOW_SO.test(text) && !instructs(text));
}

/** Whether it begins with what was done: 'Updated the notes', but not 'Moved files are not seen'. */
export function reportsWork(text: string): boolean {
  return REPORTED.test(text) && !DONE_TO.test(text);
}

/** "Split the files before the import": an alternative that was laid out, but reads like work done. */
function beginsWithAlternative({ text, turn }: Sentence): boolean {
  return alternativesIn(turn.text)?.names.some((name) => text.startsWith(name)) ?? false;
}
