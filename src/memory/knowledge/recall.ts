/**
 * Knowledge for a question: thresholded, trimmed, within a budget, and explainable. One value holds what
 * was recalled, the near misses and the levers; `debug` and `match` print that same value.
 */
import { defined } from "../../base/defined.ts";
import type { Memory } from "../memory.ts";
import { answer, type RecallItem, type Skipped, toRecallItem } from "./answer.ts";
import { gatherCandidates, type Gathered, type GatherOptions } from "./candidates.ts";
import { type Lever, leversFor } from "./levers.ts";

export interface Recall {
  readonly query: string;
  readonly items: readonly RecallItem[];
  readonly nearMisses: readonly RecallItem[];
  /** The best candidate, if there are neither items nor near misses. */
  readonly nearest?: RecallItem;
  readonly config: {
    readonly recall_threshold: number;
    readonly embedding_weight: number;
    readonly keyword_weight: number;
    readonly max_items: number;
  };
  readonly tokens: number;
  readonly skipped: readonly Skipped[];
  readonly levers: readonly Lever[];
  readonly lexicalOnly: boolean;
}

export interface RecallOptions extends GatherOptions {
  readonly maxItems?: number;
  readonly tokensMax?: number;
}

/** How far below the threshold a note still is a near miss. */
const NEAR_MISS = 0.10;

export async function recallKnowledge(
  memory: Memory,
  query: string,
  options: RecallOptions = {},
  gathered?: Gathered,
): Promise<Recall> {
  const config = {
    recall_threshold: memory.config.get("retrieval.recall_threshold"),
    embedding_weight: memory.config.get("retrieval.embedding_weight"),
    keyword_weight: memory.config.get("retrieval.keyword_weight"),
    max_items: options.maxItems ?? memory.config.get("retrieval.max_items"),
  };
  const { scored, lexicalOnly } = gathered ?? await gatherCandidates(memory, query, options);
  const limits = {
    threshold: config.recall_threshold,
    maxItems: config.max_items,
    tokensMax: options.tokensMax ?? memory.config.get("budget.context_tokens"),
  };
  const answered = await answer(memory, scored, limits);
  const told = { query, ...answered, config, lexicalOnly };
  // A hook shows neither, and each costs the reading of a note.
  if (options.forHook === true) return { ...told, nearMisses: [], levers: [] };

  const near = scored.filter(({ score }) =>
    score < limits.threshold && score >= limits.threshold - NEAR_MISS
  );
  const nearMisses: RecallItem[] = [];
  for (const one of near) {
    const item = await toRecallItem(memory, one, Infinity);
    if (item !== undefined) nearMisses.push(item);
  }
  const [best] = scored;
  const nearest = best === undefined || answered.items.length + nearMisses.length > 0
    ? undefined
    : await toRecallItem(memory, best, Infinity);
  const isCountGiven = options.maxItems !== undefined;
  const asked = { scored, limits, answered, nearest: near[0], isCountGiven };
  return { ...told, nearMisses, ...defined({ nearest }), levers: await leversFor(memory, asked) };
}

/** The value in the form of `--json` and HTTP. */
export function recallFacts(recall: Recall): Record<string, unknown> {
  const { query, items, nearMisses, nearest, config, tokens, skipped, levers, lexicalOnly } =
    recall;
  return {
    query,
    items,
    near_misses: nearMisses,
    ...defined({ nearest }),
    config,
    tokens,
    skipped,
    levers,
    lexical_only: lexicalOnly,
  };
}
