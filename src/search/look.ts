/**
 * A second look at a passage, with its text in hand: what it means apart from the words it shares with
 * the query, how near its nearest sentence is, what of the query stands there as it was typed, and how
 * much of the note's title the query says.
 */
import type { PassageParts } from "../embed/embedder.ts";
import type { ChunkHit, TermShare } from "./document.ts";
import type { Query } from "./query.ts";
import { readWords, stemOf, wordsIn } from "./query_words.ts";
import type { Evidence } from "./score.ts";
import type { ReadPassage } from "./segment.ts";
import { compareWording, type Wording } from "./verbatim.ts";

/** Sentences of one passage that are compared; a table may have hundreds of lines. */
const SENTENCES_MAX = 12;
/** Roughly: a cut in the wrong place costs a little nearness, not an answer. */
const SENTENCE_END = /(?<=[.!?])\s+|\n+/;

/** About three kilobytes each. */
const KEPT_PASSAGES_MAX = 10_000;

/** The passages of one segment that were read, and which of them is meant. */
export interface KeptPassages {
  readonly all: Map<number, ReadPassage>;
  readonly chunk: number;
}

/** What is compared with every passage, made once a query. */
export interface Glass {
  readonly query: Query;
  readonly wording: Wording;
}

/** A passage as it was first seen. */
export interface FirstSight {
  readonly hit: ChunkHit;
  readonly shares: readonly TermShare[];
  readonly evidence: Evidence;
  /** The keyword or pattern that brought it. */
  readonly trigger?: string | undefined;
}

/** `names`: the telling words of the note's title. */
export function closeLook(
  { query, wording }: Glass,
  names: ReadonlySet<string>,
  { hit, shares, evidence: first, trigger = "" }: FirstSight,
  kept: KeptPassages,
): Evidence {
  const texts = [hit.heading, hit.snippet];
  const { words, parts } = passageOf(query, hit, texts, kept);
  const there = wordsIn(wording.query, words, texts);
  const worded = compareWording(wording, texts, there, trigger);
  return {
    ...first,
    ...worded,
    // Somebody wrote the pattern for just such names.
    missing: first.trigger > 1 ? 0 : worded.missing,
    emb: first.emb === undefined ? undefined : meaningOf(query, parts, there.shared) ?? first.emb,
    // A title of one word is said by chance in any long text.
    title: saidOf(names, wording) * Math.sqrt(first.kw),
    isSingle: shares.length === 1,
  };
}

/**
 * Both halves are worth the same: the whole apart from the shared words, and the nearest sentence. A
 * vector that is a sum of words is near another for the words they share, and those are counted as
 * keywords already. Without them, a passage that answers is still near, and one that only says the same
 * words about something else is not.
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
  { all, chunk }: KeptPassages,
): ReadPassage {
  const kept = all.get(chunk);
  if (kept !== undefined) return kept;
  const words = readWords(texts);
  // Kept is what serves every query.
  if (query.takeApart === undefined) return { words, parts: undefined };
  const passage = { words, parts: query.takeApart(heading, sentencesOf(snippet)) };
  for (const oldest of all.keys()) {
    if (all.size < KEPT_PASSAGES_MAX) break;
    all.delete(oldest);
  }
  all.set(chunk, passage);
  return passage;
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

function saidOf(names: ReadonlySet<string>, { query: { stems } }: Wording): number {
  let said = 0;
  for (const name of names) if (stems.has(stemOf(name))) said++;
  return names.size === 0 ? 0 : said / names.size;
}
