/**
 * What impact is derived from: the receipts that hooks, tools and saves left, and the journal of uses,
 * each line with the place where it stands. Read only; nothing is computed here.
 */
import { parseTime, utcDay } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { LOG_DAYS_MAX, type LogLine, readPlacedLog } from "../../base/log.ts";
import type { Memory } from "../memory.ts";
import { readUses, type UseRecord, USES } from "../use.ts";

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
  /** Files of which something is missing here; `lines`: how many, unless the file cannot be read at all. */
  readonly lost: readonly { readonly from: string; readonly lines?: number }[];
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
  const lost: { from: string; lines?: number }[] = [];
  const onLost = (from: string, lines?: number): void => {
    const isOlder = from.startsWith("log/") && from < `log/${utcDay(sinceMs)}`;
    if (!isOlder) lost.push({ from, ...defined({ lines }) });
  };
  const all = readPlacedLog(fs, places.stateDir, memory.now(), IMPACT_DAYS_MAX, onLost)
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
  const uses = readUses(memory, onLost).flatMap(
    ({ at, id, use, session, project, line }): UseEvent[] => {
      const isOurs = project === undefined || places.projectIds.includes(project);
      if (!isOurs || !isWanted(session) || (parseTime(at) ?? 0) < sinceMs) return [];
      const from = `${USES}${line === undefined ? "" : `:${line}`}`;
      return [{ at, id, use, from, ...defined({ session }) }];
    },
  );
  return { hooks, tools, saves, uses, lost };
}
