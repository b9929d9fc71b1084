/**
 * Loads what is known here at once, within a budget: pinned notes, then the project's, then those of
 * every project, the last updated first. Says what was left out, and why; nothing is cut.
 */
import { estimateTokens } from "../base/text/tokens.ts";
import { readCheckpoint } from "../note/checkpoint.ts";
import { readKnowledge } from "../note/knowledge.ts";
import type { Note } from "../note/note.ts";
import { catalogue } from "./catalogue.ts";
import { summarize } from "./checkpoint/load.ts";
import { type Entry, isHere, isOfProject, lastUpdatedFirst, readEntry } from "./index/entries.ts";
import { indexedItem, type NoteItem, type NoteRef } from "./item.ts";
import type { Memory } from "./memory.ts";
import { withoutPrivate } from "./write/public_part.ts";
import { withDoubtFlag } from "./doubt_flags.ts";
import { recordUse } from "./use.ts";

export const TIERS = ["pinned", "project", "user"] as const;
type Tier = typeof TIERS[number];

interface ContextItem extends NoteItem {
  readonly tier: Tier;
  /** The parts of a checkpoint, in the order of their use; any other note whole. */
  readonly text: string;
  readonly tokens: number;
}

interface LeftOut extends NoteRef, Pick<NoteItem, "type"> {
  readonly tier: Tier;
  readonly reason: string;
}

export interface Context {
  readonly items: readonly ContextItem[];
  /** In order; only the first of very many. */
  readonly left: readonly LeftOut[];
  readonly left_total: number;
  readonly used: number;
  readonly remaining: number;
  readonly budget: number;
}

interface ContextOptions {
  readonly tokensMax?: number;
  /** Notes for a skill are loaded for that skill only. */
  readonly skill?: string;
}

/** A checkpoint is a reminder here; `sage load` has the rest. */
const CHECKPOINT_TOKENS_MAX = 500;
/** No note is short enough for less. */
const TOKENS_MIN = 30;
/** After this many in a row that were too long, no more are read to find a shorter one. */
const MISSES_MAX = 20;
const LEFT_MAX = 50;

export async function loadContext(
  memory: Memory,
  { tokensMax, skill }: ContextOptions = {},
): Promise<Context> {
  const budget = tokensMax ?? memory.config.get("budget.context_tokens");
  const items: ContextItem[] = [];
  const left: LeftOut[] = [];
  let [remaining, leftTotal, misses] = [budget, 0, 0];
  const leave = (tier: Tier, { store, note }: Entry, reason: string): void => {
    leftTotal++;
    const { id, short_id, title, type } = indexedItem(store, note);
    if (left.length < LEFT_MAX) left.push({ id, short_id, title, type, tier, reason });
  };
  for (const { tier, entry, without } of await candidates(memory, skill)) {
    if (without !== undefined) leave(tier, entry, without);
    else if (remaining < TOKENS_MIN || misses === MISSES_MAX) {
      leave(tier, entry, "the budget is used up");
    } else {
      const item = await read(memory, tier, entry);
      if (item === undefined) continue;
      if (item.tokens > remaining) {
        misses++;
        leave(tier, entry, `${item.tokens} tokens, and ${remaining} were left`);
        continue;
      }
      misses = 0;
      items.push(item);
      remaining -= item.tokens;
      recordUse(memory, "recalled", item.id);
    }
  }
  const used = budget - remaining;
  return { items, left, left_total: leftTotal, used, remaining, budget };
}

interface Candidate {
  readonly tier: Tier;
  readonly entry: Entry;
  /** Why a note is not loaded, whatever the budget. */
  readonly without: string | undefined;
}

/** The notes in order of loading. Not archived or done ones, nor another project's. */
async function candidates(memory: Memory, skill: string | undefined): Promise<Candidate[]> {
  const found = (await catalogue(memory)).filter((entry) =>
    isHere(memory, entry) && isTold(entry) && !entry.note.problem
  ).sort(lastUpdatedFirst).map((entry): Candidate => ({
    tier: tierOf(memory, entry),
    entry,
    without: whyNot(entry, skill),
  }));
  return TIERS.flatMap((tier) => found.filter((one) => one.tier === tier));
}

/** Todos and sessions are told when a session starts; here only pinned ones. */
function isTold({ note }: Entry): boolean {
  return note.pinned
    ? !["archived", "done"].includes(note.status)
    : note.status === "active" && ["knowledge", "checkpoint", "topic"].includes(note.kind);
}

function tierOf(memory: Memory, entry: Entry): Tier {
  // A pin counts only where somebody trusts the store.
  if (entry.note.pinned && entry.store.trust !== "unknown") return "pinned";
  return isOfProject(memory, entry) ? "project" : "user";
}

function whyNot({ store, note }: Entry, skill: string | undefined): string | undefined {
  if (store.trust === "unknown") return "this store is not trusted: sage trust";
  if (note.supersededBy !== undefined) return "a newer note replaces it";
  const isForOthers = note.skills.length > 0 &&
    !(skill !== undefined && note.skills.includes(skill));
  return isForOthers ? `for ${note.skills.join(", ")}` : undefined;
}

async function read(memory: Memory, tier: Tier, entry: Entry): Promise<ContextItem | undefined> {
  const stored = await readEntry(entry);
  if (stored === undefined) return undefined;
  const note = withoutPrivate(stored.note);
  const text = textOf(note);
  const plain = { ...indexedItem(entry.store, entry.note), title: note.title };
  const item = await withDoubtFlag(memory, plain, entry.note.sources);
  return { ...item, tier, text, tokens: estimateTokens(`${item.title}\n${text}`) };
}

function textOf(note: Note): string {
  switch (note.kind) {
    case "knowledge":
      return readKnowledge(note).content.trim();
    case "checkpoint":
      return summarize(readCheckpoint(note), CHECKPOINT_TOKENS_MAX);
    default:
      return note.body.trim();
  }
}
