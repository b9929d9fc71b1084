/** What a turn with something in it comes to: context threshold, detection, the living session note. */
import type { HookInput, HookReply } from "../editor/editor.ts";
import { decideStop } from "../memory/checkpoint/trigger.ts";
import { writeSessionNote } from "../memory/session/note.ts";
import { touch } from "../memory/session/touch.ts";
import { readTurns } from "../memory/session/turns.ts";
import { type Env, withMemory } from "./handler.ts";

export async function endTurn(input: HookInput, env: Env): Promise<HookReply> {
  return await withMemory(input, env, async (memory) => {
    const transcript = readTurns(memory, input.transcriptPath, {
      ...(input.lastAssistantMessage === undefined
        ? {}
        : { lastMessage: input.lastAssistantMessage }),
    });
    if (transcript === undefined) return { reply: {}, receipt: { gate: "no transcript" } };
    const decision = await decideStop(memory, input, transcript);
    touch(memory, input, transcript);
    const note = decision.ask === undefined
      ? (await writeSessionNote(memory, input.sessionId, transcript)).kind
      : "later";
    return {
      reply: decision.ask === undefined ? {} : { block: decision.ask },
      receipt: {
        gate: decision.gate,
        ...(decision.saved === undefined ? {} : { save: decision.saved.kind }),
        note,
      },
    };
  });
}
