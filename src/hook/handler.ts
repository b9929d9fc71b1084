/** What an event handler is, and the frame around each: open memory, run, write the receipt, close. */
import { monotonic } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { codeOf } from "../base/errors.ts";
import { LOCK_HOOK_MS_MAX } from "../base/limits.ts";
import { type LogFields, writeLog } from "../base/log.ts";
import { estimateTokens } from "../base/text/tokens.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { isExcluded } from "../memory/write/capture.ts";
import { type Memory, openMemory } from "../memory/memory.ts";
import { folderNow } from "../memory/session/folder_now.ts";
import { lockSession } from "../memory/session/state/session_lock.ts";
import type { Served } from "./event_queue.ts";

/** `served`: only in the session's server. */
export type Handler = (input: HookInput, env: Env, served?: Served) => Promise<HookReply>;

/** The reply for the editor, and the fields of the receipt. */
export interface Handled {
  readonly reply: HookReply;
  readonly receipt: LogFields;
  /**
   * Work that the reply does not depend on; returns its fields of the receipt. A server replies
   * before it.
   */
  readonly rest?: () => Promise<LogFields>;
}

export interface HandlerOptions {
  readonly light?: boolean;
  /** It saves for the session: take the session's lock, and wait for it. */
  readonly saves?: boolean;
  readonly served?: Served | undefined;
}

/**
 * Runs the body on an open memory and writes one receipt, whatever happens. `isAlone`: this process
 * holds the session's lock, so no other saves for it.
 */
export async function withMemory(
  input: HookInput,
  env: Env,
  body: (memory: Memory, isAlone: boolean) => Promise<Handled>,
  { light = false, saves = false, served }: HandlerOptions = {},
): Promise<HookReply> {
  const start = monotonic();
  const memory = await openMemory({
    cwd: await folderNow(input.startDir ?? input.cwd, input.sessionId, env),
    env,
    holder: `sage hook ${input.event}`,
    hook: true,
    session: input.sessionId,
    light,
    opened: served?.opened,
  });
  let held: ReturnType<typeof lockSession>;
  const close = (): void => {
    held?.release();
    memory.close();
  };
  let isLater = false;
  try {
    // Nothing of an excluded project is read, not even to say so.
    if (await isExcluded(memory)) return {};
    if (served !== undefined) {
      const { recordEditor } = await import("../memory/session/begin.ts");
      recordEditor(memory, input.sessionId);
    }
    if (saves) held = holdAlone(memory, input.sessionId);
    const { reply, receipt, rest } = await body(memory, held !== undefined);
    const delegated = served === undefined ? undefined : true;
    const done = { outcome: "done", ...price(reply), ...receipt, delegated };
    if (served === undefined || rest === undefined) {
      log(memory, input, { ...done, ...await rest?.(), ms: since(start) });
      return reply;
    }
    isLater = true;
    const ms = since(start);
    served.later(async () => {
      try {
        log(memory, input, { ...done, ...await rest(), ms, after_ms: since(start) - ms });
      } catch (error) {
        log(memory, input, { outcome: "failed", error: codeOf(error), delegated });
      } finally {
        close();
      }
    });
    return reply;
  } finally {
    if (!isLater) close();
  }
}

/** Goes on without a lock if none can be made, as on a full disk: the save matters more. */
function holdAlone(memory: Memory, session: string): ReturnType<typeof lockSession> {
  try {
    return lockSession(memory, session, LOCK_HOOK_MS_MAX);
  } catch {
    return { release() {} };
  }
}

function since(start: number): number {
  return Math.round(monotonic() - start);
}

/** The tokens that the reply adds to the conversation. */
function price({ context = "", block = "" }: HookReply): { tokens?: number } {
  return context + block === "" ? {} : { tokens: estimateTokens(context + block) };
}

function log(memory: Memory, input: HookInput, fields: LogFields): void {
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "hook", {
    hook: input.event,
    agent: input.agent,
    session: input.sessionId,
    project: memory.places.projectId,
    ...fields,
  });
}
