/**
 * The answer to `sage` alone, for somebody who has just opened a terminal: whether all is well, where work
 * stopped, and what to run next.
 */
import { defined } from "../../base/defined.ts";
import { shortId } from "../../base/id.ts";
import { readSession } from "../../note/session.ts";
import { knownEntries, readEntry } from "../index/entries.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { runningNotes } from "../session/instances.ts";
import { latestOf } from "../session/local_sessions.ts";
import { isBegun, readStatus, type Status } from "./status.ts";

export interface Home extends Pick<Status, "healthy" | "line" | "project" | "next"> {
  /** False if there is no store yet, neither the project's nor the person's. */
  readonly begun: boolean;
  readonly last_session?: {
    readonly short_id: string;
    readonly title: string;
    readonly updated: string;
    readonly state: "running" | "ended" | "recovered" | "open";
    readonly next?: string;
    readonly question?: string;
  };
}

export async function readHome(memory: Memory): Promise<Home> {
  // First, because it refreshes the index, from which the session is taken.
  const { healthy, line, project, next, stores } = await readStatus(memory);
  const session = await lastSession(memory);
  return {
    begun: isBegun(memory, stores),
    healthy,
    line,
    project,
    ...defined({ last_session: session }),
    next,
  };
}

async function lastSession(memory: Memory): Promise<Home["last_session"]> {
  const known = knownEntries(memory, { kinds: ["session"] })
    .filter(({ store }) => store.trust !== "unknown");
  const stored = await readEntry(latestOf(memory, known));
  if (stored === undefined) return undefined;
  const note = readSession(withoutPrivate(stored.note));
  const [next] = note.next;
  const question = note.openQuestions.findLast((one) => one !== next);
  return {
    short_id: shortId(note.id),
    title: note.title ?? note.summary,
    updated: note.updated,
    state: runningNotes(memory).has(note.id)
      ? "running"
      : note.endReason === "recovered"
      ? "recovered"
      : note.ended === undefined
      ? "open"
      : "ended",
    ...defined({ next, question }),
  };
}
