/**
 * A second look at a passage, with its text in hand: what it means apart from the words it shares with
 * the query, how near its nearest sentence is, and whether the words stand in the title.
 */
import { cosineApart } from "./apart.ts";
import type { ChunkHit, TermShare } from "./document.ts";
import { phraseOf } from "./lexical.ts";
import type { Query } from "./query.ts";
import type { Evidence } from "./score.ts";

/** Sentences of one passage that are compared; a table may have hundreds of lines. */
const SENTENCES_MAX = 16;
/** Roughly: a cut in the wrong place costs a little nearness, not an answer. */
const SENTENCE_END = /(?<=[.!?])\s+|\n+/;
const SENTENCE_CHARACTERS_MIN = 12;

export function closeLook(
  query: Query,
  { heading, snippet }: ChunkHit,
  shares: readonly TermShare[],
  first: Evidence,
): Evidence {
  return {
    ...first,
    emb: first.emb === undefined ? undefined : meaningOf(query, heading, snippet) ?? first.emb,
    title: inTitle(heading, shares),
    isSingle: shares.length === 1,
  };
}

/** Both halves are worth the same: the whole apart from the shared words, and the nearest sentence. */
function meaningOf(query: Query, heading: string, text: string): number | undefined {
  const { near } = query;
  if (near === undefined) return undefined;
  const passage = `${heading}\n${text}`;
  const whole = near(passage);
  if (whole === undefined) return undefined;
  const apart = cosineApart(query, passage) ?? whole;
  let sentence = -1;
  for (const one of text.split(SENTENCE_END).slice(0, SENTENCES_MAX)) {
    if (one.length < SENTENCE_CHARACTERS_MIN) continue;
    sentence = Math.max(sentence, near(`${heading}\n${one}`) ?? -1);
  }
  const mean = (apart + (sentence < 0 ? whole : sentence)) / 2;
  return Math.max(0, Math.min(1, query.calibrate(mean)));
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
