/**
 * The evidence of one passage in the second pass, from its text: its meaning apart from the words that it
 * shares with the query, its nearest sentence, the query's own wording, and the note's title.
 */
import type { PassageParts } from "../../embed/embedder.ts";
import type { ChunkHit } from "../document.ts";
import type { Query } from "../query/query.ts";
import { matchWords, readWords, stemOf } from "../query/query_words.ts";
import type { Evidence } from "./score.ts";
import type { ReadPassage } from "../segment/segment.ts";
import { compareWording, type FoundTerms, isBeside, type Wording } from "./verbatim.ts";

/** Sentences of one passage that are compared; a table may have hundreds of lines. */
const SENTENCES_MAX = 12;
/** Approximate, because a wrong cut costs a little similarity and no answer. */
const SENTENCE_END = /(?<=[.!?])\s+|\n+/;

/** Passages that are kept for each segment, about 3 KB each. */
const KEPT_PASSAGES_MAX = 10_000;

/** The passages of one segment that were read before, and the chunk that is asked for. */
export interface PassageCache {
  readonly all: Map<number, ReadPassage>;
  readonly chunk: number;
}

/** What every passage is compared with, made once a query. */
export interface PassageQuery {
  readonly query: Query;
  readonly wording: Wording;
}

/** A passage after the first pass. */
export interface FirstPassHit extends FoundTerms {
  readonly hit: ChunkHit;
  readonly evidence: Evidence;
}

export function passageEvidence(
  { query, wording }: PassageQuery,
  titleWords: ReadonlySet<string>,
  found: FirstPassHit,
  cache: PassageCache,
): Evidence {
  const { hit, shares, evidence: first, trigger } = found;
  const texts = [hit.heading, hit.snippet];
  const { words, parts } = passageOf(query, hit, texts, cache);
  const matched = matchWords(wording.query, words, texts);
  const worded = compareWording(wording, texts, matched, trigger);
  return {
    ...first,
    ...worded,
    // Above 1 a pattern has fired, which somebody wrote for just such names.
    missing: first.trigger > 1 ? 0 : worded.missing,
    emb: first.emb === undefined ? undefined : meaningOf(query, parts, matched.shared) ?? first.emb,
    isBeside: isBeside(wording, texts, matched, found),
    // Damped by `kw`, because a long query says a title of one word by chance.
    title: shareSaid(titleWords, wording) * Math.sqrt(first.kw),
    isSingle: shares.length === 1,
  };
}

/**
 * How near the passage is in meaning, 0..1: the mean of the whole without the shared words and of the
 * nearest sentence. A vector that is a sum of words is near another for the words they share, and those
 * count as keywords already. Without them a passage that answers is still near, and one that uses the
 * same words about something else is not.
 */
function meaningOf(
  query: Query,
  parts: PassageParts | undefined,
  shared: string,
): number | undefined {
  const compared = parts === undefined ? undefined : query.compare?.(parts, shared);
  if (compared === undefined) return undefined;
  const { apart, nearest } = compared;
  return Math.max(0, Math.min(1, query.calibrate((apart + nearest) / 2)));
}

function passageOf(
  query: Query,
  { heading, snippet }: ChunkHit,
  texts: readonly string[],
  { all, chunk }: PassageCache,
): ReadPassage {
  const kept = all.get(chunk);
  if (kept !== undefined) return kept;
  const words = readWords(texts);
  // A query without a vector embeds no passage: what it reads is too little to keep for other queries.
  if (query.takeApart === undefined) return { words, parts: undefined };
  const passage = { words, parts: query.takeApart(heading, sentencesOf(snippet)) };
  for (const oldest of all.keys()) {
    if (all.size < KEPT_PASSAGES_MAX) break;
    all.delete(oldest);
  }
  all.set(chunk, passage);
  return passage;
}

/** The first sentences one by one, the rest as one. */
function sentencesOf(text: string): string[] {
  const sentences = text.split(SENTENCE_END);
  if (sentences.length <= SENTENCES_MAX) return sentences;
  return [...sentences.slice(0, SENTENCES_MAX - 1), sentences.slice(SENTENCES_MAX - 1).join(" ")];
}

/** The share of these words that the query has, 0..1. */
function shareSaid(words: ReadonlySet<string>, { query: { stems } }: Wording): number {
  let said = 0;
  for (const word of words) if (stems.has(stemOf(word))) said++;
  return words.size === 0 ? 0 : said / words.size;
}
