/** Lists knowledge, the last updated first. */
import { estimateTokens } from "../../base/text/tokens.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import { catalogue } from "../catalogue.ts";
import {
  afterCursor,
  type Entry,
  isHere,
  isListed,
  lastUpdatedFirst,
  type Page,
  readEntries,
} from "../index/entries.ts";
import { indexedItem, type NoteItem, type StoredNote, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { withDoubtFlags } from "../doubt_flags.ts";
import { withStale } from "../source/stale.ts";

export interface KnowledgeItem extends NoteItem {
  readonly subject: string;
  readonly keywords: readonly string[];
  readonly skills: readonly string[];
  /** What recall would say; without title and history. */
  readonly tokens: number;
}

interface KnowledgeFilter extends Page {
  readonly skill?: string;
  readonly scope?: "project" | "user";
  readonly archived?: boolean;
  /** Only those whose source files changed. */
  readonly stale?: boolean;
}

export async function listKnowledge(
  memory: Memory,
  filter: KnowledgeFilter = {},
): Promise<KnowledgeItem[]> {
  return (await knowledgePage(memory, filter)).items;
}

/** `total`: how many match the filter, whatever its limit. */
export async function knowledgePage(
  memory: Memory,
  filter: KnowledgeFilter,
): Promise<{ readonly items: KnowledgeItem[]; readonly total: number }> {
  const chosen = await choose(memory, await catalogue(memory, ["knowledge"]), filter);
  const page = afterCursor(chosen.sort(lastUpdatedFirst), filter.cursor).slice(0, filter.limit);
  const read = await readEntries(page);
  const items = read.map(toKnowledgeItem);
  return {
    items: await withDoubtFlags(memory, items, (_, i) => read[i]?.sources),
    total: chosen.length,
  };
}

async function choose(
  memory: Memory,
  all: readonly Entry[],
  { scope, skill, archived = false, stale }: KnowledgeFilter,
): Promise<Entry[]> {
  const entries = all.filter((entry) =>
    isHere(memory, entry) &&
    (scope === undefined || entry.store.scope === scope) &&
    (skill === undefined || entry.note.skills.includes(skill)) &&
    (archived ? entry.note.status === "archived" : isListed(entry))
  );
  return stale === true ? await staleOnes(memory, entries) : entries;
}

/** By what the index knows of their sources: no note is read for it. */
async function staleOnes(memory: Memory, entries: readonly Entry[]): Promise<Entry[]> {
  const sourced = entries.filter(({ note }) => note.sources !== undefined);
  const items = sourced.map(({ store, note }) => indexedItem(store, note));
  const judged = await withStale(memory, items, (_, i) => sourced[i]?.note.sources);
  return sourced.filter((_, i) => judged[i]?.flags.includes("stale"));
}

export function toKnowledgeItem(stored: StoredNote): KnowledgeItem {
  const note = withoutPrivate(stored.note);
  const { subject, keywords, skills, content } = readKnowledge(note);
  return {
    ...toItem({ ...stored, note }),
    subject,
    keywords,
    skills,
    tokens: estimateTokens(content.trim()),
  };
}
