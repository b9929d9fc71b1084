/**
 * A second look at a passage, with its text in hand: what it means apart from the words it shares with
 * the query, how near its nearest sentence is, and whether the words stand in the title.
 */
import { sharedWords } from "./apart.ts";
import type { ChunkHit, TermShare } from "./document.ts";
import { phraseOf } from "./lexical.ts";
import type { Query } from "./query.ts";
import type { Evidence } from "./score.ts";

/** Sentences of one passage that are compared; a table may have hundreds of lines. */
const SENTENCES_MAX = 12;
/** Roughly: a cut in the wrong place costs a little nearness, not an answer. */
const SENTENCE_END = /(?<=[.!?])\s+|\n+/;

/** `shared`: of apart.ts, made once a query. */
export function closeLook(
  query: Query,
  shared: RegExp | undefined,
  { heading, snippet }: ChunkHit,
  shares: readonly TermShare[],
  first: Evidence,
): Evidence {
  return {
    ...first,
    emb: first.emb === undefined
      ? undefined
      : meaningOf(query, shared, heading, snippet) ?? first.emb,
    title: inTitle(heading, shares),
    isSingle: shares.length === 1,
  };
}

/** Both halves are worth the same: the whole apart from the shared words, and the nearest sentence. */
function meaningOf(
  query: Query,
  shared: RegExp | undefined,
  heading: string,
  text: string,
): number | undefined {
  const compared = query.compare?.({
    heading,
    sentences: sentencesOf(text),
    shared: sharedWords(shared, `${heading}\n${text}`),
  });
  if (compared === undefined) return undefined;
  const { apart, nearest } = compared;
  return Math.max(0, Math.min(1, query.calibrate((apart + nearest) / 2)));
}

/** The first sentences one by one, and what is left as the last. */
function sentencesOf(text: string): string[] {
  const sentences = text.split(SENTENCE_END);
  if (sentences.length <= SENTENCES_MAX) return sentences;
  return [
    ...sentences.slice(0, SENTENCES_MAX - 1),
    sentences.slice(SENTENCES_MAX - 1).join(" "),
  ];
}

function inTitle(heading: string, shares: readonly TermShare[]): number {
  const words = new Set(phraseOf(heading).split(" "));
  const joined = ` ${phraseOf(heading)} `;
  let sum = 0;
  for (const { term, share } of shares) {
    if (words.has(term) || joined.includes(` ${phraseOf(term)} `)) sum += share;
  }
  return Math.min(1, sum);
}
