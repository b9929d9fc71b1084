/**
 * What extractive checkpoints keep of what a person would want kept: those that a session leaves, at each
 * save and at its end, and beside them a single one of the whole session.
 */
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { type Extract, textsOf, tokensOf } from "../../src/detect/checkpoint/fill.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Conversation, Keep } from "./conversation.ts";
import { median, sum } from "./measure.ts";
import { CWD } from "./tell.ts";
import { readBack } from "./transcript.ts";

export interface Retention {
  readonly conversations: number;
  readonly decisions: number;
  readonly decisions_kept: number;
  readonly exact: number;
  readonly exact_kept: number;
  readonly checkpoints: number;
  /** Of one checkpoint. */
  readonly tokens_median: number;
  readonly tokens_most: number;
}

interface Outcome {
  readonly keep: Keep;
  readonly decisions: number;
  readonly exact: number;
  readonly tokens: readonly number[];
}

/** `saves` gives the turns after which a conversation was saved; `miss` hears what is missing. */
export function measureRetention(
  conversations: readonly Conversation[],
  embedder: Embedder,
  saves: (conversation: Conversation) => readonly number[],
  miss: (name: string, what: string) => void,
): Retention {
  const all = conversations.flatMap((conversation): Outcome[] => {
    const { keep, name } = conversation;
    if (keep === undefined) return [];
    const extracts = extractsOf(conversation, embedder, saves(conversation));
    const lines = extracts.flatMap(linesOf);
    const folded = lines.map((line) => line.toLowerCase());
    const decisions = keep.decisions.filter((words) => {
      const isKept = folded.some((line) =>
        words.every((word) => line.includes(word.toLowerCase()))
      );
      if (!isKept) miss(name, `decision ${words.join(" · ")}`);
      return isKept;
    });
    const exact = keep.exact.filter((text) => {
      const isKept = lines.some((line) => line.includes(text));
      if (!isKept) miss(name, `exact ${text}`);
      return isKept;
    });
    const tokens = extracts.map(tokensOf);
    return [{ keep, decisions: decisions.length, exact: exact.length, tokens }];
  });
  const [decisions, exact] = [
    sum(all, ({ keep }) => keep.decisions.length),
    sum(all, ({ keep }) => keep.exact.length),
  ];
  const tokens = all.flatMap((one) => one.tokens);
  return {
    conversations: all.length,
    decisions,
    decisions_kept: sum(all, (one) => one.decisions) / Math.max(1, decisions),
    exact,
    exact_kept: sum(all, (one) => one.exact) / Math.max(1, exact),
    checkpoints: tokens.length,
    tokens_median: median(tokens),
    tokens_most: Math.max(0, ...tokens),
  };
}

function extractsOf(
  conversation: Conversation,
  embedder: Embedder,
  saves: readonly number[],
): Extract[] {
  const { turns, ends } = readBack(conversation);
  const stops = [...new Set([...saves.map((turn) => ends[turn] ?? 0), turns.length])];
  return stops.flatMap((end, i) =>
    extractCheckpoint(turns.slice(stops[i - 1] ?? 0, end), {
      embedder,
      tokensMax: 500,
      cwd: CWD,
      earlier: turns.slice(0, stops[i - 1] ?? 0),
    }) ??
      []
  );
}

/** The lines that the note will have. */
export function linesOf(extract: Extract): string[] {
  return textsOf(extract).flatMap((text) => text.split("\n"));
}
