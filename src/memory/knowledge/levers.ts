/** Levers: settings that would change an answer. Each is tried on the same candidates before it is offered. */
import { count } from "../../base/text/text.ts";
import { type Key, SETTINGS } from "../../config/keys.ts";
import type { Memory } from "../memory.ts";
import { type Answer, answer, BEYOND, type Limits } from "./answer.ts";
import type { Scored } from "./candidates.ts";

/** A setting that would change the answer, with the command that sets it. */
export interface Lever {
  readonly setting: string;
  readonly value: number;
  readonly command: string;
  readonly effect: string;
}

/** The answer that a lever would change, and how it came about. */
interface Asked {
  readonly scored: readonly Scored[];
  readonly limits: Limits;
  readonly answered: Answer;
  /** The best of those just below the threshold. */
  readonly nearest: Scored | undefined;
  /** The caller gave a count, so the setting decides nothing. */
  readonly isCountGiven: boolean;
}

export async function leversFor(memory: Memory, asked: Asked): Promise<Lever[]> {
  const { limits, answered, nearest } = asked;
  const tries: { key: Key; value: number; limits: Limits; print: string }[] = [];
  if (nearest !== undefined) {
    const threshold = Math.floor(nearest.score * 100) / 100;
    const next = { ...limits, threshold };
    tries.push({
      key: "retrieval.recall_threshold",
      value: threshold,
      limits: next,
      print: threshold.toFixed(2),
    });
  }
  const beyond = answered.skipped.filter(({ reason }) => reason.startsWith(BEYOND)).length;
  if (beyond > 0 && !asked.isCountGiven) {
    const maxItems = Math.min(limits.maxItems + beyond, SETTINGS["retrieval.max_items"].max);
    const next = { ...limits, maxItems };
    tries.push({ key: "retrieval.max_items", value: maxItems, limits: next, print: `${maxItems}` });
  }
  const levers: Lever[] = [];
  for (const { key, value, limits, print } of tries) {
    const more = await gain(memory, asked, limits);
    if (more <= 0) continue;
    const effect = `would include ${count(more, "more item")}`;
    levers.push({ setting: key, value, command: commandFor(memory, key, print), effect });
  }
  return levers;
}

/** How many more items the answer would have; 0 where it would lose one. */
async function gain(memory: Memory, { scored, answered }: Asked, limits: Limits): Promise<number> {
  const after = new Set((await answer(memory, scored, limits)).items.map(({ path }) => path));
  const keepsAll = answered.items.every(({ path }) => after.has(path));
  return keepsAll ? after.size - answered.items.length : 0;
}

/** The command for the layer that decides now; in another layer it would change nothing. */
function commandFor(memory: Memory, key: Key, value: string): string {
  const { source, variable } = memory.config.explain(key);
  if (source === "environment") return `export ${variable}=${value}`;
  const name = key === "retrieval.recall_threshold" ? "recall_threshold" : key;
  return `sage config set ${name} ${value}${source === "project" ? " --project" : ""}`;
}
