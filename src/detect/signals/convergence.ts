/**
 * Convergence: over a few exchanges questions give way to statements, until one answer states a lot and
 * asks nothing. Counts sentences; which words they use is not looked at.
 */
import { splitSentences } from "../../base/text.ts";
import { prose } from "../clean.ts";
import type { Exchange } from "../exchanges.ts";
import { standsAlone } from "../sentences.ts";
import type { Signal } from "../signal.ts";

const EXCHANGES_MIN = 3;
const WINDOW = 5;
const STATEMENTS_MIN = 3;
/** The least by which the share of questions has to fall. */
const FALL_MIN = 0.15;

export function convergence(exchanges: readonly Exchange[]): Signal | undefined {
  const window = exchanges.slice(-WINDOW);
  const last = window.at(-1);
  if (window.length < EXCHANGES_MIN || last === undefined) return undefined;
  const before = window.slice(0, -1).map(shareOfQuestions);
  const fall = before.reduce((sum, share) => sum + share, 0) / before.length -
    shareOfQuestions(last);
  const sentences = splitSentences(prose(last.answer?.text ?? ""));
  const statements = sentences.filter((sentence) => standsAlone(sentence) && !isQuestion(sentence));
  const asksBack = isQuestion(sentences.at(-1) ?? "");
  if (asksBack || statements.length < STATEMENTS_MIN || fall < FALL_MIN) return undefined;
  const definite = statements.filter((sentence) => /\d|`/.test(sentence)).length /
    statements.length;
  const confidence = 0.5 + Math.min(0.2, fall * 0.4) + 0.1 * definite;
  return {
    trigger: "synthesis",
    confidence: Math.min(0.8, confidence),
    reason: `questions gave way to ${statements.length} statements`,
  };
}

/** Of what both sides said. Short prompts weigh as one sentence each. */
function shareOfQuestions({ prompt, replies }: Exchange): number {
  const asked = splitSentences(prose(prompt?.text ?? ""));
  const said = replies.flatMap((turn) => splitSentences(prose(turn.text))).slice(-12);
  const promptShare = asked.length === 0 ? 0 : asked.filter(isQuestion).length / asked.length;
  const replyShare = said.length === 0 ? 0 : said.filter(isQuestion).length / said.length;
  return (promptShare + replyShare) / 2;
}

function isQuestion(sentence: string): boolean {
  return /[?？]["'”’)\]*_]*$/.test(sentence);
}
