/**
 * Knowledge for a question: thresholded, trimmed, within a budget, and explainable. One value carries
 * what was recalled, what nearly was, and the levers; `debug` and `match` print that same value.
 */
import { QUERY_CHARACTERS_MAX } from "../../base/limits.ts";
import type { Candidate } from "../../search/document.ts";
import { prepareQuery, type Query, withPatterns } from "../../search/query.ts";
import type { Store } from "../../store/store.ts";
import type { Memory } from "../memory.ts";
import { refreshStore } from "../reindex.ts";
import { answer, type RecallItem, type Scored, type Skipped, toRecallItem } from "./answer.ts";
import { type Lever, leversFor } from "./levers.ts";

export interface Recall {
  readonly query: string;
  readonly items: readonly RecallItem[];
  readonly nearMisses: readonly RecallItem[];
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

export interface RecallOptions {
  readonly maxItems?: number;
  readonly skill?: string;
  readonly scope?: "project" | "user";
  readonly tokensMax?: number;
  /** Unasked: nothing from stores nobody trusted, and the index as it stands. */
  readonly forHook?: boolean;
}

/** How far below the threshold a note still is a near miss. */
const NEAR_MISS = 0.10;
const CANDIDATES_MAX = 50;

export async function recallKnowledge(
  memory: Memory,
  query: string,
  options: RecallOptions = {},
): Promise<Recall> {
  const config = {
    recall_threshold: memory.config.get("retrieval.recall_threshold"),
    embedding_weight: memory.config.get("retrieval.embedding_weight"),
    keyword_weight: memory.config.get("retrieval.keyword_weight"),
    max_items: options.maxItems ?? memory.config.get("retrieval.max_items"),
  };
  const { scored, lexicalOnly } = await gather(memory, query, options);
  const limits = {
    threshold: config.recall_threshold,
    maxItems: config.max_items,
    tokensMax: options.tokensMax ?? memory.config.get("budget.context_tokens"),
  };
  const answered = await answer(memory, scored, limits);
  const told = { query, ...answered, config, lexicalOnly };
  // Nobody reads them in a hook, and each costs the reading of a note.
  if (options.forHook === true) return { ...told, nearMisses: [], levers: [] };

  const near = scored.filter(({ score }) =>
    score < limits.threshold && score >= limits.threshold - NEAR_MISS
  );
  const nearMisses: RecallItem[] = [];
  for (const one of near.slice(0, CANDIDATES_MAX)) {
    const item = await toRecallItem(memory, one, limits, Infinity);
    if (item !== undefined) nearMisses.push(item);
  }
  const isCountGiven = options.maxItems !== undefined;
  const asked = { scored, limits, answered, nearest: near[0], isCountGiven };
  return { ...told, nearMisses, levers: await leversFor(memory, asked) };
}

/** Candidates of every store in scope with their scores, best first. */
async function gather(
  memory: Memory,
  query: string,
  options: RecallOptions,
): Promise<{ scored: Scored[]; lexicalOnly: boolean }> {
  const prepared = prepareQuery(query.slice(0, QUERY_CHARACTERS_MAX), memory.embedder());
  const weights = {
    embedding: memory.config.get("retrieval.embedding_weight"),
    keyword: memory.config.get("retrieval.keyword_weight"),
  };
  const threshold = memory.config.get("retrieval.recall_threshold");
  const scored: Scored[] = [];
  for (const store of memory.stores) {
    if (options.scope !== undefined && store.scope !== options.scope) continue;
    if (options.forHook === true && store.trust === "unknown") continue;
    if (memory.fs.lstat(store.root) === undefined) continue;
    if (options.forHook !== true) await refreshStore(memory, store);
    const factor = store.scope === "user" ? memory.config.get("retrieval.user_scope_priority") : 1;
    const candidates = memory.index(store).query(await withTriggers(memory, store, prepared), {
      limit: CANDIDATES_MAX,
      // Unasked, only what passes matters; who asks may also see what nearly did.
      ...(options.forHook === true ? { atLeast: threshold / factor } : {}),
      weights,
      kinds: ["knowledge"],
      statuses: ["active"],
    });
    for (const candidate of candidates) {
      if (!fitsSkill(candidate, options.skill) || !isMine(memory, store, candidate)) continue;
      scored.push({ candidate, store, factor, score: candidate.combined * factor });
    }
  }
  scored.sort((a, b) => b.score - a.score);
  return { scored, lexicalOnly: prepared.vector === undefined };
}

/** The triggers of notes count only where somebody vouched for the notes. */
async function withTriggers(memory: Memory, store: Store, query: Query): Promise<Query> {
  if (store.trust === "unknown") return { ...query, phrase: "", patterns: new Set() };
  return await withPatterns(query, [memory.index(store)]);
}

function fitsSkill({ note }: Candidate, skill: string | undefined): boolean {
  return note.skills.length === 0 || (skill !== undefined && note.skills.includes(skill));
}

/** In the user's store, what belongs to another project is not this one's knowledge. */
function isMine(memory: Memory, store: Store, { note }: Candidate): boolean {
  const project = note.project ?? "";
  return store.scope === "project" || project === "" || project === memory.places.projectId;
}
