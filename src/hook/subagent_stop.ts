/** A subagent reported: one line for the session note. Compaction's own summariser is none. */
import { withoutRecalled } from "../base/recalled_fence.ts";
import { cut, splitSentences } from "../base/text.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { WITHHELD, withholdPrivate } from "../guard/private.ts";
import { redactSync } from "../guard/redact.ts";
import { updateSession } from "../memory/session/state.ts";
import { type Env, withMemory } from "./handler.ts";

const SAID_CHARACTERS_MAX = 200;

export async function handle(input: HookInput, env: Env): Promise<HookReply> {
  if (input.isCompaction === true) return {};
  const reply = withholdPrivate(withoutRecalled(input.lastAssistantMessage ?? ""));
  const whole = splitSentences(reply).find((sentence) => !sentence.includes(WITHHELD));
  if (whole === undefined) return {};
  const said = cut(redactSync(whole).text, SAID_CHARACTERS_MAX);
  return await withMemory(input, env, (memory) => {
    const type = input.agentType ?? "subagent";
    updateSession(memory, input.sessionId, (state) => ({
      ...state,
      subagents: [...state.subagents ?? [], { at: memory.now(), type, said }],
    }));
    return Promise.resolve({ reply: {}, receipt: { agent: type } });
  });
}
