/** What a session is about, in the person's words: shown to the sessions beside it. */
import { withoutRecalled } from "../../base/text/recalled_fence.ts";
import { collapse, cut, fold, splitSentences } from "../../base/text/text.ts";
import { handedPlan } from "../../editor/claude_code/tool_use.ts";
import { approvedPlan } from "../../editor/codex/plan.ts";
import { WITHHELD, withholdPrivate } from "../../guard/private.ts";
import { redactSync } from "../../guard/redact.ts";
import { withoutForgotten } from "../write/forgotten.ts";
import type { Memory } from "../memory.ts";
import { isConversational, passGates } from "../surfacing/gates.ts";

/** Enough of a prompt to recognise a session. */
const TOPIC_CHARACTERS_MAX = 120;
/** Gates that make a prompt no topic. An order is one. */
const SAYS_NOTHING: readonly string[] = [
  "short",
  "slash_command",
  "conversational",
  "no_specific_term",
];

type Place = Pick<Memory, "fs" | "places">;

/** The first prompt that names a topic, as one; undefined where none does. */
export function firstTopic(memory: Place, prompts: readonly string[]): string | undefined {
  // Looked up once for all prompts.
  const forget = withoutForgotten(memory);
  for (const prompt of prompts) {
    // A plan that the client hands over is the agent's; the person only approved it.
    const said = (handedPlan(prompt) ?? approvedPlan(prompt))?.said ?? prompt;
    const topic = topicIn(forget?.(said) ?? said);
    if (topic !== undefined) return topic;
  }
  return undefined;
}

function topicIn(said: string): string | undefined {
  // Before it is split: the guard knows a line of an environment file by the whole line.
  const open = redactSync(withholdPrivate(withoutRecalled(said))).text;
  const sentences = splitSentences(open).filter((sentence) => !isConversational(fold(sentence)));
  const whole = sentences.filter((sentence) => !sentence.includes(WITHHELD));
  const text = (whole.length > 0 ? whole : sentences).join(" ");
  const passed = passGates(text);
  if (text === "" || ("gate" in passed && SAYS_NOTHING.includes(passed.gate))) return undefined;
  return cut(collapse(text), TOPIC_CHARACTERS_MAX);
}
