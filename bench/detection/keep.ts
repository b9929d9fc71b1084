/** What the extractive checkpoint at the end of a conversation keeps of what a person would want kept. */
import { type Extract, extractCheckpoint, tokensOf } from "../../src/detect/extract.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Conversation } from "./conversation.ts";
import { median, sum } from "./measure.ts";
import { CWD, readBack } from "./transcript.ts";

export interface Kept {
  readonly conversations: number;
  readonly decisions: number;
  readonly decisions_kept: number;
  readonly exact: number;
  readonly exact_kept: number;
  readonly tokens_median: number;
  readonly tokens_most: number;
}

/** `miss` hears what is missing. */
export function kept(
  conversations: readonly Conversation[],
  embedder: Embedder,
  miss: (name: string, what: string) => void,
): Kept {
  const all = conversations.flatMap((conversation) => {
    const { keep, name } = conversation;
    if (keep === undefined) return [];
    const { turns } = readBack(conversation);
    const extract = extractCheckpoint(turns, { embedder, tokensMax: 500, cwd: CWD });
    const lines = extract === undefined ? [] : linesOf(extract);
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
    const tokens = extract === undefined ? 0 : tokensOf(extract);
    return [{ keep, decisions: decisions.length, exact: exact.length, tokens }];
  });
  const [decisions, exact] = [
    sum(all, ({ keep }) => keep.decisions.length),
    sum(all, ({ keep }) => keep.exact.length),
  ];
  return {
    conversations: all.length,
    decisions,
    decisions_kept: sum(all, (one) => one.decisions) / Math.max(1, decisions),
    exact,
    exact_kept: sum(all, (one) => one.exact) / Math.max(1, exact),
    tokens_median: median(all.map(({ tokens }) => tokens)),
    tokens_most: Math.max(0, ...all.map(({ tokens }) => tokens)),
  };
}

/** The lines that the note will have. */
function linesOf(extract: Extract): string[] {
  return [
    extract.coreQuestion,
    extract.thesis,
    ...extract.keyEvidence,
    ...extract.decisions,
    ...extract.openQuestions,
    extract.reasoningTrace,
    extract.nextStep ?? "",
  ].flatMap((text) => text.split("\n"));
}
