/** A prompt that passed the first gates: may set the session's topic, and may recall notes. */
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { stripPrivate } from "../guard/private.ts";
import { withoutIgnoredText } from "../memory/write/capture.ts";
import type { Memory } from "../memory/memory.ts";
import { hasUnsaidOverlap, hasUntoldOffer } from "../memory/session/pending_notices.ts";
import type { SessionState } from "../memory/session/state/session_state.ts";
import { readSession, updateSession, withStarterSeen } from "../memory/session/state/state.ts";
import { surface } from "../memory/surfacing/surfacing.ts";
import type { Served } from "./event_queue.ts";
import { withMemory } from "./handler.ts";

export async function surfacePrompt(
  input: HookInput,
  env: Env,
  served?: Served,
): Promise<HookReply> {
  return await withMemory(input, env, async (memory) => {
    const prompt = stripPrivate(input.prompt ?? "");
    const known = readSession(memory, input.sessionId);
    const missed = known === undefined ? await begin(memory, input) : "";
    const state = await tag(memory, input, known ?? readSession(memory, input.sessionId));
    const neighbours = await neighboursIn(memory, input.sessionId, state);
    const offer = await tellOffer(memory, input, state);
    const first = [missed, neighbours].filter((part) => part !== "").join("\n\n");
    const before = JSON.stringify(first + offer).length;
    const surfacing = await surface(memory, input.sessionId, prompt, before);
    const shown = surfacing.kind === "shown" ? surfacing.text : "";
    const context = [first, shown, offer].filter((part) => part !== "").join("\n\n");
    const told = surfacing.kind === "shown" ? await tell(memory, surfacing.account) : {};
    return {
      reply: { ...(context === "" ? {} : { context }), ...told },
      receipt: surfacing.kind === "shown"
        ? { gate: "passed", shown: surfacing.ids.length, told: surfacing.ids }
        : { gate: surfacing.gate },
    };
  }, { served });
}

/** Most prompts bring nothing, and load no words for the person. */
async function tell(memory: Memory, account: string): Promise<HookReply> {
  const { noticeOf } = await import("../memory/notice.ts");
  return noticeOf(memory, "surfacing", account);
}

/** For clients without SessionStart the first prompt begins the session. */
async function begin(memory: Memory, input: HookInput): Promise<string> {
  const { register } = await import("../memory/session/begin.ts");
  const { orient } = await import("../memory/session/orientation/orientation.ts");
  register(memory, input);
  // In the middle of a conversation its state was lost: nothing begins.
  const { readTurns } = await import("../memory/session/turns.ts");
  const before = await readTurns(memory, input.transcriptPath);
  if (before?.turns.some(({ role }) => role === "assistant")) return "";
  const orientation = await orient(memory, input.sessionId, "startup");
  if (orientation === undefined) return "";
  const { withTold } = await import("../memory/session/told.ts");
  updateSession(memory, input.sessionId, (state) => withTold(state, orientation, "startup"));
  return orientation.text;
}

/** Other sessions that changed the same files since the last prompt. */
async function neighboursIn(
  memory: Memory,
  session: string,
  state: SessionState | undefined,
): Promise<string> {
  if (!hasUnsaidOverlap(state)) return "";
  const { sayOverlaps } = await import("../memory/session/overlap.ts");
  return sayOverlaps(memory, session);
}

/** What the last stop saved by extraction, for the agent to word better. */
async function tellOffer(
  memory: Memory,
  { sessionId, prompt = "" }: HookInput,
  state: SessionState | undefined,
): Promise<string> {
  if (!hasUntoldOffer(state, prompt)) return "";
  const { tellOffer } = await import("../memory/checkpoint/offer.ts");
  return tellOffer(memory, sessionId);
}

/** Takes the session's topic from the first prompt that has content. Returns the session's state. */
async function tag(
  memory: Memory,
  { sessionId, prompt = "" }: HookInput,
  state: SessionState | undefined,
): Promise<SessionState | undefined> {
  if (state?.topic !== undefined) return state;
  const { firstTopic } = await import("../memory/session/topic.ts");
  const topic = firstTopic(memory, [await withoutIgnoredText(memory, prompt)]);
  // Written with the starter, by which a session is known to be gone that is cut off in its first answer.
  return topic === undefined
    ? state
    : updateSession(memory, sessionId, (state) => withStarterSeen({ ...state, topic }));
}
