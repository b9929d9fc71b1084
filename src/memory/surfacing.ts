/**
 * Recall that nobody asked for, behind a chain of gates: cheap ones first, the first that matches
 * keeps Sage silent. What passes is shown once a session, fenced, within a budget.
 */
import { HOOK_OUTPUT_CHARACTERS_MAX } from "../base/limits.ts";
import { type Gate, jaccard, passGates } from "./gates.ts";
import type { RecallItem } from "./knowledge/answer.ts";
import { recallKnowledge } from "./knowledge/recall.ts";
import type { Memory } from "./memory.ts";
import { fenceItems } from "./recalled.ts";
import { readSession, updateSession } from "./session/state.ts";
import { recordUse } from "./use.ts";

export type Surfacing =
  | { readonly kind: "silent"; readonly gate: Gate }
  | { readonly kind: "shown"; readonly text: string; readonly ids: readonly string[] };

/** What a fence may take of a hook's answer when nothing else is in it. */
const CHARACTERS_MAX = HOOK_OUTPUT_CHARACTERS_MAX - 400;

/** `charactersTaken`: of the answer, by what stands in front. A fence that is cut protects nothing. */
export async function surface(
  memory: Memory,
  session: string,
  prompt: string,
  charactersTaken = 0,
): Promise<Surfacing> {
  if (!memory.config.get("surfacing.enabled")) return { kind: "silent", gate: "off" };
  const state = readSession(memory, session);
  const passed = passGates(prompt);
  if ("gate" in passed) return { kind: "silent", gate: passed.gate };
  const last = state?.lastTerms;
  if (
    last !== undefined && jaccard(passed.terms, last) >= memory.config.get("surfacing.topic_change")
  ) {
    return { kind: "silent", gate: "same_topic" };
  }

  const recall = await recallKnowledge(memory, prompt, {
    forHook: true,
    tokensMax: memory.config.get("budget.surfacing_tokens"),
  });
  const shown = state?.shown ?? {};
  const changed = recall.items.filter((item) => shown[item.id] !== versionOf(item));
  const fresh = fitting(changed, shown, CHARACTERS_MAX - charactersTaken);
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

/** The first items that fit whole, in JSON as they will be printed. */
function fitting(
  items: readonly RecallItem[],
  shown: Readonly<Record<string, string>>,
  charactersMax: number,
): readonly RecallItem[] {
  let count = items.length;
  while (count > 0 && JSON.stringify(render(items.slice(0, count), shown)).length > charactersMax) {
    count--;
  }
  return items.slice(0, count);
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

/** Changes when the note does, also by a hand that leaves `updated` as it was. */
function versionOf(item: RecallItem): string {
  return item.hash.slice(0, 16);
}
