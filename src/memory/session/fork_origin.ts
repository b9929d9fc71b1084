/**
 * The session that `--fork-session` copied. Its process is gone, the copy is no file yet when it
 * begins, and nothing names it; but the client tells how full the conversation is and how long ago it
 * was last answered, and one transcript of the project ends like that.
 */
import { parseTime } from "../../base/clock.ts";
import type { HookInput } from "../../editor/editor.ts";
import { readSessionFile } from "../../editor/session_file.ts";
import type { Memory } from "../memory.ts";
import { recentSessions } from "./instances.ts";

/** A hook may start late on a busy machine; how full the conversation is decides. */
const SLACK_MS = 30_000;
/** A reply is dated by its beginning. */
const REPLY_MS_MAX = 10 * 60 * 1000;
/** The session was last seen right after its last reply, or when it ended. */
const LOOKED_AT_MAX = 10;
/** The client's records of requests stand behind the last reply. */
const END_BYTES = 1024 * 1024;

export async function forkOrigin(
  memory: Memory,
  { sessionId, replayed }: Pick<HookInput, "sessionId" | "replayed">,
): Promise<string | undefined> {
  if (replayed === undefined) return undefined;
  const repliedMs = memory.now() - replayed.silentSeconds * 1000;
  const sinceMs = repliedMs - SLACK_MS;
  const seenSince = recentSessions(memory, sinceMs)
    .filter(({ session, seen }) => session !== sessionId && seen >= sinceMs).reverse();
  let origin: { readonly session: string; readonly offMs: number } | undefined;
  for (const { session, transcriptPath } of seenSince.slice(0, LOOKED_AT_MAX)) {
    if (transcriptPath === undefined) continue;
    const how = { fs: memory.fs, tailBytes: END_BYTES };
    const { turns, contextTokens } = await readSessionFile(transcriptPath, how);
    if (contextTokens !== replayed.tokens) continue;
    const reply = turns.findLast(({ role }) => role === "assistant");
    const silentMs = repliedMs - (parseTime(reply?.at ?? "") ?? Infinity);
    const offMs = Math.abs(silentMs);
    const isLast = silentMs >= -SLACK_MS && silentMs <= REPLY_MS_MAX;
    if (isLast && offMs < (origin?.offMs ?? Infinity)) origin = { session, offMs };
  }
  return origin?.session;
}
