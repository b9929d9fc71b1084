/**
 * Guesses which session `--fork-session` copied. Nothing names it: its process is gone, and the copy has no
 * file yet. But the client reports how full the conversation is and how long ago it was last answered, and
 * one transcript of the project ends like that.
 */
import { parseTime } from "../../base/clock.ts";
import type { HookInput } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { readConversation } from "./conversation.ts";
import { recentSessions } from "./instances.ts";

/** A hook may start this late on a busy machine. The size of the conversation decides first. */
const SLACK_MS = 30_000;
/** A reply has the time of its beginning, and may take this long. */
const REPLY_MS_MAX = 10 * 60 * 1000;
/** Transcripts that are read: first those of sessions last seen soonest after the reply. */
const LOOKED_AT_MAX = 10;
/** What the client records after the last reply is shorter. */
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
  let origin: { readonly session: string; readonly off: number; readonly at: number } | undefined;
  for (const { session, transcriptPath } of seenSince.slice(0, LOOKED_AT_MAX)) {
    if (transcriptPath === undefined) continue;
    const { turns, contextTokens } = await readConversation(memory, transcriptPath, END_BYTES);
    if (contextTokens !== replayed.tokens) continue;
    const reply = turns.findLast(({ role }) => role === "assistant");
    const at = parseTime(reply?.at ?? "") ?? Infinity;
    const silentMs = repliedMs - at;
    if (silentMs < -SLACK_MS || silentMs > REPLY_MS_MAX) continue;
    // Told in whole seconds: of two within one it is the later reply, as `--continue` takes it.
    const off = Math.floor(Math.abs(silentMs) / 1000);
    const isNearer = origin === undefined || off < origin.off ||
      off === origin.off && at > origin.at;
    if (isNearer) origin = { session, off, at };
  }
  return origin?.session;
}
