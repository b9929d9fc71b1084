/**
 * Restores a checkpoint: by id, short id, prefix, then by meaning, or by recency. Read from the
 * file, not the index. Ambiguity is an outcome: the surface asks, Sage does not guess.
 */
import { cutTokens, estimateTokens } from "../../base/text/tokens.ts";
import { shortId } from "../../base/id.ts";
import { stripPrivate } from "../../guard/private.ts";
import { type Checkpoint, readCheckpoint } from "../../note/checkpoint.ts";
import { splitFrontMatter } from "../../note/front_matter.ts";
import { findNote, type Missed, nearestNotes } from "../find.ts";
import type { StoredNote } from "../item.ts";
import { exceptAhead, readEntries, readEntry } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { searchMemory } from "../search.ts";
import { recordUse } from "../use.ts";
import { takeUpNote } from "../session/handoff.ts";
import { recordInSession } from "../session/state/state.ts";
import { type ChainLink, parentChain } from "./chain.ts";
import { checkpointEntries, type CheckpointItem, toCheckpointItem } from "./list.ts";

export interface LoadedCheckpoint extends CheckpointItem {
  /** The text to read, within the budget. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
  /** Its ancestors, nearest first. */
  readonly chain: readonly ChainLink[];
}

type LoadOutcome =
  | { readonly kind: "one"; readonly items: readonly LoadedCheckpoint[] }
  | {
    readonly kind: "many";
    readonly items: readonly (CheckpointItem & { readonly score?: number })[];
  }
  | { readonly kind: "none" } & Missed;

interface LoadRequest {
  /** Its id or a prefix of it, and nothing else. */
  readonly ref?: string;
  /** Its id, or what it is about. */
  readonly query?: string;
  readonly recent?: number;
  readonly detail?: "full" | "summary";
  readonly tokensMax?: number;
}

/** A second hit this near to the best one is a real alternative. */
const AMBIGUOUS_SHARE = 0.75;
/** Hits below this share only a word with the question. */
const MEANING_SCORE_MIN = 0.35;
const CHOICES_MAX = 5;

export async function loadCheckpoint(memory: Memory, request: LoadRequest): Promise<LoadOutcome> {
  const { ref, query, recent } = request;
  const typed = ref ?? query;
  if (recent !== undefined || typed === undefined) return await byRecency(memory, request);
  const found = await findNote(memory, typed, ["checkpoint"]);
  if (found.kind === "one") return await loaded(memory, [found.item], request);
  if (found.kind === "many") return { kind: "many", items: found.items.map(toCheckpointItem) };
  if (query !== undefined && !isId(query) && !await isOfAnother(memory, query)) {
    return await byMeaning(memory, query, request);
  }
  return found;
}

/** Looks like a checkpoint's id, or the beginning of a short one. */
function isId(typed: string): boolean {
  return /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}_/.test(typed) ||
    (/^[0-9a-f]{6,8}$/.test(typed) && /\d/.test(typed));
}

/** Whether it is the whole id of another kind of note: then no checkpoint with the same words is meant. */
async function isOfAnother(memory: Memory, typed: string): Promise<boolean> {
  if (!/^[^\s-]+-\S+$|^[0-9a-f]{8}$/.test(typed)) return false;
  const found = await findNote(memory, typed);
  return found.kind === "one" && [found.item.note.id, shortId(found.item.note.id)].includes(typed);
}

async function byRecency(memory: Memory, request: LoadRequest): Promise<LoadOutcome> {
  const entries = exceptAhead(memory, await checkpointEntries(memory));
  const newest = entries.slice(0, request.recent ?? 1);
  const recent = await readEntries(newest);
  if (recent.length === 0) return { kind: "none", nearest: [] };
  return await loaded(memory, recent, request);
}

