/**
 * What the agent did that marks a point: an approved plan, a long structured answer that concludes, a
 * subagent's report, tests that went from failing to passing. A commit, green tests or a finished list
 * alone is none; they raise what is there.
 */
import type { Exchange } from "../exchanges.ts";
import { fold } from "../../base/text.ts";
import { wordCount } from "../sentences.ts";
import type { Signal } from "../signal.ts";
import { checksRun, commitsMade, taskState } from "../work.ts";

const CONCLUDING =
  /^(?:conclusions?|summary|results?|findings?|verdict|root cause|cause|recommendations?|diagnosis|outcome|what (?:i|we) (?:found|learned)|why|the (?:cause|fix|design|answer)|tl;?dr|fazit|ergebnis(?:se)?|ursache|zusammenfassung|empfehlung|conclusiones|resumen|resultados?|conclusion)\b/;
const ANSWER_WORDS_MIN = 60;
const LONG_ANSWER_WORDS = 150;
const REPORT_CHARACTERS_MIN = 400;
/** Work behind an answer: calls of tools and exchanges since the last save. */
const FINDINGS_MIN = 4;
/** One failure on the way is work as usual. */
const FAILURES_MIN = 2;

export function behaviour(exchanges: readonly Exchange[]): Signal | undefined {
  const last = exchanges.at(-1);
  if (last === undefined) return undefined;
  const found = [planApproved(last), concluded(exchanges), mended(exchanges), reported(last)]
    .filter((signal) => signal !== undefined).sort((a, b) => b.confidence - a.confidence);
  const [best] = found;
  if (best === undefined) return undefined;
  const raised = best.confidence + 0.04 * (found.length - 1) + events(last);
  return { ...best, confidence: Math.min(0.92, raised) };
}

function planApproved({ tools }: Exchange): Signal | undefined {
  const plan = tools.find((tool) => tool.name === "ExitPlanMode" && tool.failed === false);
  return plan === undefined
    ? undefined
    : { trigger: "synthesis", confidence: 0.75, reason: "a plan was approved" };
}

/** An answer with a conclusion's headings, standing on work that came before it. */
function concluded(exchanges: readonly Exchange[]): Signal | undefined {
  const last = exchanges.at(-1);
  const text = last?.answer?.text ?? "";
  const words = wordCount(text);
  if (words < ANSWER_WORDS_MIN || /\?\s*$/.test(text)) return undefined;
  const headings = text.split("\n").flatMap((line) =>
    /^\s*#{1,5} (.*)$/.exec(line)?.[1] ?? /^\s*\*\*([^*]{3,60})\*\*:?/.exec(line)?.[1] ?? []
  ).map((heading) => fold(heading).trim());
  const concluding = headings.filter((heading) => CONCLUDING.test(heading)).length;
  const findings = exchanges.flatMap((exchange) => exchange.tools).length + exchanges.length;
  if (concluding === 0 && (headings.length < 2 || words < LONG_ANSWER_WORDS)) return undefined;
  const confidence = 0.55 + (concluding > 0 ? 0.12 : 0) + Math.min(0.06, (concluding - 1) * 0.06) +
    (words >= LONG_ANSWER_WORDS ? 0.06 : 0) + (findings >= FINDINGS_MIN ? 0.1 : -0.05);
  return { trigger: "synthesis", confidence, reason: "a structured answer that concludes" };
}

/** A check that had failed more than once passes in the last exchange, and the answer says why. */
function mended(exchanges: readonly Exchange[]): Signal | undefined {
  const last = exchanges.at(-1);
  const own = checksRun(last?.replies ?? []);
  const passed = own.at(-1);
  if (passed?.passed !== true) return undefined;
  const failures = exchanges.flatMap(({ replies }) => checksRun(replies))
    .filter((check) => !check.passed && check.command === passed.command).length;
  return failures >= FAILURES_MIN && wordCount(last?.answer?.text ?? "") >= ANSWER_WORDS_MIN / 2
    ? { trigger: "synthesis", confidence: 0.58, reason: "a check that kept failing passes now" }
    : undefined;
}

function reported({ tools, answer }: Exchange): Signal | undefined {
  const report = tools.find((tool) =>
    (tool.name === "Agent" || tool.name === "Task") &&
    (tool.result?.length ?? 0) >= REPORT_CHARACTERS_MIN
  );
  return report !== undefined && wordCount(answer?.text ?? "") >= ANSWER_WORDS_MIN
    ? { trigger: "synthesis", confidence: 0.56, reason: "a subagent reported" }
    : undefined;
}

function events({ replies }: Exchange): number {
  const tasks = taskState(replies);
  const isListDone = tasks.length >= 2 && tasks.every((task) => task.status === "completed");
  return (commitsMade(replies).length > 0 ? 0.03 : 0) + (isListDone ? 0.03 : 0);
}
