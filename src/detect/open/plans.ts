/**
 * What a person says comes next when they stop: 'tomorrow i do the admin page', 'next up is level 3', 'when
 * im back: load test, then flip it'. In the middle of a session the agent does it at once, and it is no plan.
 */
import { isAskedAtEnd } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { exchangesOf } from "../text/exchanges.ts";
import { CLAUSE, phrasePattern } from "../phrases/phrase_patterns.ts";
import type { Sentence } from "../text/sentences.ts";
import { filesChanged } from "../summary/work.ts";

/** Prefilter: the whole patterns are expensive to compile. */
const SIGN = phrasePattern("plans.sign", String.raw`(?<![\wà-ÿ]){}`);
/** Says when. */
const LATER = phrasePattern("plans.later", `${CLAUSE}{}`);
/** Only says that it is next. */
const NEXT = phrasePattern("plans.next", `${CLAUSE}{}`);
/** Where somebody will be: nothing that anybody works on. */
const LIFE = phrasePattern("plans.life", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

/** How far from the end a plan may be said. */
const LATER_EXCHANGES = 4;
const NEXT_EXCHANGES = 2;
const PLANS_MAX = 3;

/** In order; without what was begun since. */
export function plansIn(sentences: readonly Sentence[], turns: readonly Turn[]): Sentence[] {
  const exchanges = exchangesOf(turns);
  const from = exchanges.at(-LATER_EXCHANGES)?.start ?? 0;
  const end = exchanges.at(-NEXT_EXCHANGES)?.start ?? 0;
  const changed = exchanges.findLast(({ replies }) => filesChanged(replies).length > 0)?.start ??
    -1;
  return sentences.filter(({ text, turn, turnIndex }) => {
    if (turnIndex < from || turn.role !== "user") return false;
    if (!SIGN.test(text) || isAskedAtEnd(text)) return false;
    const isLast = turnIndex >= end && turnIndex > changed;
    const found = LATER.exec(text) ?? (isLast ? NEXT.exec(text) : null);
    return found !== null && !LIFE.test(text.slice(found.index));
  }).slice(-PLANS_MAX);
}
