/**
 * From scored candidates to an answer under given settings: threshold, order, trimming, count, budget.
 * Recall calls it once; a lever calls it again with another setting, so that it promises only what that
 * setting would bring.
 */
import { cut } from "../../base/text/text.ts";
import { estimateTokens } from "../../base/text/tokens.ts";
import { round } from "../../base/round.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import { readSession, type Session } from "../../note/session.ts";
import { formulaOf } from "../../search/ranking/explain.ts";
import { selectNotes } from "../../search/ranking/select.ts";
import { unscored } from "../../search/ranking/unscored.ts";
import { type Entry, readEntry } from "../index/entries.ts";
import { type NoteItem, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { takenBack } from "../session/taken_back.ts";
import { withDoubtFlag } from "../doubt_flags.ts";
import { useCounts } from "../use.ts";
import { placeOf, type Scored, signalWeights } from "./candidates.ts";
import { contradictingNotes } from "./contradicting.ts";

export interface RecallItem extends NoteItem {
  /** combined × scope factor: the value that is compared with the threshold. */
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly combined: number;
  readonly scope_factor: number;
  readonly carried_by: string;
  /** The formula of the score, to be recomputed by hand. */
  readonly formula: string;
  readonly matched: readonly string[];
  /** The trigger keyword or pattern of the note that the query contains. */
  readonly trigger?: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly heading: string;
  readonly snippet: string;
  /** The whole note where it fits, else the passage. */
  readonly text: string;
  readonly tokens: number;
}

/** A candidate that is not in the answer, and why. */
export interface Skipped {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

export interface Limits {
  readonly threshold: number;
  readonly maxItems: number;
  readonly tokensMax: number;
}

export interface Answer {
  readonly items: readonly RecallItem[];
  readonly skipped: readonly Skipped[];
  readonly tokens: number;
}

/** The prefix of a reason that one more place would lift. */
export const BEYOND = "beyond max_items";

export async function answer(
  memory: Memory,
  scored: readonly Scored[],
  limits: Limits,
): Promise<Answer> {
  const { chosen, skipped } = withRivals(memory, scored, choose(memory, scored, limits), limits);
  const items: RecallItem[] = [];
  let tokens = 0;
  for (const one of chosen) {
    const item = await toRecallItem(memory, one, limits.tokensMax - tokens);
    if (item === undefined) continue;
    // A session and its checkpoint have sections in common: one passage is not shown twice.
    const twin = items.find(({ text }) => text === item.text);
    if (twin !== undefined) {
      skipped.push({ id: item.id, title: item.title, reason: `duplicate: ${twin.id}` });
      continue;
    }
    if (tokens + item.tokens > limits.tokensMax) {
      const reason = `over the budget of ${limits.tokensMax} tokens`;
      skipped.push({ id: item.id, title: item.title, reason });
      continue;
    }
    tokens += item.tokens;
    items.push(item);
  }
  return { items, skipped, tokens };
}

interface Chosen {
  readonly chosen: readonly Scored[];
  readonly skipped: Skipped[];
}

/**
 * A contradicted note is never shown alone, nor above the note that holds: that one is added if it was
 * not found, even at the last place.
 */
function withRivals(
  memory: Memory,
  scored: readonly Scored[],
  { chosen, skipped }: Chosen,
  { maxItems }: Limits,
): Chosen {
  const rivals = contradictingNotes(memory, chosen.map(({ candidate }) => candidate.note));
  if (rivals.size === 0) return { chosen, skipped };
  const found = (entry: Entry): Scored => {
    const there = { candidate: unscored(entry.note), store: entry.store, score: 0, factor: 1 };
    return scored.find((one) => placeOf(one) === placeOf(there)) ?? there;
  };
  const placed = new Map<string, Scored>();
  const put = (one: Scored, behind: ReadonlySet<string>): void => {
    const place = placeOf(one);
    if (placed.has(place) || behind.has(place)) return;
    const against = rivals.get(one.candidate.note.id) ?? [];
    const further = new Set([...behind, place]);
    for (const rival of against) if (rival.isLater) put(found(rival), further);
    placed.set(place, one);
    for (const rival of against) if (!rival.isLater) put(found(rival), further);
  };
  for (const one of chosen) put(one, new Set());
  const all = [...placed.values()];
  const kept = all.slice(0, maxItems);
  const ids = new Set(kept.map(({ candidate }) => candidate.note.id));
  const beyond = all.slice(maxItems).map(({ candidate: { note: { id, title } } }): Skipped => ({
    id,
    title,
    reason: `${BEYOND} ${maxItems}`,
  }));
  return { chosen: kept, skipped: [...skipped.filter(({ id }) => !ids.has(id)), ...beyond] };
}

function choose(
  memory: Memory,
  scored: readonly Scored[],
  { threshold, maxItems }: Limits,
): Chosen {
  const uses = useCounts(memory, scored.map(({ candidate }) => candidate.note.id));
  const items = scored.map((one) => ({
    ...one,
    ...trimFacts(one),
    combined: one.score,
    updated: one.candidate.note.updated,
    recalls: uses.get(one.candidate.note.id) ?? 0,
  }));
  const { selected, dropped } = selectNotes(items, {
    threshold,
    itemsMax: maxItems,
    nowMs: memory.now(),
    weights: {
      relevance: memory.config.get("rank.relevance"),
      recency: memory.config.get("rank.recency"),
      recallFrequency: memory.config.get("rank.recall_frequency"),
    },
  });
  const skipped = dropped.map(({ item, rule, because }) => ({
    id: item.id,
    title: item.title,
    reason: rule === "count" ? `${BEYOND} ${because}` : `${rule}: ${because}`,
  }));
  return { chosen: selected, skipped };
}

/** A note from a store that nobody trusts replaces no other note. */
function trimFacts({ candidate: { note, chunk }, store }: Scored) {
  const isUnknown = store.trust === "unknown";
  return {
    id: note.id,
    title: note.title,
    contentHash: note.contentHash,
    snippet: chunk.snippet,
    supersedes: isUnknown ? [] : note.supersedes,
    supersededBy: note.supersededBy,
  };
}

/** Of a longer note only the passage is shown; `get_note` has the rest. */
const WHOLE_TOKENS_MAX = 400;
const PASSAGE_CHARACTERS_MAX = 1200;
/** Of a checkpoint or session: enough to recognise it. */
const REMINDER_CHARACTERS_MAX = 400;

/** The note as it stands in the file now; undefined when it is gone. */
export async function toRecallItem(
  memory: Memory,
  one: Scored,
  tokensLeft: number,
): Promise<RecallItem | undefined> {
  const { candidate, store, factor } = one;
  const stored = await readEntry({ store, note: candidate.note });
  if (stored === undefined) return undefined;
  const note = withoutPrivate(stored.note);
  const body = readKnowledge(note).content.trim();
  // If the file changed since, the indexed passage is of another version, and may be private by now.
  const isAsIndexed = stored.hash === candidate.note.contentHash;
  const { snippet } = candidate.chunk;
  const passage = isAsIndexed && snippet !== "" && !isTrace(note.kind, snippet)
    ? snippet
    : note.kind === "session"
    ? briefOf(readSession(note))
    : cut(body, PASSAGE_CHARACTERS_MAX);
  const whole = estimateTokens(body);
  const isShort = whole <= Math.min(tokensLeft, WHOLE_TOKENS_MAX);
  const text = note.kind !== "knowledge"
    ? cut(passage, REMINDER_CHARACTERS_MAX)
    : isShort
    ? body
    : passage;
  const item = await withDoubtFlag(memory, toItem({ ...stored, note }), stored.sources);
  const reversal = note.kind === "session"
    ? takenBack(memory, { store, note: candidate.note })
    : undefined;
  return {
    ...item,
    flags: [...item.flags, ...(reversal === undefined ? [] : [reversal])],
    score: round(one.score, 3),
    emb: round(candidate.emb, 3),
    kw: round(candidate.kw, 3),
    combined: round(candidate.combined, 3),
    scope_factor: factor,
    carried_by: candidate.carriedBy,
    formula: formulaOf(candidate, signalWeights(memory), factor),
    matched: candidate.terms,
    ...(candidate.trigger === undefined ? {} : { trigger: candidate.trigger }),
    hash: stored.hash,
    heading: candidate.chunk.heading,
    snippet: passage,
    text,
    tokens: estimateTokens(text),
  };
}

/** Whether it lists only changed files and commands: a session is found by them, but they do not describe it. */
function isTrace(kind: string | undefined, passage: string): boolean {
  return kind === "session" &&
    passage.split("\n").every((line) => /^- (?:Changed|Ran): /.test(line));
}

/** A session in brief: decisions in which it took something back, otherwise its summary. */
function briefOf({ decisions, summary }: Session): string {
  return decisions.filter((one) => one.includes("(takes back: ")).join("\n") || summary;
}
