/** What a turn with something in it comes to: context threshold, detection, the living session note. */
import type { HookInput, HookReply, Transcript } from "../editor/editor.ts";
import { decideStop, type StopDecision } from "../memory/checkpoint/trigger.ts";
import type { Memory, Opened } from "../memory/memory.ts";
import { readSession } from "../memory/session/state.ts";
import { touch } from "../memory/session/touch.ts";
import { readTurns } from "../memory/session/turns.ts";
import { type Env, withMemory } from "./handler.ts";

/**
 * The living note is renewed at most this often, and after a save: not by the stop that saves, which has
 * done enough, but by the next one. Its last word is written when the session ends, however it ends.
 */
const NOTE_MS_MIN = 5 * 60 * 1000;

export async function endTurn(
  input: HookInput,
  env: Env,
  opened?: Opened,
): Promise<HookReply> {
  return await withMemory(input, env, async (memory) => {
    const transcript = await readTurns(memory, input.transcriptPath, {
      lastMessage: input.lastAssistantMessage,
      since: readSession(memory, input.sessionId)?.lastSave,
    });
    if (transcript === undefined) return { reply: {}, receipt: { gate: "no transcript" } };
    const decision = await decideStop(memory, input, transcript);
    await touch(memory, input, transcript);
    const note = isNoteDue(memory, input, decision)
      ? await renewNote(memory, input, transcript)
      : "later";
    const { ask, saved } = decision;
    return {
      reply: ask !== undefined
        ? { block: ask }
        : saved?.kind === "saved"
        ? await tell(memory, decision.gate, saved.shortId)
        : {},
      receipt: {
        gate: decision.gate,
        ...(decision.saved === undefined ? {} : { save: decision.saved.kind }),
        note,
      },
    };
  }, { light: true, opened });
}

/** Nothing but a save is worth a word to the person. */
async function tell(memory: Memory, gate: string, shortId: string): Promise<HookReply> {
  const { noticeOf } = await import("../memory/notice.ts");
  const concept = gate.startsWith("context at") ? "threshold" : "checkpoint";
  return noticeOf(memory, concept, `saved checkpoint ${shortId} (${gate})`);
}

function isNoteDue(memory: Memory, { sessionId }: HookInput, decision: StopDecision): boolean {
  // After an ask the agent goes on; its next stop is the end of the turn.
  if (decision.ask !== undefined || decision.saved?.kind === "saved") return false;
  const state = readSession(memory, sessionId);
  const { noteAt = 0, lastSave } = state ?? {};
  return state?.note === undefined || (lastSave?.at ?? 0) > noteAt ||
    memory.now() - noteAt >= NOTE_MS_MIN;
}

/** A note tells the whole session, so all of the transcript is read for it. */
async function renewNote(memory: Memory, input: HookInput, read: Transcript): Promise<string> {
  const { writeSessionNote } = await import("../memory/session/note.ts");
  await memory.load();
  const whole = read.fromStart ? read : await readTurns(memory, input.transcriptPath, {
    lastMessage: input.lastAssistantMessage,
    whole: true,
  });
  return (await writeSessionNote(memory, input.sessionId, whole ?? read)).kind;
}
