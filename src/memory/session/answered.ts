/**
 * Whether a later session dealt with what an earlier one left open, judged by its note: one sentence must
 * have most words of the question. Nothing of this is stored.
 */
import { isAskedAtEnd, splitSentences } from "../../base/text/text.ts";
import { rejectsPartOf } from "../../detect/decisions/reversals.ts";
import { restates, SHORT_STEM, stemsOf } from "../../detect/text/sentences.ts";
import { CAME_OUT } from "../../detect/summary/summary_marks.ts";
import { checkNamedIn, COMMITTED_LABEL, FAILED_LABEL } from "../../detect/summary/work.ts";
import type { Session } from "../../note/session.ts";
import { specificTerms } from "../surfacing/gates.ts";
import { filesNamed } from "./handoff.ts";

/** The sentence that answers a question has at least this many of its words, and this share of them. */
const TERMS_MIN = 3;
const COVERED = 0.6;

/** What a session's note says came of it. */
type Outcome = Pick<Session, "summary" | "decisions" | "done" | "openQuestions">;

export function isAnswered(question: string, later: readonly Outcome[]): boolean {
  if (question.startsWith(FAILED_LABEL)) return wasRunAgain(question, later);
  const terms = specificTerms(question);
  if (terms.length < TERMS_MIN) return false;
  return later.flatMap(({ summary, decisions, done }) => [summary, ...decisions, ...done])
    .flatMap((text) => splitSentences(text)).some((sentence, i, all) => {
      if (isAskedAtEnd(sentence) && !isReply(all[i + 1])) return false;
      const told = new Set(specificTerms(sentence));
      const shared = terms.filter((term) => told.has(term)).length;
      return shared >= TERMS_MIN && shared / terms.length >= COVERED;
    });
}

/** Whether it is what came of the question before it, and no question itself. */
function isReply(next: string | undefined): boolean {
  return next?.startsWith(CAME_OUT.trimStart()) === true && !isAskedAtEnd(next);
}

/**
 * Whether a failing check was run later, in part or as a whole. The outcome does not matter: if it failed
 * again, that session's note says so. A later commit counts as a run, as it does within one session.
 */
function wasRunAgain(failure: string, later: readonly Outcome[]): boolean {
  const matter = checkNamedIn(failure);
  return later.flatMap(({ done, openQuestions }) => [...done, ...openQuestions])
    .some((item) =>
      item.startsWith(COMMITTED_LABEL) || matter !== undefined && checkNamedIn(item) === matter
    );
}

/**
 * Whether a later session did what an earlier one left to do: it changed a file that the step names, or
 * a sentence of its work is about the same.
 */
export function isBegun(step: string, later: readonly Session[]): boolean {
  const files = filesNamed(step);
  const hasMatter = stemsOf(step, SHORT_STEM).size >= TERMS_MIN;
  return later.some(({ filesTouched, done }) =>
    filesTouched.some((file) => files.includes(file)) ||
    hasMatter && done.flatMap((text) => splitSentences(text)).some(restates(step))
  );
}

/**
 * Whether a later session, or one that ran beside, answered a question or decided against its subject. A check
 * may have failed after the session beside had run it.
 */
export function isSettled(
  question: string,
  later: readonly Session[],
  beside: readonly Session[] = [],
): boolean {
  const all = question.startsWith(FAILED_LABEL) ? later : [...later, ...beside];
  return isAnswered(question, all) || isDropped(question, all);
}

/** Those that ended before a session did, but after it began: no note says when it asked. */
export function ranBeside(asking: Session, earlier: readonly Session[]): readonly Session[] {
  return earlier.filter(({ updated }) => updated > asking.started);
}

/** Whether a later session decided against something that a step names. */
export function isDropped(step: string, later: readonly Session[]): boolean {
  return later.some(({ decisions }) => decisions.some((one) => rejectsPartOf(one, step)));
}
