/** Session start: the only guaranteed moment. Recover, register, refresh, orient; each step alone. */
import { REFRESH_HOOK_MS_MAX } from "../base/limits.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import type { Memory } from "../memory/memory.ts";
import { refreshAll } from "../memory/reindex.ts";
import { register } from "../memory/session/begin.ts";
import { orient } from "../memory/session/orientation.ts";
import { recoverSessions } from "../memory/session/recovery.ts";
import { updateSession } from "../memory/session/state.ts";
import { type Env, withMemory } from "./handler.ts";

export async function handle(input: HookInput, env: Env): Promise<HookReply> {
  return await withMemory(input, env, async (memory) => {
    const source = input.source ?? "startup";
    const recovered = await tried(() => recoverSessions(memory, input.sessionId), []);
    await tried(() => register(memory, input), undefined);
    await tried(() => refreshAll(memory, { deadlineMs: REFRESH_HOOK_MS_MAX }), []);
    const orientation = await tried(() => orient(memory, input.sessionId, source), undefined);
    if (orientation !== undefined) remember(memory, input.sessionId, orientation.hash);
    return {
      reply: orientation === undefined ? {} : { context: orientation.text },
      receipt: { source, recovered: recovered.length, tokens: orientation?.tokens ?? 0 },
    };
  });
}

/** A failed step costs its own part of the answer, never the answer. */
async function tried<T>(step: () => Promise<T> | T, otherwise: T): Promise<T> {
  try {
    return await step();
  } catch {
    return otherwise;
  }
}

function remember(memory: Memory, session: string, hash: string): void {
  try {
    updateSession(memory, session, (state) => ({ ...state, oriented: hash }));
  } catch {
    // Told twice at worst.
  }
}
