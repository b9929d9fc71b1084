/**
 * Knowledge for a question: thresholded, trimmed, within a budget, and explainable. One value carries
 * what was recalled, what nearly was, and the levers; `debug` and `match` print that same value.
 */
import { QUERY_CHARACTERS_MAX } from "../../base/limits.ts";
import { estimateTokens } from "../../base/tokens.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import type { Candidate } from "../../search/document.ts";
import { prepareQuery, type Query, withPatterns } from "../../search/query.ts";
import { rank } from "../../search/rank.ts";
import { trim } from "../../search/trim.ts";
import type { Store } from "../../store/store.ts";
import { readEntry } from "../catalogue.ts";
import { attributed, type NoteItem, type StoredNote, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { refreshStore, withoutPrivate } from "../reindex.ts";
import { useCounts } from "../use.ts";

export interface RecallItem extends NoteItem {
  /** combined × scope factor: the value that was held against the threshold. */
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly combined: number;
  readonly scope_factor: number;
  readonly carried_by: string;
  readonly matched: readonly string[];
  /** The trigger keyword or pattern of the note that the query contains. */
  readonly trigger?: string;
  readonly author: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly heading: string;
  readonly snippet: string;
  /** The whole note where it fits, else the passage. */
  readonly text: string;
  readonly tokens: number;
}

/** A setting that would change the answer, with the command that moves it. */
export interface Lever {
  readonly setting: string;
  readonly value: number;
  readonly command: string;
  readonly effect: string;
}

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
  readonly skipped: readonly {
    readonly id: string;
    readonly title: string;
    readonly reason: string;
  }[];
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

interface Scored {
  readonly candidate: Candidate;
  readonly store: Store;
  readonly score: number;
  readonly factor: number;
}

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
  const passed = scored.filter(({ score }) => score >= config.recall_threshold);
  const near = scored.filter(({ score }) =>
    score < config.recall_threshold && score >= config.recall_threshold - NEAR_MISS
  );
  const { chosen, skipped } = choose(memory, passed, config.max_items);
  const items: RecallItem[] = [];
  let tokens = 0;
  const budget = options.tokensMax ?? memory.config.get("budget.context_tokens");
  for (const one of chosen) {
    const item = await toRecallItem(one, budget - tokens);
    if (item === undefined) continue;
    if (tokens + item.tokens > budget) {
      skipped.push({
        id: item.id,
        title: item.title,
        reason: `over the budget of ${budget} tokens`,
      });
      continue;
    }
    tokens += item.tokens;
    items.push(item);
  }
  const nearMisses: RecallItem[] = [];
  for (const one of near.slice(0, CANDIDATES_MAX)) {
    const item = await toRecallItem(one, Infinity);
    if (item !== undefined) nearMisses.push(item);
  }
  const levers = leversFor(nearMisses, skipped, config);
  return { query, items, nearMisses, config, tokens, skipped, levers, lexicalOnly };
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
  const scored: Scored[] = [];
  for (const store of memory.stores) {
    if (options.scope !== undefined && store.scope !== options.scope) continue;
    if (options.forHook === true && store.trust === "unknown") continue;
    if (memory.fs.lstat(store.root) === undefined) continue;
    if (options.forHook !== true) await refreshStore(memory, store);
    const factor = store.scope === "user" ? memory.config.get("retrieval.user_scope_priority") : 1;
    const candidates = memory.index(store).query(await withTriggers(memory, store, prepared), {
      limit: CANDIDATES_MAX,
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

function choose(memory: Memory, passed: readonly Scored[], maxItems: number) {
  const uses = useCounts(memory);
  const weights = {
    relevance: memory.config.get("rank.relevance"),
    recency: memory.config.get("rank.recency"),
    recallFrequency: memory.config.get("rank.recall_frequency"),
  };
  const ranked = rank(
    passed.map((one) => ({
      ...one,
      ...trimFacts(one.candidate),
      combined: one.score,
      updated: one.candidate.note.updated,
      recalls: uses.get(one.candidate.note.id) ?? 0,
    })),
    weights,
    memory.now(),
  );
  const { kept, dropped } = trim(ranked, { superseded: "drop" });
  const skipped = dropped.map(({ item, rule, because }) => ({
    id: item.id,
    title: item.title,
    reason: `${rule}: ${because}`,
  }));
  for (const item of kept.slice(maxItems)) {
    skipped.push({ id: item.id, title: item.title, reason: `beyond max_items ${maxItems}` });
  }
  return { chosen: kept.slice(0, maxItems), skipped };
}

function trimFacts({ note, chunk }: Candidate) {
  return {
    id: note.id,
    title: note.title,
    contentHash: note.contentHash,
    snippet: chunk.snippet,
    supersedes: note.supersedes,
    supersededBy: note.supersededBy,
  };
}

async function toRecallItem(one: Scored, tokensLeft: number): Promise<RecallItem | undefined> {
  const { candidate, store } = one;
  const stored: StoredNote | undefined = await readEntry({ store, note: candidate.note });
  if (stored === undefined) return undefined;
  const note = withoutPrivate(stored.note);
  const body = readKnowledge(note).content.trim();
  const passage = candidate.chunk.snippet;
  const whole = estimateTokens(body);
  const text = whole <= Math.min(tokensLeft, WHOLE_TOKENS_MAX) ? body : passage;
  return {
    ...toItem({ ...stored, note }),
    score: round(one.score),
    emb: round(candidate.emb),
    kw: round(candidate.kw),
    combined: round(candidate.combined),
    scope_factor: one.factor,
    carried_by: candidate.carriedBy,
    matched: candidate.terms,
    ...(candidate.trigger === undefined ? {} : { trigger: candidate.trigger }),
    author: attributed(store, candidate.note.author),
    hash: stored.hash,
    heading: candidate.chunk.heading,
    snippet: passage,
    text,
    tokens: estimateTokens(text),
  };
}

/** A note above this is shown by its passage; `get_note` has the rest. */
const WHOLE_TOKENS_MAX = 400;

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

/** What a person could move, and what it would do; only levers that really change this answer. */
function leversFor(
  nearMisses: readonly RecallItem[],
  skipped: Recall["skipped"],
  config: Recall["config"],
): Lever[] {
  const levers: Lever[] = [];
  const best = nearMisses[0];
  if (best !== undefined) {
    const value = Math.floor(best.score * 100) / 100;
    const more = nearMisses.filter(({ score }) => score >= value).length;
    levers.push({
      setting: "retrieval.recall_threshold",
      value,
      command: `sage config set recall_threshold ${value.toFixed(2)}`,
      effect: `would include ${more} more item${more === 1 ? "" : "s"}`,
    });
  }
  const beyond = skipped.filter(({ reason }) => reason.startsWith("beyond max_items")).length;
  if (beyond > 0) {
    const value = config.max_items + beyond;
    levers.push({
      setting: "retrieval.max_items",
      value,
      command: `sage config set retrieval.max_items ${value}`,
      effect: `would include ${beyond} more item${beyond === 1 ? "" : "s"}`,
    });
  }
  return levers;
}
