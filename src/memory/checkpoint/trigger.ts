/**
 * What a stop comes to: nothing, an ask, or a quiet save. The order is the policy of design/detection:
 * an ask that was not answered, then refusals from cheap to dear, then signals.
 */
import { depthOf, isShallow } from "../../detect/depth.ts";
import type { Detection } from "../../detect/detect.ts";
import { contextThreshold } from "../../detect/context_threshold.ts";
import { contextWindow } from "../../editor/claude_code/transcript.ts";
import { parseTime } from "../../base/clock.ts";
import { join } from "../../base/fs.ts";
import type { Inflection } from "../../detect/signal.ts";
import type { HookInput, Transcript } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "../session/session_state.ts";
import { readSession, updateSession } from "../session/state.ts";
import { newTurns } from "../session/turns.ts";
import type { ExtractiveCause, ExtractiveOutcome } from "./extractive.ts";

export interface StopDecision {
  /** What decided, for the receipt. */
  readonly gate: string;
  readonly ask?: string;
  readonly saved?: ExtractiveOutcome;
}

export async function decideStop(
  memory: Memory,
  input: HookInput,
  transcript: Transcript,
): Promise<StopDecision> {
  const session = input.sessionId;
  const state = readSession(memory, session);
  if (state?.pendingAsk !== undefined) {
    return await saveUnanswered(memory, session, state.pendingAsk, transcript);
  }
  if (input.stopHookActive === true) return { gate: "stop hook active" };
  // It was told beside the prompt of the turn that ends here.
  if (state?.offer?.told === true) updateSession(memory, session, ({ offer: _, ...rest }) => rest);

  const crossed = await saveAtThreshold(memory, session, state, transcript);
  if (crossed !== undefined) return crossed;

  const turns = newTurns(transcript, state);
  const least = {
    minMessages: memory.config.get("detection.min_messages"),
    minTokens: memory.config.get("detection.min_tokens"),
  };
  if (memory.config.get("detection.mode") === "off") return { gate: "mode off" };
  if (isShallow(depthOf(turns), least)) return { gate: "too shallow" };

  // From here on it takes the detector, and perhaps the model.
  const { detect } = await import("../../detect/detect.ts");
  await memory.load();
  const phrases = await phrasesOf(memory);
  const detection = detect({
    turns,
    earlier: transcript.turns.slice(0, -turns.length || undefined),
    mode: memory.config.get("detection.mode"),
    stopHookActive: false,
    ...least,
    structuralAlone: memory.config.get("detection.structural_alone"),
    structuralConfirmed: memory.config.get("detection.structural_confirmed"),
    cooldownSeconds: memory.config.get("detection.cooldown_seconds"),
    cooldowns: state?.cooldowns ?? {},
    seenHashes: state?.hashes ?? [],
    nowMs: memory.now(),
    embedder: () => memory.builtIn(),
    phrases,
    maxTurns: memory.config.get("detection.max_turns"),
    maxTokens: memory.config.get("detection.max_tokens"),
  });
  if (detection.kind === "nothing") return { gate: detection.gate };
  return await act(memory, input, state, transcript, detection);
}

/** The person's own, where there are any; a file that cannot be read confirms nothing. */
async function phrasesOf(memory: Memory): Promise<Partial<Record<Inflection, readonly string[]>>> {
  if (memory.fs.lstat(join(memory.places.userRoot, PHRASES_FILE)) === undefined) return {};
  const { ownPhrases } = await import("../phrases/file.ts");
  return await ownPhrases(memory).catch(() => ({}));
}

const PHRASES_FILE = "patterns.yaml";

/** Asked last time, or killed while saving: Sage does it now, and says nothing. */
async function saveUnanswered(
  memory: Memory,
  session: string,
  ask: NonNullable<SessionState["pendingAsk"]>,
  transcript: Transcript,
): Promise<StopDecision> {
  const trigger = ask.trigger as ExtractiveCause["trigger"];
  const { confidence } = ask;
  const cause = { session, trigger, confidence, again: true };
  const saved = await save(memory, until(transcript, ask.at), cause);
  if (saved.kind !== "saved") settle(memory, session);
  return { gate: "ask not answered", saved };
}

