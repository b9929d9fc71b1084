/**
 * Patterns of use in which something would have helped that the person does not use. Read from receipts
 * and the journal of uses; nothing is recorded for this alone.
 */
import { DAY_MS, parseTime } from "../../base/clock.ts";
import type { LogLine } from "../../base/log.ts";
import { cut } from "../../base/text/text.ts";
import { knownEntries } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { OPENED, readUses } from "../use.ts";
import type { Tip } from "./tip.ts";

interface Pattern {
  readonly name: string;
  /** The tips, if the pattern occurs. */
  find(memory: Memory, receipts: readonly LogLine[]): Omit<Tip, "pattern">[];
  /** Whether a tip that was given at `atMs` has been followed. */
  isHeeded(memory: Memory, receipts: readonly LogLine[], about: string, atMs: number): boolean;
}

/** Habits of longer ago are no reason for a tip. */
export const LOOKED_AT_DAYS = 14;
const SESSIONS_MIN = 3;
const ASKS_MIN = 4;
const UNANSWERED_MIN = 0.75;

export const PATTERNS: readonly Pattern[] = [
  {
    name: "pin",
    find(memory) {
      const since = memory.now() - LOOKED_AT_DAYS * DAY_MS;
      const sessions = new Map<string, Set<string>>();
      for (const { id, use, at, session } of readUses(memory)) {
        if (!OPENED.includes(use) || session === undefined || (parseTime(at) ?? 0) < since) {
          continue;
        }
        sessions.set(id, (sessions.get(id) ?? new Set()).add(session));
      }
      return knownEntries(memory, { kinds: ["knowledge"], statuses: ["active"] })
        .filter(({ note, store }) => !note.pinned && store.trust !== "unknown")
        .map(({ note }) => ({ note, times: sessions.get(note.id)?.size ?? 0 }))
        .filter(({ times }) => times >= SESSIONS_MIN)
        .sort((a, b) => b.times - a.times)
        .map(({ note, times }) => ({
          about: note.id,
          text: `the agent opened "${
            cut(note.title, 60)
          }" in ${times} sessions. With pinned: true in its front matter every session starts with it.`,
        }));
    },
    isHeeded: (memory, _, about) =>
      knownEntries(memory, { kinds: ["knowledge"], statuses: ["active"] })
        .every(({ note }) => note.id !== about || note.pinned),
  },
  {
    name: "ask",
    find(memory, receipts) {
      if (memory.config.get("detection.mode") !== "ask") return [];
      const stops = receipts.filter(({ hook }) => hook === "stop");
      const asks = stops.filter(({ tokens }) => Number(tokens ?? 0) > 0).length;
      const ignored = stops.filter(({ gate }) => gate === "ask not answered").length;
      if (asks < ASKS_MIN || ignored / asks < UNANSWERED_MIN) return [];
      return [{
        about: "",
        text:
          `the agent ignored ${ignored} of ${asks} requests to save, and each costs a turn. sage config set detection.mode silent saves without asking.`,
      }];
    },
    isHeeded: (memory) => memory.config.get("detection.mode") !== "ask",
  },
  {
    name: "clear",
    find(_, receipts) {
      const compactions = Map.groupBy(
        receipts.filter(({ hook }) => hook === "pre-compact"),
        ({ session }) => session,
      );
      const often = [...compactions.values()].filter((own) => own.length > 1).length;
      if (often < SESSIONS_MIN || receipts.some(isClear)) return [];
      return [{
        about: "",
        text:
          `${often} sessions were compacted more than once, and each time something is lost. After a checkpoint /clear begins anew, and the agent is told where you stopped.`,
      }];
    },
    isHeeded: (_memory, receipts, _about, atMs) =>
      receipts.some((line) => isClear(line) && (parseTime(line.at) ?? 0) > atMs),
  },
];

function isClear({ hook, source }: LogLine): boolean {
  return hook === "session-start" && source === "clear";
}
