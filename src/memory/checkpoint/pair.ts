/**
 * Pairs the sentences of two lists by meaning: nearest pairs first, no sentence twice. A vector does
 * not tell a `not` or another number; those are compared literally, so that "10 MB" never equals
 * "100 MB".
 */
import { patternFor } from "../../base/text/pattern.ts";
import { fold, isAskedAtEnd } from "../../base/text/text.ts";
import { round } from "../../base/round.ts";
import type { Embedder } from "../../embed/embedder.ts";
import { embedText, similarity } from "../../embed/similarity.ts";

interface Changed {
  readonly before: string;
  readonly after: string;
  /** 0..1; from 0.9 on two texts say the same. */
  readonly similarity: number;
}

export interface PartDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly Changed[];
  /** How many stayed, in the same words or others. */
  readonly same: number;
}

/** From here on two sentences say the same. */
const SAME = 0.9;
/** From here on one is a changed form of the other. Measured: see tests/memory/diff_test.ts. */
const CHANGED = 0.75;
/** Of longer lists only the beginning is compared; a checkpoint has a tenth of it. */
const SENTENCES_MAX = 200;

export function pairByMeaning(
  before: readonly string[],
  after: readonly string[],
  embedder: Embedder,
): PartDiff {
  const [old, now] = [before.slice(0, SENTENCES_MAX), after.slice(0, SENTENCES_MAX)];
  const pairs = nearestFirst(old, now, embedder);
  const taken = { old: new Set<number>(), now: new Set<number>() };
  const changed: { at: number; before: string; after: string; similarity: number }[] = [];
  let same = 0;
  for (const { i, j, near } of pairs) {
    if (taken.old.has(i) || taken.now.has(j)) continue;
    taken.old.add(i);
    taken.now.add(j);
    const [was, is] = [old[i] ?? "", now[j] ?? ""];
    if (near >= SAME && !contradicts(was, is)) same++;
    else changed.push({ at: j, before: was, after: is, similarity: round(near, 2) });
  }
  return {
    added: now.filter((_, j) => !taken.now.has(j)),
    removed: old.filter((_, i) => !taken.old.has(i)),
    changed: changed.sort((a, b) => a.at - b.at).map(({ at: _, ...pair }) => pair),
    same,
  };
}

/** Every pair that is near enough, equal statements before related ones. */
function nearestFirst(old: readonly string[], now: readonly string[], embedder: Embedder) {
  const gists = (texts: readonly string[]) => texts.map((text) => embedText(embedder, text));
  const [a, b] = [gists(old), gists(now)];
  const pairs: { i: number; j: number; near: number }[] = [];
  for (const [i, was] of a.entries()) {
    for (const [j, is] of b.entries()) {
      const near = fold(was.text) === fold(is.text)
        ? 1
        : Math.min(0.999, similarity(embedder, was, is));
      if (near >= CHANGED) pairs.push({ i, j, near });
    }
  }
  return pairs.sort((p, q) => q.near - p.near || p.i - q.i || p.j - q.j);
}

const NEGATION =
  /\b(?:not|no|never|none|cannot|without|nor|nicht|kein\w*|nie|ohne|ne|pas|jamais|sans|nunca|sin)\b|n['’]t\b/g;

/** Whether nearly the same words say something else: a question answered, another number, the opposite. */
export function contradicts(a: string, b: string): boolean {
  const [x, y] = [fold(a), fold(b)];
  const numbers = (text: string): string => (text.match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(" ");
  const negations = (text: string): number => (text.match(NEGATION) ?? []).length % 2;
  return isAskedAtEnd(a) !== isAskedAtEnd(b) || numbers(x) !== numbers(y) ||
    negations(x) !== negations(y) || letters(a) !== letters(b) || isExchanged(x, y);
}

/** Names of one letter: plan B, C, C#. A capital A or I may also be a word. */
function letters(text: string): string {
  const lone = patternFor(
    text,
    String.raw`(?<![\p{L}\p{N}'’])[B-HJ-Z](?![\p{L}\p{N}'’])[+#]*`,
    "gu",
  );
  return (text.match(lone) ?? []).sort().join(" ");
}

/**
 * Whether one word was replaced: Redis for PostgreSQL, slow for fast. A synonym counts too: that costs
 * a line in a diff, and the opposite mistake a wrong answer.
 */
function isExchanged(a: string, b: string): boolean {
  const [x, y] = [wordsOf(a), wordsOf(b)];
  const gone = [...x].filter((word) => !y.has(word));
  const come = [...y].filter((word) => !x.has(word));
  const [was = "", is = ""] = [gone[0], come[0]];
  const stem = Math.min(was.length, is.length, STEM_CHARACTERS);
  const isInflected = stem >= 3 && was.slice(0, stem) === is.slice(0, stem);
  return gone.length === 1 && come.length === 1 && !isInflected;
}

/** Two words with this many first letters in common are forms of one word. */
const STEM_CHARACTERS = 5;

function wordsOf(text: string): ReadonlySet<string> {
  const words = patternFor(text, String.raw`[\p{L}\p{N}][\p{L}\p{N}_./-]*[\p{L}\p{N}]`, "gu");
  return new Set(text.match(words));
}
