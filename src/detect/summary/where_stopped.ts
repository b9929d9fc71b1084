/**
 * What a session's summary tells after its result: a later change of it, else where the session stopped. Apart from
 * summarize.ts, because the result may have been said long before the end.
 */
import { cut } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { prose } from "../text/clean.ts";
import { isCutOff } from "./cut_off.ts";
import { conclude, type Conclusion, type Lookback } from "../checkpoint/extract.ts";
import { exchangesOf } from "../text/exchanges.ts";
import { type Intent, leadOf } from "./intent.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { isStillOpen } from "../open/questions.ts";
import type { Ranked } from "../checkpoint/rank_sentences.ts";
import type { Salient } from "../checkpoint/salience.ts";
import type { Sentence } from "../text/sentences.ts";
import { CAME_OUT, THEN } from "./summary_marks.ts";
import { filesChanged } from "./work.ts";

/** Of a request beside another one. */
export const REQUEST_CHARACTERS_MAX = 120;
/** One answer is chosen before its sentences are. */
const ANYWHERE: Lookback = { exchanges: Infinity, fade: 1, takesAnnounced: true };

interface Later {
  readonly ranked: readonly Ranked[];
  /** What holds at the end and belongs to the work. */
  readonly held: readonly Salient[];
  readonly intents: readonly Intent[];
}

/** What follows the result in the summary: at most one text, which begins with `THEN`. */
export function afterResult(
  turns: readonly Turn[],
  conclusion: Conclusion,
  later: Later,
): string[] {
  const changed = changedSince(later.ranked, conclusion);
  return changed.length > 0 ? changed : whereStopped(turns, conclusion, later);
}

/**
 * The last request that was answered and what came of it. Not where the answer is out of date or beside the work;
 * what was cut off before a word of it is listed as next.
 */
function whereStopped(
  turns: readonly Turn[],
  { text: said, at }: Conclusion,
  { ranked, held, intents }: Later,
): string[] {
  const requests = new Set(intents.map(({ turn }) => turn));
  const holding = new Set(held.map(({ sentence }) => sentence.turn));
  const told = new Set(ranked.map(({ sentence }) => sentence.turn));
  const last = exchangesOf(turns).findLast((exchange) => {
    const { start, prompt, answer, tools, replies } = exchange;
    if (start <= at || prompt === undefined || answer === undefined) return false;
    if (!requests.has(prompt) && tools.length === 0) return false;
    if (told.has(answer)) return holding.has(answer);
    // "Done." and code alone say nothing that may be out of date; "Both are saved." leaves the work where it was.
    return !isCutOff(exchange) &&
      (filesChanged(replies).length > 0 || prose(answer.text).trim() === "");
  });
  if (last === undefined) return [];
  const own = held.filter(({ sentence }) => last.answers.includes(sentence.turn));
  const result = conclude(turns, own, ANYWHERE);
  if (result !== undefined && said.includes(result.text)) return [];
  // Assent goes on with what was requested before it.
  const asked = intents.findLast(({ turn }) => turns.indexOf(turn) <= last.start);
  const parts = [
    ...(asked === undefined || turns.indexOf(asked.turn) < at
      ? []
      : [cut(leadOf(asked.text), REQUEST_CHARACTERS_MAX)]),
    ...(result === undefined ? [] : [result.text]),
  ];
  return parts.length === 0 ? [] : [THEN + parts.join(CAME_OUT)];
}

/** A later change of the result: "5 minutes now instead of 10", after a result that said 10. */
function changedSince(
  ranked: readonly { readonly sentence: Sentence }[],
  { text: said, at }: Conclusion,
): string[] {
  const later = ranked.map(({ sentence }) => sentence).filter(({ turn, turnIndex, text }) => {
    const [, was] = turn.role === "assistant" && turnIndex > at ? INSTEAD.exec(text) ?? [] : [];
    return was !== undefined && !said.includes(text) && !isStillOpen(text) &&
      said.split(/[^\w.%]+/).includes(was);
  }).sort((a, b) => b.turnIndex - a.turnIndex);
  return later.slice(0, 1).map(({ text }) => `${THEN}${text}`);
}

/** A number with its unit or noun; other words repeat too often. */
const INSTEAD = phrasePattern("summarize.instead", String.raw`\b{} (\d[\w.%]*?)\b`);
