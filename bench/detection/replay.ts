/** A conversation, stop by stop, under one policy: the detector or something to compare it with. */
import { SETTINGS } from "../../src/config/keys.ts";
import { detect } from "../../src/detect/trigger/detect.ts";
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import { isAboutMemory } from "../../src/detect/text/memory_talk.ts";
import { confirmedTriggers } from "../../src/detect/phrases/trigger_phrases.ts";
import { type Inflection, INFLECTIONS } from "../../src/detect/trigger/signal.ts";
import type { DetectorModel } from "../../src/detect/trigger/detectors.ts";
import type { Turn } from "../../src/editor/editor.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Conversation } from "./conversation.ts";
import { type Mark, MINUTES_A_TURN, type Run } from "./measure.ts";
import { readBack } from "./transcript.ts";

/** The input of one stop. */
export interface Stop {
  readonly turns: readonly Turn[];
  readonly earlier: readonly Turn[];
  readonly turn: number;
  readonly nowMs: number;
  readonly cooldowns: Readonly<Partial<Record<string, number>>>;
  readonly seenHashes: readonly string[];
}

export type Found =
  | { readonly kind: "nothing"; readonly gate: string }
  | { readonly kind: "saved" }
  | { readonly kind: "point"; readonly trigger: Inflection; readonly hash: string };

/** Made anew for each conversation, so that it may remember. */
export type Policy = () => (stop: Stop) => Found;

export const SHIPPED = {
  minMessages: number("detection.min_messages"),
  minTokens: number("detection.min_tokens"),
  structuralAlone: number("detection.structural_alone"),
  structuralConfirmed: number("detection.structural_confirmed"),
  cooldownSeconds: number("detection.cooldown_seconds"),
  maxTurns: number("detection.max_turns"),
  maxTokens: number("detection.max_tokens"),
};
const ASK_MS = number("detection.ask_minutes") * 60_000;
const ASKS_MAX = number("detection.asks_per_session");
const CHEAP: readonly string[] = ["mode off", "stop hook active", "too shallow", "cooling down"];

export function detector(
  embedder: Embedder,
  settings: typeof SHIPPED,
  { words = true, weights }: { readonly words?: boolean; readonly weights?: DetectorModel } = {},
): Policy {
  return () => ({ turn: _, ...stop }) => {
    const detection = detect({
      ...settings,
      ...stop,
      mayAsk: true,
      embedder: () => embedder,
      ...(words ? {} : { structuralConfirmed: 1 }),
      ...(weights === undefined ? {} : { weights }),
    });
    if (detection.kind === "nothing") return detection;
    const { trigger, contentHash: hash } = detection;
    return trigger === "context_threshold" ? { kind: "saved" } : { kind: "point", trigger, hash };
  };
}

/** The first Sage: any phrase is enough. */
export const phrasesOnly: Policy = (): (stop: Stop) => Found => ({ turns, turn }) => {
  const last = exchangesOf(turns).at(-1);
  const said = `${last?.prompt?.text ?? ""}\n\n${last?.answer?.text ?? ""}`;
  const words = isAboutMemory(said) ? undefined : confirmedTriggers(said);
  const trigger = INFLECTIONS.find((inflection) => words?.has(inflection));
  return trigger === undefined
    ? { kind: "nothing", gate: "linguistic" }
    : { kind: "point", trigger, hash: String(turn) };
};

/** By the clock. It has no names, so it is given the most frequent one. */
export function every(turns: number, trigger: Inflection): Policy {
  return () => ({ turn }) =>
    (turn + 1) % turns === 0
      ? { kind: "point", trigger, hash: String(turn) }
      : { kind: "nothing", gate: "structural" };
}

export function replay(conversation: Conversation, policy: Policy): Run {
  const { turns, ends } = readBack(conversation);
  const look = policy();
  const cooldowns: Partial<Record<string, number>> = {};
  const seenHashes: string[] = [];
  const found: Mark[] = [];
  const saves: number[] = [];
  const asksAt: number[] = [];
  let [saved, askedMs, looked] = [0, -Infinity, 0];
  for (const [turn, end] of ends.entries()) {
    const nowMs = turn * MINUTES_A_TURN * 60_000;
    const [unsaved, earlier] = [turns.slice(saved, end), turns.slice(0, saved)];
    const result = look({ turns: unsaved, earlier, turn, nowMs, cooldowns, seenHashes });
    if (result.kind !== "nothing" || !CHEAP.includes(result.gate)) looked++;
    if (result.kind === "nothing") continue;
    saved = end;
    saves.push(turn);
    if (result.kind === "saved") continue;
    found.push({ turn, trigger: result.trigger });
    cooldowns[result.trigger] = nowMs;
    seenHashes.push(result.hash);
    if (asksAt.length >= ASKS_MAX || nowMs - askedMs < ASK_MS) continue;
    asksAt.push(turn);
    askedMs = nowMs;
  }
  const labels = conversation.steps.flatMap(({ label }, turn) =>
    label === undefined ? [] : [{ turn, trigger: label }]
  );
  return { name: conversation.name, turns: ends.length, labels, found, saves, asksAt, looked };
}

function number(key: keyof typeof SETTINGS): number {
  return Number(SETTINGS[key].default);
}
