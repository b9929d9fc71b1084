/**
 * The session that a long-lived server works for. The client names one when it starts the server, and
 * not again when its person clears, resumes or branches; the registry knows which came after, in the
 * same process.
 */
import type { Memory } from "../memory.ts";
import { openSessions } from "./instances.ts";
import { readSession } from "./state.ts";

export function currentSession(memory: Memory): string | undefined {
  const { session } = memory;
  const named = session === undefined ? undefined : readSession(memory, session);
  if (named?.ended === undefined || named.pid === undefined) return session;
  const heir = openSessions(memory).find(({ pid, ended }) =>
    pid === named.pid && ended === undefined
  );
  return heir?.session ?? session;
}
