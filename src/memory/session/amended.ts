/**
 * The parts of a session's note: the agent's own words, if it gave any, else the client's recap, and what the
 * conversation adds. What was said after the agent's words is newer than they are, and is added too.
 */
import { parseTime } from "../../base/clock.ts";
import type { ExtractOptions } from "../../detect/checkpoint/extract.ts";
import { type Recap, recapOf } from "../../detect/summary/recap.ts";
import { type SessionSummary, summarizeSession } from "../../detect/summary/summarize.ts";
import type { Transcript } from "../../editor/editor.ts";
import type { SessionState } from "./state/session_state.ts";

const NOTHING: SessionSummary = {
  title: "",
  summary: "",
  decisions: [],
  done: [],
  openQuestions: [],
  next: [],
  filesTouched: [],
  commits: [],
  commands: [],
};

export function amended(
  state: SessionState | undefined,
  { turns, recap }: Pick<Transcript, "turns" | "recap">,
  options: ExtractOptions,
): SessionSummary | undefined {
  const found = retold(summarizeSession(turns, options), recapOf(recap, turns));
  const said = state?.amended;
  if (said === undefined) return found;
  const all = found ?? NOTHING;
  const since = turns.filter(({ at }) => (parseTime(at) ?? 0) > said.at);
  const later = since.length === 0 ? NOTHING : summarizeSession(since, options) ?? NOTHING;
  const { summary, done = [], decisions = [], openQuestions, next } = said;
  return {
    ...all,
    summary: summary ?? all.summary,
    done: distinct([...done, ...all.done]),
    // The order matters: readers are told the last decision, the last question and the first step.
    decisions: distinct([...all.decisions, ...decisions]),
    openQuestions: openQuestions === undefined
      ? all.openQuestions
      : distinct([...openQuestions, ...later.openQuestions]),
    next: next === undefined ? all.next : distinct([...later.next, ...next]),
  };
}

function retold(
  found: SessionSummary | undefined,
  recap: Recap | undefined,
): SessionSummary | undefined {
  if (found === undefined || recap === undefined) return found;
  const { summary, next } = recap;
  return {
    ...found,
    summary,
    next: next === "" ? found.next : [next, ...found.next.filter((one) => one !== next)],
  };
}

/** Without duplicates: the last of equal texts stays. */
function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.toReversed())].toReversed();
}