/** What a save does by itself: nothing waits any more. */
function settle(memory: Memory, session: string): void {
  updateSession(memory, session, ({ pendingAsk: _, ...rest }) => rest);
}

/** Most turns save nothing, and load nothing of what saving needs. */
async function save(
  memory: Memory,
  transcript: Transcript,
  cause: ExtractiveCause,
): Promise<ExtractiveOutcome> {
  const { saveExtractive } = await import("./extractive.ts");
  await memory.load();
  return await saveExtractive(memory, transcript, cause);
}

/** What was asked about: the reply to the ask says nothing of it, and would stand for the answer. */
function until(transcript: Transcript, atMs: number): Transcript {
  const turns = transcript.turns.filter(({ at }) => (parseTime(at) ?? Infinity) <= atMs);
  return turns.length === 0 ? transcript : { ...transcript, turns };
}

/** At 70, 80 and 90 % of the context window, once each. */
async function saveAtThreshold(
  memory: Memory,
  session: string,
  state: SessionState | undefined,
  transcript: Transcript,
): Promise<StopDecision | undefined> {
  if (transcript.contextTokens === undefined) return undefined;
  const own = Number(memory.env("CLAUDE_CODE_AUTO_COMPACT_WINDOW") ?? "");
  const window = own > 0 ? own : transcript.contextWindow ?? contextWindow(transcript.model ?? "");
  const first = memory.config.get("detection.context_threshold");
  const step = contextThreshold(transcript.contextTokens, window, state?.contextSteps ?? [], first);
  if (step === undefined) return undefined;
  updateSession(
    memory,
    session,
    (now) => ({ ...now, contextSteps: [...now.contextSteps ?? [], step] }),
  );
  const saved = await save(memory, transcript, {
    session,
    trigger: "context_threshold",
    confidence: 0.6,
  });
  return { gate: `context at ${step} %`, saved };
}

async function act(
  memory: Memory,
  { sessionId: session, isUnattended = false }: HookInput,
  state: SessionState | undefined,
  transcript: Transcript,
  detection: Exclude<Detection, { kind: "nothing" }>,
): Promise<StopDecision> {
  const at = memory.now();
  const { trigger, confidence, contentHash } = detection;
  const asks = state?.asks ?? [];
  const gate = `${trigger} ${confidence.toFixed(2)}`;
  const isEnough = !mayAsk(memory, asks, at);
  const isAsk = detection.kind === "ask" && !isUnattended && !isEnough;
  const isOffer = isAsk && memory.config.get("detection.mode") === "offer";
  updateSession(memory, session, (now) => ({
    ...now,
    cooldowns: { ...now.cooldowns, [trigger]: at },
    hashes: [...now.hashes ?? [], contentHash],
    ...(isAsk ? { asks: [...asks, { at, trigger, hash: contentHash }] } : {}),
    // Until it is saved: whoever is killed while saving leaves it to the next stop.
    pendingAsk: { at, trigger, confidence },
  }));
  if (isAsk && !isOffer) return { gate, ask: askText(trigger, detection.reason) };
  const saved = await save(memory, transcript, { session, trigger, confidence });
  if (saved.kind !== "saved") settle(memory, session);
  else if (isOffer) {
    const { makeOffer } = await import("./offer.ts");
    makeOffer(memory, session, trigger, saved);
  }
  const why = isUnattended ? "nobody looks on" : "asked enough";
  return { gate: detection.kind === "ask" && !isAsk ? `${gate}, ${why}` : gate, saved };
}

/** An ask costs the person a turn: few, and far apart. */
function mayAsk(memory: Memory, asks: NonNullable<SessionState["asks"]>, at: number): boolean {
  const last = asks.at(-1)?.at ?? -Infinity;
  return asks.length < memory.config.get("detection.asks_per_session") &&
    at - last >= memory.config.get("detection.ask_minutes") * 60_000;
}

function askText(trigger: string, reason: string): string {
  return `Sage noticed a point worth keeping (${trigger}: ${reason}). Call sage_autosave_check once, with trigger ` +
    `"${trigger}", the core question, your thesis, the key evidence and open questions; then end the turn. ` +
    "No other work, and no need to mention it.";
}
