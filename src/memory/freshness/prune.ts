/**
 * Archives old knowledge: the file stays where it is and says so. Planned and shown first; a note that
 * somebody changed since is left alone.
 */
import { catalogue } from "../catalogue.ts";
import { readEntry } from "../index/entries.ts";
import { settle } from "../index/settle.ts";
import { archiveAsRead } from "../knowledge/archive.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { agedEntries, type AgedEntry, ageMs, keptKey } from "./freshness.ts";
import { updateFreshnessState } from "./state.ts";

interface Archived {
  readonly archived: readonly AgedEntry[];
  readonly skipped: readonly { readonly entry: AgedEntry; readonly reason: string }[];
}

/** What is old enough now. */
export async function planArchive(memory: Memory): Promise<AgedEntry[]> {
  // Refreshes first: nothing is shown that was changed a moment ago.
  await catalogue(memory, ["knowledge"]);
  return agedEntries(memory);
}

export async function archiveAged(
  opened: Memory,
  plan: readonly AgedEntry[],
  author: Author,
): Promise<Archived> {
  const memory = await settle(opened);
  const archived: AgedEntry[] = [];
  const skipped: { entry: AgedEntry; reason: string }[] = [];
  for (const entry of plan) {
    const stored = await readEntry(entry);
    const reason = stored === undefined
      ? "it is gone already"
      : stored.hash !== entry.note.contentHash
      ? "it changed meanwhile"
      : await archiveAsRead(memory, stored, author);
    if (reason === undefined) archived.push(entry);
    else skipped.push({ entry, reason });
  }
  return { archived, skipped };
}

/** Records that they stay: they are not proposed again for as long as a note takes to fade. */
export function keepAged(memory: Memory, entries: readonly AgedEntry[]): void {
  if (entries.length === 0) return;
  const now = memory.now();
  const added = entries.map(({ note }) => [keptKey(note.id), now] as const);
  updateFreshnessState(memory, (state) => {
    // Older decisions have expired.
    const still = Object.entries(state.kept ?? {}).filter(([, at]) => now - at <= ageMs(memory));
    return { ...state, kept: Object.fromEntries([...still, ...added]) };
  });
}
