/**
 * Sage as it answers: search for the order, recall for what is served, surfacing for what is shown
 * unasked. The same functions the program calls, over an index in a scratch folder.
 */
import { SETTINGS } from "../../src/config/keys.ts";
import { hasQuestionMark } from "../../src/base/text/text.ts";
import { realFs } from "../../src/base/fs.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { passGates } from "../../src/memory/surfacing/gates.ts";
import {
  bestOfEach,
  CANDIDATES_MAX,
  levelOf,
  UNASKED_MAX,
} from "../../src/memory/knowledge/candidates.ts";
import { continuesPrompt, termHash } from "../../src/memory/surfacing/last_prompt.ts";
import { answersPrompt } from "../../src/memory/surfacing/past_events.ts";
import { type Asked, askedIn } from "../../src/memory/surfacing/prompt_parts.ts";
import { arrange } from "../../src/search/ranking/arrange.ts";
import { type Candidate, TELLING } from "../../src/search/document.ts";
import { prepareQuery, type Query } from "../../src/search/query/query.ts";
import { parseQuery } from "../../src/search/query/query_syntax.ts";
import type { RankWeights } from "../../src/search/ranking/rank.ts";
import { WORTH } from "../../src/search/ranking/score.ts";
import { openIndex, type QueryOptions, type SearchIndex } from "../../src/search/search_index.ts";
import { knowledgeIfAny, selectNotes } from "../../src/search/ranking/select.ts";
import type { Ranked } from "./baselines.ts";
import { SERVED_MAX } from "./measure.ts";
import type { World } from "./sets.ts";
import { tempDir } from "../../tests/support/temp_store.ts";

export const THRESHOLD = 0.7;
export const SHIPPED_RANK: RankWeights = {
  relevance: SETTINGS["rank.relevance"].default,
  recency: SETTINGS["rank.recency"].default,
  recallFrequency: SETTINGS["rank.recall_frequency"].default,
};
const FOUND_MAX = 100;
const GUESSES_MAX = 3;

/** What an ablation changes; the program has constants or settings for these. */
export interface Variant {
  readonly query?: (query: Query) => Query;
  readonly rank?: RankWeights;
  readonly threshold?: number;
  /** Words as they are. */
  readonly withoutSynonyms?: boolean;
  /** Of a prompt, the parts that are searched. */
  readonly parts?: (asked: Asked) => Asked;
  /** A part of a prompt needs no more evidence than a prompt. */
  readonly withoutLevels?: boolean;
  /** A rule of surfacing that does not apply. */
  readonly without?: "gates" | "past events" | "the last prompt" | "the display order";
  /** Replaces the weights of kinds of evidence. */
  readonly worth?: Partial<Record<keyof typeof WORTH, number>>;
}

/** Runs `body` with other worths; the program has them as constants. */
export function withWorth<T>(worth: Variant["worth"], body: () => T): T {
  const usual = { ...WORTH };
  try {
    Object.assign(WORTH, worth);
    return body();
  } finally {
    Object.assign(WORTH, usual);
  }
}

export interface Sage {
  /** As `sage search` ranks: every kind of note. `also`: further phrasings. */
  search(text: string, also?: readonly string[]): readonly Ranked[];
  /** The confident part: recall's way from scores to an answer, over every kind of note. */
  recall(text: string, also?: readonly string[]): readonly Candidate[];
  /** As the prompt hook shows it; `before`: the prompt before, which this one may continue. */
  surface(prompt: string, before?: string): readonly Candidate[];
  close(): void;
}

/** To be given to several variants: building it takes longer than asking it. */
export function indexOf({ notes }: World, embedder: Embedder): SearchIndex {
  const index = openIndex(tempDir(), realFs, embedder.id);
  index.apply({ put: notes, remove: [] }, embedder);
  return index;
}