async function byMeaning(
  memory: Memory,
  query: string,
  request: LoadRequest,
): Promise<LoadOutcome> {
  const { items } = await searchMemory(memory, query, { type: "checkpoint", limit: CHOICES_MAX });
  const sure = items.filter(({ score }) => score >= MEANING_SCORE_MIN);
  // A word that all checkpoints have is evidence for none, but one of them was meant.
  const worded = items.filter(({ kw }) => kw === 1);
  const isWorded = sure.length === 0 && worded.length > 1;
  const hits = isWorded ? worded : sure;
  const entries = await checkpointEntries(memory, { all: true });
  const [best, second] = hits;
  if (best === undefined) return { kind: "none", nearest: nearestNotes(query, entries) };

  const ambiguous = isWorded ||
    second !== undefined && second.score >= best.score * AMBIGUOUS_SHARE;
  const choices: { stored: StoredNote; score: number }[] = [];
  for (const { id, score } of ambiguous ? hits : [best]) {
    const stored = await readEntry(entries.find(({ note }) => note.id === id));
    if (stored !== undefined) choices.push({ stored, score });
  }
  const [only] = choices;
  if (only === undefined) return { kind: "none", nearest: nearestNotes(query, entries) };
  if (choices.length === 1) return await loaded(memory, [only.stored], request);
  return {
    kind: "many",
    items: choices.map(({ stored, score }) => ({ ...toCheckpointItem(stored), score })),
  };
}

async function loaded(
  memory: Memory,
  stored: readonly StoredNote[],
  request: LoadRequest,
): Promise<LoadOutcome> {
  const items = await loadedCheckpoints(memory, stored, request);
  recordContinued(memory, items);
  return { kind: "one", items };
}

async function loadedCheckpoints(
  memory: Memory,
  stored: readonly StoredNote[],
  request: LoadRequest,
): Promise<readonly LoadedCheckpoint[]> {
  const budget = request.tokensMax ?? memory.config.get("budget.context_tokens");
  const share = Math.floor(budget / stored.length);
  const items: LoadedCheckpoint[] = [];
  for (const one of stored) {
    recordUse(memory, "loaded", one.note.id);
    takeUpNote(memory, one.note);
    const checkpoint = readCheckpoint(withoutPrivate(one.note));
    const whole = stripPrivate(splitFrontMatter(one.loaded.text).body).trim();
    const summary = request.detail === "summary" || estimateTokens(whole) > share;
    items.push({
      ...toCheckpointItem(one),
      text: summary ? summarize(checkpoint, share) : whole,
      checkpoint,
      chain: await parentChain(memory, checkpoint.parent),
    });
  }
  return items;
}

/** The checkpoints with these ids that still exist, together within one budget. */
export async function loadThese(
  memory: Memory,
  ids: readonly string[],
  request: LoadRequest,
): Promise<readonly LoadedCheckpoint[]> {
  const entries = (await checkpointEntries(memory, { all: true })).filter(({ note }) =>
    ids.includes(note.id)
  );
  const stored = await readEntries(entries);
  return await loadedCheckpoints(memory, stored, request);
}

/** A session that restored one checkpoint continues it: its first save has it as parent. */
function recordContinued(memory: Memory, items: readonly LoadedCheckpoint[]): void {
  const { session } = memory;
  const [only] = items;
  if (session === undefined || only === undefined || items.length > 1) return;
  recordInSession(
    memory,
    session,
    (state) => state.lastSave === undefined ? { ...state, restored: only.id } : state,
  );
}

/** A conclusion takes at most this share of the budget, unless the rest needs less. */
const THESIS_SHARE = 0.5;

/** As many parts as fit into the budget, the most useful first. */
export function summarize(checkpoint: Checkpoint, tokensMax: number): string {
  const before = [
    `# ${checkpoint.title}`,
    checkpoint.coreQuestion === "" ? "" : `Core question: ${checkpoint.coreQuestion}`,
  ];
  const after = [
    ...(checkpoint.nextStep === undefined ? [] : [`Next step: ${checkpoint.nextStep}`]),
    ...checkpoint.decisions.map((decision) => `Decided: ${decision}`),
    ...checkpoint.openQuestions.map((question) => `Open: ${question}`),
    ...checkpoint.keyEvidence.map((evidence) => `Evidence: ${evidence}`),
  ];
  const left = tokensMax - estimateTokens([...before, ...after].join("\n"));
  const thesis = cutTokens(
    `Thesis: ${checkpoint.thesis}`,
    Math.max(left, Math.floor(tokensMax * THESIS_SHARE)),
  );
  let text = "";
  for (const part of [...before, thesis, ...after]) {
    if (part === "") continue;
    const longer = text === "" ? part : `${text}\n${part}`;
    // A part that is too long is left out; a shorter one after it may fit.
    if (estimateTokens(longer) <= tokensMax) text = longer;
  }
  return text;
}
