/**
 * Recall that nobody asked for, behind a chain of gates: cheap ones first, the first that matches
 * keeps Sage silent. What passes is shown once a session, fenced, within a budget.
 */
import { fold } from "../base/text.ts";
import { type RecallItem, recallKnowledge } from "./knowledge/recall.ts";
import type { Memory } from "./memory.ts";
import { fenceItems } from "./recalled.ts";
import { readSession, updateSession } from "./session/state.ts";
import { recordUse } from "./use.ts";

export type Gate =
  | "off"
  | "short"
  | "slash_command"
  | "conversational"
  | "no_specific_term"
  | "mode"
  | "same_topic"
  | "nothing_relevant"
  | "shown_before";

export type Surfacing =
  | { readonly kind: "silent"; readonly gate: Gate }
  | { readonly kind: "shown"; readonly text: string; readonly ids: readonly string[] };

const PROMPT_CHARACTERS_MIN = 20;

const CONVERSATIONAL =
  /^(?:(?:ok(?:ay)?|yes|yeah|yep|no|nope|sure|thanks?|thank you|great|perfect|nice|cool|awesome|good|sounds good|looks good|lgtm|got it|go ahead|please|continue|do it|proceed|well done|hello|hi|hey|good (?:morning|evening)|danke|super|gut|weiter|merci|gracias|vale)[\s,.!]*)+(?:that'?s? (?:great|perfect|it|all|good)|(?:very|so) much|for (?:now|that|your help))?[\s,.!]*$/;

/** Orders to act on what lies in front: the agent knows what it works on. */
const EXECUTING =
  /^(?:(?:please|now|ok(?:ay)?|then)[\s,]+)*(?:run|rerun|execute|commit|push|merge|format|lint|build|deploy|install|delete|remove|rename|move|revert|undo|apply|fix (?:it|this|that|them)|try again|retry|continue|go on|do (?:it|that|this)|make (?:it|that) so|show me the diff)\b/;

/** The gate that keeps Sage silent about this prompt, or the terms of what it is about. */
export function passGates(
  prompt: string,
  lastTerms: readonly string[] | undefined,
  topicChange: number,
): { readonly gate: Gate } | { readonly terms: readonly string[] } {
  const text = prompt.trim();
  if (text.startsWith("/")) return { gate: "slash_command" };
  if (text.length < PROMPT_CHARACTERS_MIN) return { gate: "short" };
  const folded = fold(text);
  if (CONVERSATIONAL.test(folded.slice(0, 200))) return { gate: "conversational" };
  const terms = specificTerms(text);
  if (terms.length === 0) return { gate: "no_specific_term" };
  if (EXECUTING.test(folded) && text.length < 80 && !text.includes("?")) return { gate: "mode" };
  if (lastTerms !== undefined && jaccard(terms, lastTerms) >= topicChange) {
    return { gate: "same_topic" };
  }
  return { terms };
}

export async function surface(memory: Memory, session: string, prompt: string): Promise<Surfacing> {
  if (!memory.config.get("surfacing.enabled")) return { kind: "silent", gate: "off" };
  const state = readSession(memory, session);
  const passed = passGates(prompt, state?.lastTerms, memory.config.get("surfacing.topic_change"));
  if ("gate" in passed) return { kind: "silent", gate: passed.gate };

  const recall = await recallKnowledge(memory, prompt, {
    forHook: true,
    tokensMax: memory.config.get("budget.surfacing_tokens"),
  });
  const shown = state?.shown ?? {};
  const fresh = recall.items.filter((item) => shown[item.id] !== versionOf(item));
  updateSession(memory, session, (now) => ({
    ...now,
    lastTerms: passed.terms,
    shown: { ...now.shown, ...Object.fromEntries(fresh.map((item) => [item.id, versionOf(item)])) },
  }));
  if (fresh.length === 0) {
    return {
      kind: "silent",
      gate: recall.items.length === 0 ? "nothing_relevant" : "shown_before",
    };
  }
  for (const { id } of fresh) recordUse(memory, "surfaced", id);
  return { kind: "shown", text: render(fresh, shown), ids: fresh.map(({ id }) => id) };
}

function render(items: readonly RecallItem[], shown: Readonly<Record<string, string>>): string {
  const fenced = fenceItems(items.map((item) => ({
    id: item.short_id,
    title: item.title,
    date: item.updated.slice(0, 10),
    author: item.author,
    trust: item.scope,
    flags: [...item.flags, ...(shown[item.id] === undefined ? [] : ["changed since shown"])],
    body: item.text,
  })));
  return `Knowledge recalled (${items.length})\n${fenced}`;
}

/** Changes when the note does. */
function versionOf(item: RecallItem): string {
  return `${item.updated}/${item.tokens}`;
}

/** Words that say nothing about a topic. Question words, politeness, generic verbs of our trade. */
const GENERIC = new Set(
  ("about after again also another anything back because been before being between both bring came come could does doing done " +
    "down each even every everything first from gets give goes going good have having help here into just keep know last later like " +
    "look made make many maybe more most much must need never next nothing okay once only other over please quite really right same " +
    "seems shall should show some something soon still such sure take tell than that them then there these they thing things think " +
    "this those time together under until upon used using very want well were what when where which while will with without work " +
    "would your code file files test tests function line lines change changes write read update create implement check explain")
    .split(" "),
);

/** The specific words of a prompt: identifiers, names, and words of four letters or more. */
export function specificTerms(prompt: string): string[] {
  const terms = new Set<string>();
  for (const match of prompt.slice(0, 4000).matchAll(/[\p{L}\p{N}_./-]+/gu)) {
    const word = match[0].replace(/^[./-]+|[./-]+$/g, "");
    const folded = fold(word);
    const isIdentifier = /[_./]|\p{Ll}\p{Lu}|\d/u.test(word) && /\p{L}/u.test(word);
    const isShortCjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
      .test(word);
    if (isShortCjk || (word.length >= (isIdentifier ? 3 : 4) && !GENERIC.has(folded))) {
      terms.add(folded);
    } else if (/^[A-Z]{2,}$/.test(word)) terms.add(folded);
  }
  return [...terms];
}

function jaccard(a: readonly string[], b: readonly string[]): number {
  const left = new Set(a);
  const right = new Set(b);
  const shared = [...left].filter((term) => right.has(term)).length;
  return shared / Math.max(1, left.size + right.size - shared);
}
