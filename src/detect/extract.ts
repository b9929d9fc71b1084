/**
 * The checkpoint that needs no model: built from the turns alone, when nobody writes a better one
 * (before compaction, after a crash, or when the agent was asked and did not answer). Every sentence
 * stands in a turn word for word. Secrets and private text are the caller's to remove, before.
 */
import type { Embedder } from "../embed/embedder.ts";
import type { PlanItem, Turn } from "../editor/editor.ts";
import { cut } from "../base/text.ts";
import { estimateTokens } from "../base/tokens.ts";
import { findDecisions, hasReason } from "./decisions.ts";
import { errorLines, evidenceOf } from "./evidence.ts";
import { exchangesOf } from "./exchanges.ts";
import { intentsOf } from "./intent.ts";
import { nextSteps, openQuestions } from "./questions.ts";
import { pickDistinct, type Ranked, rankSentences, saysTheSame } from "./rank_sentences.ts";
import { withinReach } from "./reach.ts";
import { sentencesOf, wordCount } from "./sentences.ts";
import { commitsMade, filesChanged, taskState } from "./work.ts";

export interface ExtractOptions {
  readonly embedder?: Embedder | undefined;
  /** The stop hook's copy of the last reply, for when the turns lack it. */
  readonly lastAssistantMessage?: string | undefined;
  readonly tokensMax?: number;
  /** Words of effort below which there is nothing to keep; 0 where the words are about to go. */
  readonly effortMin?: number;
  /** Paths below it become relative. */
  readonly cwd?: string;
}

export interface Extract {
  readonly coreQuestion: string;
  readonly thesis: string;
  readonly keyEvidence: readonly string[];
  readonly decisions: readonly string[];
  readonly openQuestions: readonly string[];
  readonly reasoningTrace: string;
  readonly nextStep: string | undefined;
  readonly filesTouched: readonly string[];
  readonly commits: readonly string[];
  /** The open items of the agent's task list. */
  readonly todos: readonly PlanItem[];
}

const TOKENS_MAX = 500;
/** Below this, nothing happened that anybody would come back for. */
const EFFORT_MIN = 60;
const FILES_MAX = 8;
const TRACE_MAX = 4;
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
  const ranked = rankSentences(sentencesOf(all), options.embedder);
  const intents = intentsOf(all);
  const decisions = findDecisions(all);
  const files = filesChanged(all, options.cwd);
  const commits = commitsMade(all);
  const first = intents[0];
  if (first === undefined) return undefined;
  const words = all.filter((turn) => turn.role === "assistant")
    .reduce((sum, turn) => sum + Math.min(400, wordCount(turn.text)), 0);
  const effort = words + files.length * 25 + commits.length * 40 + decisions.length * 20 +
    errorLines(all).length * 20;
  if (effort < (options.effortMin ?? EFFORT_MIN)) return undefined;

  const thesis = thesisOf(all, ranked);
  const tasks = taskState(all);
  const decided = [...decisions].sort((a, b) =>
    Number(hasReason(b.text)) - Number(hasReason(a.text))
  )
    .slice(0, 4).map((decision) => decision.text);
  const taken = [...thesis, ...ranked.filter(({ sentence }) => decided.includes(sentence.text))];
  const open = openQuestions(all).slice(-4);
  // A prompt that decides is kept as a decision; the question is what stood before it.
  const latest = intents.findLast((intent) =>
    !decisions.some(({ turn }) => turn === intent.turn.uuid)
  );
  return fitTokens({
    coreQuestion: latest === undefined || latest === first
      ? first.text
      : `${first.text} — then: ${latest.text}`,
    thesis: thesis.map(({ sentence }) => sentence.text).join(" "),
    keyEvidence: [
      ...evidenceOf(all, { ranked: assistantOnly(ranked), taken, most: 6 }),
      ...(files.length === 0 ? [] : [`Changed: ${fileList(files)}`]),
      ...commits.slice(-3).map((commit) => `Commit ${commit}`),
    ],
    decisions: decided,
    openQuestions: open,
    reasoningTrace: traceOf(all, ranked, taken),
    nextStep: nextSteps(all, tasks)[0],
    filesTouched: files.slice(0, FILES_MAX),
    commits: commits.slice(-3),
    todos: tasks.filter((task) => task.status !== "completed").slice(0, 6),
  }, options.tokensMax ?? TOKENS_MAX);
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

/** How it came to that: the telling sentence of each step, oldest first. */
function traceOf(
  turns: readonly Turn[],
  ranked: readonly Ranked[],
  taken: readonly Ranked[],
): string {
  const steps = exchangesOf(turns).flatMap(({ start, replies, prompt }) => {
    const end = start + replies.length + (prompt === undefined ? 0 : 1);
    const own = assistantOnly(ranked).filter(({ sentence }) =>
      sentence.turnIndex >= start && sentence.turnIndex < end && !sentence.text.endsWith("?")
    );
    return pickDistinct(own, 1, taken);
  });
  const distinct: Ranked[] = [];
  for (const step of steps) {
    if (!distinct.some((other) => saysTheSame(step, other))) distinct.push(step);
  }
  const best = pickDistinct(distinct, TRACE_MAX);
  return joined(distinct.filter((step) => best.includes(step)));
}

function assistantOnly(ranked: readonly Ranked[]): Ranked[] {
  return ranked.filter(({ sentence }) => sentence.turn.role === "assistant");
}

function joined(sentences: readonly Ranked[]): string {
  return sentences.map(({ sentence }) => sentence.text).join(" ");
}

export function fileList(files: readonly string[]): string {
  const shown = files.slice(0, FILES_MAX).join(", ");
  return files.length > FILES_MAX ? `${shown} and ${files.length - FILES_MAX} more` : shown;
}

/** Drops what matters least until the whole is within the budget. */
function fitTokens(extract: Extract, tokensMax: number): Extract {
  const fitted = {
    ...extract,
    coreQuestion: cut(extract.coreQuestion, 480),
    keyEvidence: [...extract.keyEvidence],
    decisions: [...extract.decisions],
    openQuestions: [...extract.openQuestions],
    trace: extract.reasoningTrace === "" ? [] : [extract.reasoningTrace],
    todos: [...extract.todos],
  };
  const lists: [unknown[], number][] = [
    [fitted.todos, 3],
    [fitted.keyEvidence, 6],
    [fitted.trace, 0],
    [fitted.openQuestions, 2],
    [fitted.decisions, 3],
    [fitted.keyEvidence, 3],
    [fitted.todos, 0],
    [fitted.openQuestions, 0],
    [fitted.keyEvidence, 0],
    [fitted.decisions, 0],
  ];
  const assembled = (): Extract => {
    const { trace, ...rest } = fitted;
    return { ...rest, reasoningTrace: trace[0] ?? "" };
  };
  for (const [list, least] of lists) {
    while (list.length > least && tokensOf(assembled()) > tokensMax) list.pop();
  }
  return assembled();
}

/** What the checkpoint will cost whoever reads it. */
export function tokensOf(extract: Extract): number {
  return estimateTokens([
    extract.coreQuestion,
    extract.thesis,
    ...extract.keyEvidence,
    ...extract.decisions,
    ...extract.openQuestions,
    extract.reasoningTrace,
    extract.nextStep ?? "",
    ...extract.filesTouched,
    ...extract.commits,
    ...extract.todos.map((item) => item.text),
  ].join("\n"));
}
