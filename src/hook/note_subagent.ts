/**
 * A subagent reported: one line for the session note. What the client asks the model beside the
 * conversation ends like one: an answer to `/btw`, which is nobody's report, and the summary of a
 * compaction. What that dropped of the conversation is measured, so that the orientation after it can
 * give it back.
 */
import type { Env } from "../base/environment.ts";
import { realFs } from "../base/fs.ts";
import { given } from "../base/given.ts";
import { withoutRecalled } from "../base/recalled_fence.ts";
import { cut, splitSentences } from "../base/text.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { WITHHELD, withholdPrivate } from "../guard/private.ts";
import { redactSync } from "../guard/redact.ts";
import { withoutIgnoredText } from "../memory/capture.ts";
import { updateSession } from "../memory/session/state.ts";
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
  // Before it is split: a line of an environment file is known by being one.
  const reply = redactSync(withholdPrivate(withoutRecalled(report))).text;
  const whole = splitSentences(reply).find((sentence) => !sentence.includes(WITHHELD));
  if (whole === undefined) return {};
  const said = cut(whole, SAID_CHARACTERS_MAX);
  return await withMemory(input, env, async (memory) => {
    const type = input.agentType ?? "subagent";
    const told = await withoutIgnoredText(memory, said);
    if (told === "") return { reply: {}, receipt: { agent: type, gate: "excluded" } };
    updateSession(memory, input.sessionId, (state) => ({
      ...state,
      // Who goes on, because a hook or the client wants more of it, says at its end what counts.
      subagents: [
        ...(state.subagents ?? []).filter(({ id }) => id === undefined || id !== input.agentId),
        { type, said: told, ...given({ id: input.agentId }) },
      ],
    }));
    return { reply: {}, receipt: { agent: type } };
  }, { served });
}

/** It has no type, or that of the conversation (`--agent`), and keeps no file of what it said. */
function isClients({ agentType, agentTranscriptPath: path }: HookInput): boolean {
  return agentType === "" || (path !== undefined && realFs.lstat(path) === undefined);
}

async function handedBack({ agentTranscriptPath: path }: HookInput): Promise<string> {
  if (path === undefined) return "";
  const { readHandback } = await import("../editor/claude_code/handback.ts");
  return readHandback(path, realFs) ?? "";
}

async function measure(input: HookInput, env: Env, served?: Served): Promise<HookReply> {
  const summary = input.lastAssistantMessage ?? "";
  if (summary === "") return {};
  return await withMemory(input, env, async (memory) => {
    if (input.isCompaction !== true) return { reply: {}, receipt: { gate: "asked by the client" } };
    const { measureCompaction } = await import("../memory/session/compaction_loss.ts");
    const { sessionId, transcriptPath } = input;
    const loss = await measureCompaction(memory, sessionId, transcriptPath, summary);
    const receipt = { compaction: true, kept: loss?.kept, lost: loss?.lost.length };
    return { reply: {}, receipt };
  }, { served });
}
