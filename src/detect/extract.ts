/**
 * The checkpoint that needs no model: built from the turns alone, when nobody writes a better one
 * (before compaction, after a crash, or when the agent was asked and did not answer). Every sentence
 * stands in a turn word for word. Secrets and private text are the caller's to remove, before.
 */
import type { Embedder } from "../embed/embedder.ts";
import type { Turn } from "../editor/editor.ts";
import { cut } from "../base/text.ts";
import { estimateTokens } from "../base/tokens.ts";
import { findDecisions } from "./decisions.ts";
import { errorLines } from "./evidence.ts";
import { exchangesOf } from "./exchanges.ts";
import { type Extract, fill } from "./fill.ts";
import { intentsOf } from "./intent.ts";
import { nextSteps, openQuestions } from "./questions.ts";
import { pickDistinct, type Ranked, rankSentences } from "./rank_sentences.ts";
import { withinReach } from "./reach.ts";
import { standing } from "./reversals.ts";
import { sentencesOf, wordCount } from "./sentences.ts";
import { commitsMade, filesChanged, taskState } from "./work.ts";
import { weighWorth } from "./worth.ts";

export interface ExtractOptions {
  readonly embedder?: Embedder | undefined;
  /** The stop hook's copy of the last reply, for when the turns lack it. */
  readonly lastAssistantMessage?: string | undefined;
  readonly tokensMax?: number;
  /** Words of effort below which there is nothing to keep; 0 where the words are about to go. */
  readonly effortMin?: number;
  /** Blacks out secrets, for strings that are taken out of their sentence. */
  readonly redact?: ((text: string) => string) | undefined;
  /** Paths below it become relative. */
  readonly cwd?: string;
}

const TOKENS_MAX = 500;
/** Below this, nothing happened that anybody would come back for. */
const EFFORT_MIN = 60;
const OPEN_MAX = 4;
const QUESTION_CHARACTERS_MAX = 360;
const THESIS_EXCHANGES = 4;

/** A sentence that says how it came out. */
const CONCLUSION =
  /\b(?:root cause|the (?:real |actual |underlying |main )?(?:problem|issue|cause|reason|culprit|fix|bug|answer|bottleneck|difference) (?:is|was|were|turned|lies)|turn(?:s|ed) out|caused by|therefore|in short|in summary|to sum(?:mari[sz]e| up)|overall|bottom line|key (?:insight|point|finding|takeaway)|conclusion|verdict|recommend\w*|fixed|works now|confirmed|this means|which means|that explains|is why|we (?:cannot|can't|now|chose|decided)|no longer|ursache|liegt (?:daran|an)|das bedeutet|zusammengefasst|fazit|empfehl\w*|behoben|stellt sich heraus|deshalb|la causa|en resumen|por lo tanto|recomiendo|la cause|en résumé|je recommande)\b/i;
const CONCLUSION_HEADING =
  /^(?:conclusion|summary|result|finding|verdict|root cause|recommendation|diagnosis|outcome|tl;?dr|fazit|ergebnis|ursache|zusammenfassung|empfehlung|conclusi|resum|resultado)/;

/** What the turns hold that is worth keeping, or undefined where too little happened. */
export function extractCheckpoint(
  turns: readonly Turn[],
  options: ExtractOptions = {},
): Extract | undefined {
  const all = withinReach(withReply(turns, options.lastAssistantMessage));
  const intents = intentsOf(all);
  const decisions = standing(findDecisions(all));
  const first = intents[0];
  if (first === undefined) return undefined;
  if (effortOf(all, decisions.length) < (options.effortMin ?? EFFORT_MIN)) return undefined;

  const ranked = rankSentences(sentencesOf(all), options.embedder);
  const thesis = thesisOf(all, ranked);
  const worthy = weighWorth(all, ranked).toSorted((a, b) => b.score - a.score);
  // A prompt that decides is kept as a decision; the question is what stood before it.
  const latest = intents.findLast((intent) =>
    !decisions.some(({ turn }) => turn === intent.turn.uuid)
  );
  const fixed = {
    coreQuestion: latest === undefined || latest === first
      ? cut(first.text, QUESTION_CHARACTERS_MAX)
      : `${cut(first.text, QUESTION_CHARACTERS_MAX / 2)} — then: ${
        cut(latest.text, QUESTION_CHARACTERS_MAX / 2)
      }`,
    thesis: thesis.map(({ sentence }) => sentence.text).join(" "),
    nextStep: nextSteps(all, taskState(all))[0],
  };
  return fill(fixed, {
    turns: all,
    decisions,
    open: openQuestions(all).slice(-OPEN_MAX),
    worthy,
    thesis: worthy.filter(({ sentence }) => thesis.some((one) => one.sentence === sentence)),
    cwd: options.cwd,
    redact: options.redact,
  }, options.tokensMax ?? TOKENS_MAX);
}

/** Words, with what was done counted as words. */
function effortOf(turns: readonly Turn[], decisions: number): number {
  const words = turns.filter((turn) => turn.role === "assistant")
    .reduce((sum, turn) => sum + Math.min(400, wordCount(turn.text)), 0);
  return words + filesChanged(turns).length * 25 + commitsMade(turns).length * 40 +
    decisions * 20 + errorLines(turns).length * 20;
}

/** The turns with the reply that the hook was handed, where they lack it. */
export function withReply(turns: readonly Turn[], reply: string | undefined): readonly Turn[] {
  if (reply === undefined || reply.trim() === "") return turns;
  if (
    turns.slice(-8).some((turn) => turn.role === "assistant" && turn.text.includes(reply.trim()))
  ) {
    return turns;
  }
  return [...turns, {
    uuid: "last-assistant-message",
    role: "assistant",
    at: "",
    text: reply,
    tools: [],
  }];
}

/** The agent's last conclusion: one to three sentences of one reply, in their order. */
export function thesisOf(turns: readonly Turn[], ranked: readonly Ranked[]): Ranked[] {
  const exchanges = exchangesOf(turns).slice(-THESIS_EXCHANGES).reverse();
  const ages = new Map(exchanges.map(({ answer }, age) => [answer, age]));
  const scored = assistantOnly(ranked).flatMap((candidate) => {
    const { sentence } = candidate;
    const age = ages.get(sentence.turn);
    if (age === undefined || sentence.text.endsWith("?")) return [];
    const says = CONCLUSION.test(sentence.text) || CONCLUSION_HEADING.test(sentence.heading);
    const score = (candidate.score + (says ? 0.45 : 0) + (sentence.position === 0 ? 0.15 : 0)) *
      0.82 ** age;
    return [{ ...candidate, score }];
  });
  const best = scored.reduce<Ranked | undefined>(
    (top, next) => top === undefined || next.score > top.score ? next : top,
    undefined,
  );
  if (best === undefined) return [];
  const same = scored.filter(({ sentence, score }) =>
    sentence.turn === best.sentence.turn && score > best.score * 0.6
  );
  const picked = pickDistinct(same, 3);
  while (picked.length > 1 && estimateTokens(joined(picked)) > 110) picked.pop();
  return picked.sort((a, b) => a.sentence.position - b.sentence.position);
}

function assistantOnly(ranked: readonly Ranked[]): Ranked[] {
  return ranked.filter(({ sentence }) => sentence.turn.role === "assistant");
}

function joined(sentences: readonly Ranked[]): string {
  return sentences.map(({ sentence }) => sentence.text).join(" ");
}
