/**
 * How alike two texts are: by their vectors, or, where the model reads hardly more of one than the names in
 * it, by the letters that they share. To a model that reads Latin letters all that is said of Redis in
 * Russian is "Redis".
 */
import { dot } from "../base/dot.ts";
import { lazy } from "../base/memoize.ts";
import { pattern } from "../base/pattern.ts";
import { fold, foldedWords } from "../base/text.ts";
import type { Embedder } from "./embedder.ts";

/** A text with what its model makes of it: a unit vector, undefined where that says nothing of the text. */
export interface EmbeddedText {
  readonly text: string;
  readonly vector: Float32Array | undefined;
  /** The pairs of its letters, made when they are first asked for. */
  readonly pairs: () => ReadonlySet<string>;
}

export function embedText(embedder: Embedder, text: string): EmbeddedText {
  const isRead = embedder.reads?.(text) ?? true;
  return {
    text,
    vector: isRead ? embedder.embedQuery(text) : undefined,
    pairs: lazy(() => letterPairs(text)),
  };
}

/** 0..1, as `Embedder.calibrate` has it: 0.70 'about this', 0.90 'says the same'. */
export function similarity(embedder: Embedder, a: EmbeddedText, b: EmbeddedText): number {
  return a.vector === undefined || b.vector === undefined
    ? sharedPairs(a, b)
    : embedder.calibrate(dot(a.vector, b.vector));
}

/** Below what says the same: of a long sentence a 'not' is a few letters. */
const SHARED_MOST = 0.89;
/** A half shared is about as near as sentences on one matter are; scaled so that it counts as such. */
const SHARED_SCALE = 1.5;

/** By the pairs of letters that both have; 1 for the same words alone. */
function sharedPairs(a: EmbeddedText, b: EmbeddedText): number {
  const [x, y] = [a.pairs(), b.pairs()];
  if (x.size === 0 || y.size === 0) return 0;
  const dice = 2 * x.intersection(y).size / (x.size + y.size);
  if (dice === 1 && foldedWords(a.text) === foldedWords(b.text)) return 1;
  return Math.min(SHARED_MOST, dice * SHARED_SCALE);
}

function letterPairs(text: string): ReadonlySet<string> {
  const letters = fold(text).replace(pattern(String.raw`[^\p{L}\p{N}]+`, "gu"), "");
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)),
  );
}
