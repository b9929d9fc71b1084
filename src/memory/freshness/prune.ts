/**
 * Old knowledge into the archive: its file stays where it is and says so. Planned and shown first; a note
 * that somebody changed since is left alone.
 */
import { SageError } from "../../base/errors.ts";
import { catalogue } from "../catalogue.ts";
import { readEntry } from "../entries.ts";
import type { StoredNote } from "../item.ts";
import { archiveKnowledge } from "../knowledge/archive.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../outcome.ts";
import { agedEntries, type AgedEntry, ageMs, keptKey } from "./freshness.ts";
import { updateFreshnessState } from "./state.ts";

export interface Archived {
  readonly archived: readonly AgedEntry[];
  readonly skipped: readonly { readonly entry: AgedEntry; readonly reason: string }[];
}

/** What is old enough now. */
export async function planArchive(memory: Memory): Promise<AgedEntry[]> {
  // Looks at the disk first: nothing is shown that was changed a moment ago.
  await catalogue(memory, ["knowledge"]);
  return agedEntries(memory);
}

export async function archiveAged(
  memory: Memory,
  plan: readonly AgedEntry[],
  author: Author,
): Promise<Archived> {
  const archived: AgedEntry[] = [];
  const skipped: { entry: AgedEntry; reason: string }[] = [];
  for (const entry of plan) {
    const stored = await readEntry(entry);
    const reason = stored === undefined
      ? "it is gone already"
      : stored.hash !== entry.note.contentHash
      ? "it changed meanwhile"
      : await archiveOne(memory, stored, author);
    if (reason === undefined) archived.push(entry);
    else skipped.push({ entry, reason });
  }
  return { archived, skipped };
}

/** Why it was not, or undefined. */
async function archiveOne(
  memory: Memory,
  stored: StoredNote,
  author: Author,
): Promise<string | undefined> {
  try {
    const outcome = await archiveKnowledge(memory, stored, author);
    switch (outcome.kind) {
      case "patched":
      case "unchanged":
        return undefined;
      case "excluded":
      case "over_cap":
        return outcome.reason;
      default:
        return "it changed meanwhile";
    }
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return error.message;
  }
}

/** They stay, and are not proposed again for as long as a note takes to fade. */
export function keepAged(memory: Memory, entries: readonly AgedEntry[]): void {
  if (entries.length === 0) return;
  const now = memory.now();
  const added = entries.map(({ note }) => [keptKey(note.id), now] as const);
  updateFreshnessState(memory, (state) => {
    // What was said longer ago counts no more.
    const still = Object.entries(state.kept ?? {}).filter(([, at]) => now - at <= ageMs(memory));
    return { ...state, kept: Object.fromEntries([...still, ...added]) };
  });
}