export function openSage(
  world: World,
  embedder: Embedder,
  isBlind: boolean,
  variant: Variant = {},
  index: SearchIndex = indexOf(world, embedder),
): Sage {
  const model = isBlind ? undefined : embedder;
  const change = variant.query ?? ((query: Query) => query);
  const hasSynonyms = variant.withoutSynonyms !== true;
  const find = (
    text: string,
    filter: Partial<QueryOptions>,
    atLeast?: number,
    also: readonly string[] = [],
  ): readonly Candidate[] => {
    // As in gatherCandidates(): for prompts there are no synonyms.
    const synonyms = hasSynonyms && filter.unasked !== true;
    return index.query(change(prepareQuery(text, model, { synonyms })), {
      limit: filter.unasked === true ? UNASKED_MAX : CANDIDATES_MAX,
      atLeast,
      also: also.map((one) => change(prepareQuery(one, model, { synonyms }))),
      ...filter,
    });
  };
  const served = (found: readonly Candidate[]): readonly Candidate[] => {
    const items = found.map((candidate) => ({ ...facts(candidate), candidate, recalls: 0 }));
    const options = {
      threshold: variant.threshold ?? THRESHOLD,
      itemsMax: SERVED_MAX,
      weights: variant.rank ?? SHIPPED_RANK,
      nowMs: world.nowMs,
    };
    return selectNotes(items, options).selected.map(({ candidate }) => candidate);
  };
  return {
    search(typed, also = []) {
      const asked = parseQuery(typed, world.nowMs);
      const prepare = (text: string) =>
        change(prepareQuery(text, model, { guessesMax: GUESSES_MAX, synonyms: hasSynonyms }));
      const found = index.query(prepare(asked.text), {
        limit: FOUND_MAX,
        also: also.map((one) => prepare(parseQuery(one, world.nowMs).text)),
        after: asked.after,
        before: asked.before,
        ...(asked.kinds.length === 0 ? {} : { kinds: asked.kinds }),
        ...(asked.tags.length === 0 ? {} : { tags: asked.tags }),
      });
      const ranked = found.map(facts);
      const shown = variant.without === "the display order" ? ranked : arrange(ranked, asked);
      return shown.map(({ id, combined }) => ({ id, score: combined }));
    },
    recall: (text, also) => served(find(text, {}, undefined, also)),
    surface(prompt, before) {
      const last = before === undefined ? undefined : passGates(before);
      const hashes = last !== undefined && "terms" in last ? last.terms.map(termHash) : undefined;
      const gated = passGates(prompt, hashes !== undefined);
      if ("gate" in gated && variant.without !== "gates") return [];
      const isShort = "gate" in gated ? false : gated.isShort;
      const threshold = variant.threshold ?? THRESHOLD;
      const ask = (text: string, level: number) => {
        const found = find(text, { ...TELLING, unasked: true }, level);
        return variant.without === "past events" ? found : found.filter(answersPrompt([text]));
      };
      const known = (found: readonly Candidate[]) => knowledgeIfAny(found, ({ note }) => note);
      const going = {
        last: hashes,
        isShort,
        isQuestion: hasQuestionMark(prompt),
      };
      const meant = (text: string, level: number) =>
        known(
          ask(text, level).filter((candidate) =>
            variant.without === "the last prompt" || continuesPrompt(candidate, going)
          ),
        );
      const asked = askedIn(prompt);
      const { first, sentences, heads, whole } = variant.parts?.(asked) ?? asked;
      const more = sentences.length + (whole === undefined ? 0 : 1);
      const levelFor = (count: number) =>
        variant.withoutLevels === true ? threshold : levelOf(threshold, count);
      const level = levelFor(more);
      const typed = [
        ...meant(first, threshold),
        ...sentences.flatMap((part) => meant(part, level)),
        ...heads.flatMap((head) => ask(head, levelFor(more + heads.length)))
          .filter(({ note }) => note.kind === "knowledge"),
      ];
      const all = typed.length > 0 || whole === undefined
        ? typed
        : meant(whole, threshold).filter(({ combined }) => combined >= level);
      const found = bestOfEach(all, ({ combined }) => combined, ({ note }) => note.id);
      return served(found);
    },
    close: () => index.close(),
  };
}

function facts({ note, chunk, combined }: Candidate) {
  return { ...note, combined, snippet: chunk.snippet };
}
