/**
 * The decision at a stop: nothing, an ask, or a quiet save. In this order: an ask that was not
 * answered, refusals from cheap to expensive, signals.
 */
import { depthOf, isShallow } from "../../detect/trigger/depth.ts";
import type { Detection } from "../../detect/trigger/detect.ts";
import { contextThreshold } from "../../detect/trigger/context_threshold.ts";
import { contextWindow } from "../../editor/claude_code/transcript.ts";
import { join } from "../../base/path.ts";
import type { Inflection } from "../../detect/trigger/signal.ts";
import type { HookInput, Transcript } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "../session/state/session_state.ts";
import { readSession, updateSession } from "../session/state/state.ts";
import { newTurns } from "../session/turns.ts";
import type { ExtractiveOutcome } from "./extractive.ts";
import { makeOwed, type Owed, until } from "./owed.ts";

export interface StopDecision {
  /** What decided, for the receipt. */
  readonly gate: string;
  readonly ask?: string;
  /** Makes the save, which is owed from now on: see owed.ts. */
  readonly save?: () => Promise<ExtractiveOutcome>;
  /** The next prompt tells the agent of the save, so it must be made by then. */
  readonly isOffer?: boolean;
}

export async function decideStop(
  memory: Memory,
  input: HookInput,
  transcript: Transcript,
): Promise<StopDecision> {
  const session = input.sessionId;
  const state = readSession(memory, session);
  if (state?.pendingAsk !== undefined) {
    return saveUnanswered(memory, session, state.pendingAsk, transcript);
  }
  if (input.stopHookActive === true) return { gate: "stop hook active" };
  // It was made with the prompt of the turn that ends here.
  if (state?.offer?.told === true) updateSession(memory, session, ({ offer: _, ...rest }) => rest);

  const crossed = saveAtThreshold(memory, session, state, transcript);
  if (crossed !== undefined) return crossed;

  const turns = newTurns(transcript, state);
  const least = {
    minMessages: memory.config.get("detection.min_messages"),
    minTokens: memory.config.get("detection.min_tokens"),
  };
  const mode = memory.config.get("detection.mode");
  if (mode === "off") return { gate: "mode off" };
  if (isShallow(depthOf(turns), least)) return { gate: "too shallow" };

  // From here on the detector is needed, and perhaps the model.
  const { detect } = await import("../../detect/trigger/detect.ts");
  await memory.load();
  const phrases = await phrasesOf(memory);
  const detection = detect({
    turns,
    earlier: transcript.turns.slice(0, transcript.turns.length - turns.length),
    mayAsk: mode !== "silent",
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
  return act(memory, input, state, transcript, detection);
}

/** The person's own phrases, where there are any. A file that cannot be read counts as none. */
async function phrasesOf(memory: Memory): Promise<Partial<Record<Inflection, readonly string[]>>> {
  if (memory.fs.lstat(join(memory.places.userRoot, PHRASES_FILE)) === undefined) return {};
  const { ownPhrases } = await import("../phrases/file.ts");
  return await ownPhrases(memory).catch(() => ({}));
}

const PHRASES_FILE = "patterns.yaml";

/** The agent was asked and did not save, or a save was interrupted: Sage saves now, quietly. */
function saveUnanswered(
  memory: Memory,
  session: string,
  ask: Owed,
  transcript: Transcript,
): StopDecision {
  const owed: Owed = { ...ask, isOwed: true };
  if (ask.isOwed !== true) {
    updateSession(memory, session, (now) => ({ ...now, pendingAsk: owed }));
  }
  const asked = until(transcript, ask.at);
  return {
    gate: "ask not answered",
    save: () => makeOwed(memory, session, asked, owed, { again: true }),
  };
}

/** At 70, 80 and 90 % of the context window, once each until it is emptied. */
function saveAtThreshold(
  memory: Memory,
  session: string,
  state: SessionState | undefined,
  transcript: Transcript,
): StopDecision | undefined {
  if (transcript.contextTokens === undefined) return undefined;
  const own = Number(memory.env("CLAUDE_CODE_AUTO_COMPACT_WINDOW") ?? "");
  const window = own > 0 ? own : transcript.contextWindow ?? contextWindow(transcript.model ?? "");
  const first = memory.config.get("detection.context_threshold");
  // Not every editor reports a compaction.
  if (state?.contextSteps !== undefined && transcript.contextTokens < window * first) {
    updateSession(memory, session, ({ contextSteps: _, ...rest }) => rest);
    return undefined;
  }
  const step = contextThreshold(transcript.contextTokens, window, state?.contextSteps ?? [], first);
  if (step === undefined) return undefined;
  const trigger = "context_threshold";
  const owed: Owed = { at: memory.now(), trigger, confidence: 0.6, isOwed: true };
  updateSession(memory, session, (now) => ({
    ...now,
    contextSteps: [...now.contextSteps ?? [], step],
    pendingAsk: owed,
  }));
  return { gate: `context at ${step} %`, save: () => makeOwed(memory, session, transcript, owed) };
}

function act(
  memory: Memory,
  { sessionId: session, isUnattended = false }: HookInput,
  state: SessionState | undefined,
  transcript: Transcript,
  detection: Exclude<Detection, { kind: "nothing" }>,
): StopDecision {
  const at = memory.now();
  const { trigger, confidence, contentHash, ago } = detection;
  const asks = state?.asks ?? [];
  const gate = `${trigger} ${confidence.toFixed(2)}`;
  const isAsk = detection.kind === "ask" && !isUnattended && mayAsk(memory, asks, at);
  const isOffer = isAsk && memory.config.get("detection.mode") === "offer";
  const waits = isAsk && !isOffer;
  const owed: Owed = {
    at,
    trigger,
    confidence,
    ...(trigger === "topic_shift" ? { newSubject: ago + 1 } : {}),
    ...(waits ? {} : { isOwed: true }),
  };
  updateSession(memory, session, (now) => ({
    ...now,
    cooldowns: { ...now.cooldowns, [trigger]: at },
    hashes: [...now.hashes ?? [], contentHash],
    ...(isAsk ? { asks: [...asks, { at }] } : {}),
    pendingAsk: owed,
  }));
  if (waits) return { gate, ask: askText(trigger, detection.reason) };
  const save = async (): Promise<ExtractiveOutcome> => {
    const saved = await makeOwed(memory, session, transcript, owed);
    if (saved.kind === "saved" && isOffer) {
      const { makeOffer } = await import("./offer.ts");
      makeOffer(memory, session, trigger, saved);
    }
    return saved;
  };
  if (isOffer) return { gate, save, isOffer };
  const why = isUnattended ? "unattended" : "asked enough";
  return { gate: detection.kind === "ask" && !isAsk ? `${gate}, ${why}` : gate, save };
}

/** An ask costs the person a turn: few, and far apart. */
function mayAsk(memory: Memory, asks: NonNullable<SessionState["asks"]>, at: number): boolean {
  const last = asks.at(-1)?.at ?? -Infinity;
  return asks.length < memory.config.get("detection.asks_per_session") &&
    Math.abs(at - last) >= memory.config.get("detection.ask_minutes") * 60_000;
}

function askText(trigger: string, reason: string): string {
  return `Sage noticed a point worth keeping (${trigger}: ${reason}). Call sage_autosave_check once, with trigger ` +
    `"${trigger}", the core question, your thesis, the key evidence and open questions; then end the turn. ` +
    "No other work, and no need to mention it.";
}
