/** What an event handler is, and the frame around each: open, receipt, close. */
import { monotonic } from "../base/clock.ts";
import { type LogFields, writeLog } from "../base/log.ts";
import { estimateTokens } from "../base/tokens.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { isExcluded } from "../memory/capture.ts";
import { type Memory, type Opened, openMemory } from "../memory/memory.ts";

export type Env = (name: string) => string | undefined;

/** `opened` is what the session's server keeps open; a hook that does it itself has nothing. */
export type Handler = (input: HookInput, env: Env, opened?: Opened) => Promise<HookReply>;

/** What a handler did, for the receipt; the reply goes to the editor. */
export interface Handled {
  readonly reply: HookReply;
  readonly receipt: LogFields;
}

/** Runs the body on an open memory and leaves one receipt, whatever came of it. */
export async function withMemory(
  input: HookInput,
  env: Env,
  body: (memory: Memory) => Promise<Handled>,
  options: { readonly light?: boolean; readonly opened?: Opened | undefined } = {},
): Promise<HookReply> {
  const start = monotonic();
  const memory = await openMemory({
    cwd: input.startDir ?? input.cwd,
    env,
    holder: `sage hook ${input.event}`,
    hook: true,
    session: input.sessionId,
    ...options,
  });
  try {
    // Nothing of an excluded project is read, not even to say so.
    if (await isExcluded(memory)) return {};
    const { reply, receipt } = await body(memory);
    const delegated = options.opened === undefined ? {} : { delegated: true };
    log(memory, input, start, { outcome: "done", ...price(reply), ...receipt, ...delegated });
    return reply;
  } finally {
    memory.close();
  }
}

/** What the reply costs the conversation: the tokens of an orientation, of what surfaced, of an ask. */
function price({ context = "", block = "" }: HookReply): { tokens?: number } {
  return context + block === "" ? {} : { tokens: estimateTokens(context + block) };
}

function log(memory: Memory, input: HookInput, start: number, fields: LogFields): void {
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "hook", {
    hook: input.event,
    session: input.sessionId,
    project: memory.places.projectId,
    ...fields,
    ms: Math.round(monotonic() - start),
  });
}
