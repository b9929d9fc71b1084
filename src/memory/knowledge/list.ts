/** What is known, newest first. */
import { estimateTokens } from "../../base/tokens.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import type { FileSource } from "../../note/provenance.ts";
import { catalogue } from "../catalogue.ts";
import { isHere, newestFirst, readEntry } from "../entries.ts";
import { type NoteItem, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../open_part.ts";
import { sourcesIn, withStale } from "../source/stale.ts";

export interface KnowledgeItem extends NoteItem {
  readonly subject: string;
  readonly keywords: readonly string[];
  readonly skills: readonly string[];
  /** Of what recall would say; title and history are not of it. */
  readonly tokens: number;
}

export interface KnowledgeFilter {
  readonly skill?: string;
  readonly scope?: "project" | "user";
  readonly archived?: boolean;
  readonly limit?: number;
}

export async function listKnowledge(
  memory: Memory,
  filter: KnowledgeFilter = {},
): Promise<KnowledgeItem[]> {
  const entries = (await catalogue(memory, ["knowledge"])).filter((entry) =>
    isHere(memory, entry) &&
    (filter.scope === undefined || entry.store.scope === filter.scope) &&
    (filter.skill === undefined || entry.note.skills.includes(filter.skill)) &&
    ((entry.note.status === "archived") === (filter.archived ?? false))
  );
  const items: KnowledgeItem[] = [];
  const sources: FileSource[][] = [];
  for (const entry of entries.sort(newestFirst).slice(0, filter.limit ?? entries.length)) {
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const note = withoutPrivate(stored.note);
    const { subject, keywords, skills, content } = readKnowledge(note);
    sources.push(sourcesIn(note.front));
    items.push({
      ...toItem({ ...stored, note }),
      subject,
      keywords,
      skills,
      tokens: estimateTokens(content.trim()),
    });
  }
  return await withStale(memory, items, (_, i) => sources[i]);
}
