/**
 * What impact is derived from: the receipts that hooks, tools and saves left, and the journal of uses,
 * each line with the place where it stands. Read only; nothing is computed here.
 */
import { parseTime } from "../../base/clock.ts";
import { LOG_DAYS_MAX, type LogLine, readPlacedLog } from "../../base/log.ts";
import type { Memory } from "../memory.ts";
import { readUses, type UseRecord } from "../use.ts";

/** Receipts are kept no longer than this. */
export const IMPACT_DAYS_MAX = LOG_DAYS_MAX;

export interface Receipt {
  readonly atMs: number;
  readonly session: string;
  readonly line: LogLine;
  /** `log/2026-01-13.jsonl:12`, below `state/`. */
  readonly from: string;
}

interface UseEvent extends Pick<UseRecord, "at" | "id" | "use" | "session"> {
  readonly from: string;
}

export interface Receipts {
  readonly hooks: readonly Receipt[];
  readonly tools: readonly Receipt[];
  readonly saves: readonly Receipt[];
  readonly uses: readonly UseEvent[];
}

/** The ids of the notes that this receipt says were shown; most show none. */
export function toldIn(line: LogLine): readonly string[] {
  return Array.isArray(line.told) ? line.told.map(String) : [];
}

/** The receipts of this project since `sinceMs`, or of one of its sessions (an id or a prefix). */
export function readReceipts(memory: Memory, sinceMs: number, session?: string): Receipts {
  const { fs, places } = memory;
  const isWanted = (id: string | undefined): boolean =>
    session === undefined || id?.startsWith(session) === true;
  const all = readPlacedLog(fs, places.stateDir, memory.now(), IMPACT_DAYS_MAX)
    .flatMap(({ line, from }): Receipt[] => {
      const atMs = parseTime(line.at);
      const known = typeof line.session === "string" ? line.session : "";
      return atMs === undefined || atMs < sinceMs || known === "" || !isWanted(known)
        ? []
        : [{ atMs, session: known, line, from }];
    });
  const isHere = ({ line }: Receipt): boolean =>
    places.projectIds.includes(String(line.project ?? ""));
  const hooks = all.filter(({ line }) => line.event === "hook").filter(isHere);
  const tools = all.filter(({ line }) => line.event === "tool").filter(isHere);
  const sessions = new Set([...hooks, ...tools].map((receipt) => receipt.session));
  // A save names its session only.
  const saves = all.filter(({ line, session }) => line.event === "save" && sessions.has(session));
  const uses = readUses(memory).flatMap(({ at, id, use, session, project, line }): UseEvent[] => {
    const isOurs = project === undefined || places.projectIds.includes(project);
    if (!isOurs || !isWanted(session) || (parseTime(at) ?? 0) < sinceMs) return [];
    const from = `recalls/uses.jsonl${line === undefined ? "" : `:${line}`}`;
    return [{ at, id, use, from, ...(session === undefined ? {} : { session }) }];
  });
  return { hooks, tools, saves, uses };
}
