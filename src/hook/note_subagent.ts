/**
 * A subagent ended: its report becomes one line of the session note. Other requests of the client
 * end in the same way: an answer to `/btw`, which reports nothing, and the summary of a compaction,
 * from which it is measured what the compaction dropped.
 */
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { defined } from "../base/defined.ts";
import { withoutReasoning } from "../base/text/reasoning.ts";
import { withoutRecalled } from "../base/text/recalled_fence.ts";
import { cut, splitSentences } from "../base/text/text.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { WITHHELD, withholdPrivate } from "../guard/private.ts";
import { redactSync } from "../guard/redact.ts";
import { withoutIgnoredText } from "../memory/write/capture.ts";
import { withoutForgotten } from "../memory/write/forgotten.ts";
import { updateSession } from "../memory/session/state/state.ts";
import type { Served } from "./event_queue.ts";
import { withMemory } from "./handler.ts";

const SAID_CHARACTERS_MAX = 200;

export async function noteSubagent(
  input: HookInput,
  env: Env,
  served?: Served,
): Promise<HookReply> {
  if (isClients(input)) return await measure(input, env, served);
  const report = input.lastAssistantMessage || await handedBack(input);
  // Before it is split, because the guard recognizes a line of a .env file by the whole line.
  const reply = redactSync(withoutReasoning(withholdPrivate(withoutRecalled(report)))).text;
  const whole = splitSentences(reply).find((sentence) => !sentence.includes(WITHHELD));
  if (whole === undefined) return {};
  const said = cut(whole, SAID_CHARACTERS_MAX);
  return await withMemory(input, env, async (memory) => {
    const type = input.agentType ?? "subagent";
    const open = await withoutIgnoredText(memory, said);
    const told = withoutForgotten(memory)?.(open) ?? open;
    if (told === "") return { reply: {}, receipt: { agent: type, gate: "excluded" } };
    updateSession(memory, input.sessionId, (state) => ({
      ...state,
      // One that was sent back to work gives its report at its end.
      subagents: [
        ...(state.subagents ?? []).filter(({ id }) => id === undefined || id !== input.agentId),
        { type, said: told, ...defined({ id: input.agentId }) },
      ],
    }));
    return { reply: {}, receipt: { agent: type } };
  }, { served });
}

/**
 * An answer to `/btw` has no agent type, or that of the conversation (`--agent`), and no transcript
 * of its own.
 */
function isClients({ agentType, agentTranscriptPath: path }: HookInput): boolean {
  return agentType === "" || (path !== undefined && realFs.lstat(path) === undefined);
}

async function handedBack({ agentTranscriptPath: path }: HookInput): Promise<string> {
  if (path === undefined) return "";
  const { readHandback } = await import("../editor/claude_code/handback.ts");
  return readHandback(path, realFs) ?? "";
}

async function measure(input: HookInput, env: Env, served?: Served): Promise<HookReply> {
  const { sessionId, transcriptPath, lastAssistantMessage: summary } = input;
  return await withMemory(input, env, async (memory) => {
    if (input.isCompaction !== true) return { reply: {}, receipt: { gate: "asked by the client" } };
    const { measureCompaction } = await import("../memory/session/compaction_loss.ts");
    const loss = await measureCompaction(memory, sessionId, transcriptPath, summary);
    const receipt = { compaction: true, kept: loss?.kept, lost: loss?.lost.length };
    return { reply: {}, receipt };
  }, { served });
}
