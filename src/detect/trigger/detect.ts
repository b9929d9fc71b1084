/**
 * Whether the end of this turn is a point worth keeping. `detect` reads from top to bottom as the policy:
 * each step may refuse, cheap ones first, and the gate that refused is the answer. Pure: everything it knows
 * is in its input.
 */
import { sha256Hex } from "../../base/hash.ts";
import { isAskedAtEnd } from "../../base/text/text.ts";
import type { Embedder } from "../../embed/embedder.ts";
import type { Turn } from "../../editor/editor.ts";
import { spoken } from "../text/clean.ts";
import { decide } from "./decide.ts";
import { depthOf, isShallow } from "./depth.ts";
import { type Exchange, exchangesOf } from "../text/exchanges.ts";
import { isAboutMemory } from "../text/memory_talk.ts";
import { confirmedTriggers } from "../phrases/trigger_phrases.ts";
import { recentExchangesOf } from "../text/recent_exchanges.ts";
import { type DetectorModel, observe, signalsOf } from "./detectors.ts";
import { type Inflection, INFLECTIONS, type Signal } from "./signal.ts";

export interface DetectInput {
  /** The turns since the last save. */
  readonly turns: readonly Turn[];
  /** Turns before the last save, for comparison only: a topic may have begun there. */
  readonly earlier?: readonly Turn[];
  /** Whether the agent may be asked; otherwise a point is saved. */
  readonly mayAsk: boolean;
  readonly minMessages: number;
  readonly minTokens: number;
  readonly structuralAlone: number;
  readonly structuralConfirmed: number;
  readonly cooldownSeconds: number;
  /** When each trigger last led to an ask or a save, in milliseconds. */
  readonly cooldowns: Readonly<Partial<Record<string, number>>>;
  /** `contentHash` of earlier points. */
  readonly seenHashes: readonly string[];
  readonly nowMs: number;
  /** Opened only if a detector needs it. */
  readonly embedder?: () => Embedder;
  /** The person's own confirming phrases, by trigger. */
  readonly phrases?: Partial<Record<Inflection, readonly string[]>>;
  /** With more than this unsaved, the next pause saves, whether there is a point or not. */
  readonly maxTurns?: number;
  readonly maxTokens?: number;
  /** Replaces the shipped model, for fitting it. */
  readonly weights?: DetectorModel;
}

export type Gate =
  | "too shallow"
  | "cooling down"
  | "seen before"
  | "about memory"
  | "structural"
  | "linguistic";

export type Detection =
  | { readonly kind: "nothing"; readonly gate: Gate }
  | {
    readonly kind: "ask" | "save";
    readonly trigger: Inflection | "context_threshold";
    readonly confidence: number;
    readonly reason: string;
    readonly contentHash: string;
    /** How many exchanges ago the point was: 0 is the last one. */
    readonly ago: number;
  };

export function detect(input: DetectInput): Detection {
  const depth = depthOf(input.turns);
  if (isShallow(depth, input)) return nothing("too shallow");
  const cooling = new Set(INFLECTIONS.filter((trigger) => isCooling(input, trigger)));
  if (cooling.size === INFLECTIONS.length) return nothing("cooling down");

  const exchanges = exchangesOf(input.turns);
  const said = lastWords(exchanges);
  const contentHash = sha256Hex(spoken(said));
  if (input.seenHashes.includes(contentHash)) return nothing("seen before");
  if (isAboutMemory(said, lastWords(exchangesBefore(input, exchanges)))) {
    return nothing("about memory");
  }

  const signals = structuralSignals(input, exchanges);
  const warm = signals.filter((signal) => !cooling.has(signal.trigger));
  const phrases = confirmedTriggers(said, input.phrases);
  const decided = decide(warm, phrases, input);
  const kind = input.mayAsk ? "ask" : "save";
  if (decided.kind === "point") {
    const { trigger, confidence, reason, ago } = decided;
    return { kind, trigger, confidence, reason, contentHash, ago };
  }
  if (isOverdue(input, exchanges, depth.tokens)) {
    const reason = `${exchanges.length} exchanges without a save`;
    const trigger = "context_threshold";
    return { kind: "save", trigger, confidence: 0.5, reason, contentHash, ago: 0 };
  }
  const isCooled = warm.length < signals.length &&
    decide(signals, phrases, input).kind === "point";
  return nothing(isCooled ? "cooling down" : decided.gate);
}

function nothing(gate: Gate): Detection {
  return { kind: "nothing", gate };
}

/** The signals of all detectors. */
function structuralSignals(input: DetectInput, exchanges: readonly Exchange[]): Signal[] {
  const all = [...exchangesOf(input.earlier ?? []), ...exchanges];
  const recent = recentExchangesOf(all, exchanges.length, input.embedder?.());
  return recent === undefined ? [] : signalsOf(observe(recent), input.weights);
}

function isCooling(input: DetectInput, trigger: Inflection): boolean {
  const last = input.cooldowns[trigger];
  return last !== undefined && Math.abs(input.nowMs - last) < input.cooldownSeconds * 1000;
}

/** Both sides of the last exchange: phrases are looked for in it, and its hash is not saved twice. */
function lastWords(exchanges: readonly Exchange[]): string {
  const last = exchanges.at(-1);
  return `${last?.prompt?.text ?? ""}\n\n${last?.answer?.text ?? ""}`;
}

/** The exchanges before the last one, from saved turns if need be: talk about memory may span a save. */
function exchangesBefore(input: DetectInput, exchanges: readonly Exchange[]): readonly Exchange[] {
  return exchanges.length > 1
    ? exchanges.slice(0, -1)
    : exchangesOf(input.earlier?.slice(-20) ?? []);
}

/** A pause (the agent neither asks nor has just failed) with too much unsaved. */
function isOverdue(input: DetectInput, exchanges: readonly Exchange[], tokens: number): boolean {
  const last = exchanges.at(-1);
  const isPause = last?.answer !== undefined && !isAskedAtEnd(last.answer.text.trimEnd()) &&
    last.tools.at(-1)?.failed !== true;
  return isPause &&
    (exchanges.length > (input.maxTurns ?? Infinity) || tokens > (input.maxTokens ?? Infinity));
}
