/**
 * The freshness of knowledge, by its last update alone: being recalled, shown or verified ranks a note
 * higher, but does not make an old text new. What is below the bound is proposed for the archive; only
 * a person can put it there.
 */
import { DAY_MS, parseTime, rfc3339 } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { compareText } from "../../base/text/text.ts";
import { catalogue } from "../catalogue.ts";
import { type Entry, isHere, isOfProject, knownEntries } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { readFreshnessState } from "./state.ts";

/** 1 now and for future dates, half after each half-life. A note without a date counts as infinitely old. */
export function freshness(updated: string, nowMs: number, halfLifeDays: number): number {
  const then = parseTime(updated);
  return then === undefined ? 0 : 0.5 ** (Math.max(0, nowMs - then) / DAY_MS / halfLifeDays);
}

export interface AgedEntry extends Entry {
  /** 0..1. */
  readonly freshness: number;
}

/** Active knowledge in reach, the least fresh first. */
export async function knowledgeByFreshness(memory: Memory): Promise<AgedEntry[]> {
  const entries = (await catalogue(memory, ["knowledge"])).filter((entry) =>
    entry.note.status === "active" && isHere(memory, entry)
  );
  return rated(memory, entries);
}

/**
 * Candidates for the archive, from the index, the least fresh first. Not what a person pinned, or said
 * to keep less than a fading time ago.
 */
export function agedEntries(memory: Memory): AgedEntry[] {
  const since = memory.now() - ageMs(memory);
  if (since === -Infinity) return [];
  const { kept = {} } = readFreshnessState(memory);
  const isAnyKept = Object.keys(kept).length > 0;
  const filter = { kinds: ["knowledge"], statuses: ["active"], before: rfc3339(since) } as const;
  const aged = knownEntries(memory, filter).filter(({ note, store }) => {
    const stays = note.pinned || note.problem || store.trust === "unknown";
    if (stays || (parseTime(note.updated) ?? 0) >= since) return false;
    return !isAnyKept || (kept[keptKey(note.id)] ?? 0) < since;
  });
  return rated(memory, aged);
}

/** Of this project alone: what an agent may archive when the person agrees. */
export function agedOfProject(memory: Memory): AgedEntry[] {
  return agedEntries(memory).filter((entry) => isOfProject(memory, entry));
}

/** The age in milliseconds at which a note reaches the bound. */
export function ageMs({ config }: Memory): number {
  const [halfLife, below] = [
    config.get("freshness.half_life_days"),
    config.get("freshness.archive_below"),
  ];
  // A bound of 0 is never reached.
  return below <= 0 ? Infinity : halfLife * DAY_MS * Math.max(0, -Math.log2(below));
}

/** The key of a note that is to be kept: a hash, because an id holds words of a title. */
export function keptKey(id: string): string {
  return sha256Hex(id).slice(0, 16);
}

function rated(memory: Memory, entries: readonly Entry[]): AgedEntry[] {
  const halfLife = memory.config.get("freshness.half_life_days");
  return entries.map((entry) => ({
    ...entry,
    freshness: freshness(entry.note.updated, memory.now(), halfLife),
  })).sort((a, b) => a.freshness - b.freshness || compareText(a.note.id, b.note.id));
}
