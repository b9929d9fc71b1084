/** The end of a turn that is not empty: context threshold, detection, the session note. */
import { defined } from "../base/defined.ts";
import type { Env } from "../base/environment.ts";
import type { LogFields } from "../base/log.ts";
import type { HookInput, HookReply, Transcript } from "../editor/editor.ts";
import type { ExtractiveOutcome } from "../memory/checkpoint/extractive.ts";
import { decideStop, type StopDecision } from "../memory/checkpoint/trigger.ts";
import type { Memory } from "../memory/memory.ts";
import type { SessionState } from "../memory/session/state/session_state.ts";
import { readSession } from "../memory/session/state/state.ts";
import type { Concept } from "../memory/teaching.ts";
import { touch } from "../memory/session/touch.ts";
import { readTurns } from "../memory/session/turns.ts";
import type { Served } from "./event_queue.ts";
import { withMemory } from "./handler.ts";

/**
 * The session note is renewed at most this often, and by the stop after a save, not the one that
 * saves. Its last version is written when the session ends, however it ends.
 */
const NOTE_MS_MIN = 5 * 60 * 1000;
/** A save takes about 0.1 s, more on a busy disk; a process that takes longer counts as hung. */
const OWED_MS_MAX = 30 * 1000;

export async function endTurn(input: HookInput, env: Env, served?: Served): Promise<HookReply> {
  return await withMemory(input, env, async (memory, isAlone) => {
    const state = readSession(memory, input.sessionId);
    if (!isAlone && isJustOwed(memory, state)) {
      return { reply: {}, receipt: { gate: "being saved" } };
    }
    const read = await readTurns(memory, input.transcriptPath, {
      lastMessage: input.lastAssistantMessage,
      since: state?.lastSave,
    });
    const transcript = read && { ...read, ...defined({ contextWindow: input.contextWindow }) };
    if (transcript === undefined) return { reply: {}, receipt: { gate: "no transcript" } };
    // A turn has ended, so there is one: the editor's format is another now.
    if (await isUnreadable(memory, input, transcript)) {
      return { reply: {}, receipt: { gate: "no turns" } };
    }
    const decision = await decideStop(memory, input, transcript);
    await touch(memory, input, transcript);
    const { ask, gate } = decision;
    // After an ask the agent continues; its next stop ends the turn.
    if (ask !== undefined) return { reply: { block: ask }, receipt: { gate, note: "later" } };
    const finish = async (): Promise<Finished> => {
      const saved = await decision.save?.();
      const note = isNoteDue(memory, input, saved)
        ? await renewNote(memory, input, transcript)
        : "later";
      return { saved, receipt: { save: saved?.kind, note } };
    };
    if (await isWaitedFor(memory, input, decision)) {
      const { saved, receipt } = await finish();
      const reply = saved?.kind === "saved" ? await tell(memory, gate, saved.short_id) : {};
      return { reply, receipt: { gate, ...receipt } };
    }
    return { reply: {}, receipt: { gate }, rest: async () => (await finish()).receipt };
  }, { light: true, saves: true, served });
}

/** Whether there is no turn in it, also if the whole is read: the end may be one long line. */
async function isUnreadable(
  memory: Memory,
  { transcriptPath }: HookInput,
  { turns, fromStart }: Transcript,
): Promise<boolean> {
  if (turns.length > 0 || fromStart) return turns.length === 0;
  return (await readTurns(memory, transcriptPath, { whole: true }))?.turns.length === 0;
}

/** Whether another live process is saving right now; what is new waits for the next stop. */
function isJustOwed(memory: Memory, state: SessionState | undefined): boolean {
  const { isOwed = false, at = 0 } = state?.pendingAsk ?? {};
  return isOwed && Math.abs(memory.now() - at) < OWED_MS_MAX;
}

interface Finished {
  readonly saved: ExtractiveOutcome | undefined;
  readonly receipt: LogFields;
}

/** Whether the reply depends on the save, or an earlier reply would help nobody. */
async function isWaitedFor(
  memory: Memory,
  { isUnattended = false }: HookInput,
  { gate, save, isOffer = false }: StopDecision,
): Promise<boolean> {
  if (isUnattended || isOffer) return true;
  if (save === undefined) return false;
  const { hasNotice } = await import("../memory/notice.ts");
  return hasNotice(memory, conceptOf(gate));
}

/** The notice about a save to the person. */
async function tell(memory: Memory, gate: string, shortId: string): Promise<HookReply> {
  const { noticeOf } = await import("../memory/notice.ts");
  return noticeOf(memory, conceptOf(gate), `saved checkpoint ${shortId} (${gate})`);
}

function conceptOf(gate: string): Concept {
  return gate.startsWith("context at") ? "threshold" : "checkpoint";
}

function isNoteDue(
  memory: Memory,
  { sessionId }: HookInput,
  saved: ExtractiveOutcome | undefined,
): boolean {
  if (saved?.kind === "saved") return false;
  const state = readSession(memory, sessionId);
  const { noteAt = 0, lastSave } = state ?? {};
  return state?.note === undefined || (lastSave?.at ?? 0) > noteAt ||
    Math.abs(memory.now() - noteAt) >= NOTE_MS_MIN;
}

/** Reads the whole transcript, because the note covers the whole session. */
async function renewNote(memory: Memory, input: HookInput, read: Transcript): Promise<string> {
  const { writeSessionNote } = await import("../memory/session/note.ts");
  await memory.load();
  const whole = read.fromStart ? read : await readTurns(memory, input.transcriptPath, {
    lastMessage: input.lastAssistantMessage,
    whole: true,
  });
  return (await writeSessionNote(memory, input.sessionId, whole ?? read)).kind;
}
