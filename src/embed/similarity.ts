/**
 * How alike two texts are: by their vectors, or by the letters that they share if the model cannot read one
 * of them. For a model that reads only Latin letters, everything said of Redis in Russian is "Redis".
 */
import { dot } from "../base/dot.ts";
import { lazy } from "../base/memoize.ts";
import { patternFor } from "../base/text/pattern.ts";
import { fold, foldedWords } from "../base/text/text.ts";
import type { Embedder } from "./embedder.ts";

/** A text with its unit vector, which is undefined if the model cannot read the text. */
export interface EmbeddedText {
  readonly text: string;
  readonly vector: Float32Array | undefined;
  /** Its letter bigrams, computed when first called. */
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

/** Below 'says the same': in a long sentence a 'not' is only a few letters. */
const SHARED_MOST = 0.89;
/** Sentences about one thing share about half of their bigrams: scaled to 'about this'. */
const SHARED_SCALE = 1.5;

/** The Dice coefficient of their letter bigrams, scaled; 1 only for the same words. */
function sharedPairs(a: EmbeddedText, b: EmbeddedText): number {
  const [x, y] = [a.pairs(), b.pairs()];
  if (x.size === 0 || y.size === 0) return 0;
  const dice = 2 * x.intersection(y).size / (x.size + y.size);
  if (dice === 1 && foldedWords(a.text) === foldedWords(b.text)) return 1;
  return Math.min(SHARED_MOST, dice * SHARED_SCALE);
}

function letterPairs(text: string): ReadonlySet<string> {
  const folded = fold(text);
  const letters = folded.replace(patternFor(folded, String.raw`[^\p{L}\p{N}]+`, "gu"), "");
  return new Set(
    Array.from({ length: Math.max(0, letters.length - 1) }, (_, i) => letters.slice(i, i + 2)),
  );
}
