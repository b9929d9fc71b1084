/**
 * What may answer a question, with the score that is held against the threshold. Apart from recall.ts,
 * because most prompts have nothing that may.
 */
import { firstOfEach } from "../../base/first_of_each.ts";
import { type Candidate, TELLING } from "../../search/document.ts";
import { phrasingsOf } from "../../search/phrasings.ts";
import { prepareQuery, type Query, withPatterns } from "../../search/query.ts";
import type { SignalWeights } from "../../search/score.ts";
import { knowledgeIfAny } from "../../search/select.ts";
import type { Store } from "../../store/handle.ts";
import { SENTENCE_CHARACTERS_MAX } from "../surfacing/gates.ts";
import type { Memory } from "../memory.ts";
import { headsOf } from "../surfacing/order_head.ts";
import type { Asked } from "../surfacing/prompt_parts.ts";
import { mayAnswerPrompt } from "../surfacing/past_events.ts";

export interface Scored {
  readonly candidate: Candidate;
  readonly store: Store;
  /** combined × factor. */
  readonly score: number;
  readonly factor: number;
}

/** By which it is known: an id may be of two notes, where a file was copied. */
export function placeOf({ store, candidate }: Scored): string {
  return `${store.id} ${candidate.note.path}`;
}

export interface Gathered {
  /** Best first. */
  readonly scored: readonly Scored[];
  readonly lexicalOnly: boolean;
}

export interface GatherOptions {
  /** The same question in other words. */
  readonly also?: readonly string[];
  readonly skill?: string;
  readonly scope?: "project" | "user";
  /**
   * Unasked: notes of every kind, since a prompt may be answered by what happened last time; nothing
   * from stores nobody trusted, and the index as it stands.
   */
  readonly forHook?: boolean;
  /** What other projects know instead, these stores of theirs and what lies in the person's own. */
  readonly elsewhere?: readonly Store[];
  /** Whether a note is meant that words of the prompt speak for; what an order names by itself is. */
  readonly accepts?: ((candidate: Candidate) => boolean) | undefined;
  /** Ids of notes that the conversation itself made: they say what it just said. */
  readonly except?: ReadonlySet<string>;
}

export const CANDIDATES_MAX = 50;
/** Few are shown beside a prompt, and no more than ten are looked at closely. */
export const UNASKED_MAX = 16;

/** How much meaning and words count, as it is set. */
export function signalWeights({ config }: Memory): SignalWeights {
  return {
    embedding: config.get("retrieval.embedding_weight"),
    keyword: config.get("retrieval.keyword_weight"),
  };
}

/** Candidates of every store in scope with their scores, best first. */
export async function gatherCandidates(
  memory: Memory,
  query: string,
  options: GatherOptions,
): Promise<Gathered> {
  const { elsewhere } = options;
  const all = elsewhere === undefined ? memory.stores : [memory.user, ...elsewhere];
  const stores = all.filter((store) =>
    (options.scope === undefined || store.scope === options.scope) &&
    !(options.forHook === true && store.trust === "unknown") &&
    memory.fs.lstat(store.root) !== undefined
  );
  if (options.forHook !== true && elsewhere === undefined) await refresh(memory);
  const threshold = memory.config.get("retrieval.recall_threshold");
  if (options.forHook !== true) {
    return await ask(memory, stores, phrasingsOf(query, options.also), options, threshold);
  }
  const { first, sentences, heads, whole } = await partsOf(query);
  const more = sentences.length + (whole === undefined ? 0 : 1);
  const level = levelOf(threshold, more);
  const typed = await ask(memory, stores, phrasingsOf(first), options, threshold);
  const found = [...typed.scored];
  for (const sentence of sentences) {
    found.push(...(await ask(memory, stores, [sentence], options, level)).scored);
  }
  const named = { ...options, accepts: undefined };
  const levelOfHeads = levelOf(threshold, more + heads.length);
  for (const head of heads) {
    const { scored } = await ask(memory, stores, [head], named, levelOfHeads);
    // How a thing is made is known; what happened was about another one.
    found.push(...scored.filter(({ candidate }) => candidate.note.kind === "knowledge"));
  }
  if (whole !== undefined && found.length === 0) {
    // Looked for as ever and held to more: at a higher level a first look would leave out what a second lifts.
    const { scored } = await ask(memory, stores, phrasingsOf(whole), options, threshold);
    found.push(...scored.filter(({ score }) => score >= level));
  }
  const best = bestOfEach(found, ({ score }) => score, placeOf);
  return { ...typed, scored: knowledgeIfAny(best, ({ candidate }) => candidate.note) };
}

async function partsOf(prompt: string): Promise<Asked> {
  const isOne = prompt.length < SENTENCE_CHARACTERS_MAX && !MORE_THAN_ONE.test(prompt);
  if (isOne && prompt.split("/").length <= PATH_PARTS) {
    return { first: prompt, sentences: [], heads: headsOf(prompt.trim()), whole: undefined };
  }
  const { askedIn } = await import("../surfacing/prompt_parts.ts");
  return askedIn(prompt);
}

/** More may be a whole path, of which a prompt is asked by its last name. */
const PATH_PARTS = 4;
/** A sentence or a line ends and something comes behind it. */
const MORE_THAN_ONE = /[.!?]["'”’)\]]*\s+\S|\n\s*\S|[。！？]\s*\S/;

/**
 * What one of so many more questions needs, 0..1, where the first needed `threshold`: with it they meet something
 * by chance so many times as often, so its odds must be so many times as high.
 */
export function levelOf(threshold: number, more: number): number {
  const odds = (1 + more) * threshold / Math.max(1e-9, 1 - threshold);
  return odds / (1 + odds);
}

/** Each note once, as the sentence found it that it answers best; best first. */
export function bestOfEach<Found>(
  found: readonly Found[],
  scoreOf: (one: Found) => number,
  keyOf: (one: Found) => string,
): Found[] {
  return firstOfEach(found.toSorted((a, b) => scoreOf(b) - scoreOf(a)), keyOf);
}

/** `phrasings`: of one question. Unasked, only what reaches `level` matters. */
async function ask(
  memory: Memory,
  stores: readonly Store[],
  phrasings: readonly string[],
  options: GatherOptions,
  level: number,
): Promise<Gathered> {
  const { elsewhere } = options;
  await memory.prepare(phrasings);
  // Beside a prompt other words bring nothing more, and cost as much as the rest of the search.
  const synonyms = options.forHook !== true && memory.config.get("retrieval.synonyms");
  const [prepared = prepareQuery(""), ...also] = phrasings.map((one) =>
    prepareQuery(one, memory.embedder(), { synonyms })
  );
  const weights = signalWeights(memory);
  const here = ["", ...memory.places.projectIds];
  const scored: Scored[] = [];
  for (const store of stores) {
    const factor = store.scope === "user" ? memory.config.get("retrieval.user_scope_priority") : 1;
    const candidates = memory.index(store).query(await withTriggers(memory, store, prepared), {
      limit: options.forHook === true ? UNASKED_MAX : CANDIDATES_MAX,
      also: await Promise.all(also.map((one) => withTriggers(memory, store, one))),
      // Who asks may also see what nearly passed.
      ...(options.forHook === true ? { atLeast: level / factor } : {}),
      weights,
      except: options.except,
      unasked: options.forHook,
      ...(options.forHook === true ? TELLING : { kinds: ["knowledge"], statuses: ["active"] }),
      ...(store.scope === "project" || elsewhere !== undefined ? {} : { projects: here }),
    });
    for (const candidate of candidates) {
      if (!fitsSkill(candidate, options.skill)) continue;
      if (options.accepts?.(candidate) === false) continue;
      if (options.forHook === true && !mayAnswerPrompt(candidate)) continue;
      // Asked for what others know: neither what is of this project, nor what is of all.
      const isOthers = store.scope === "project" || !here.includes(candidate.note.project ?? "");
      if (elsewhere !== undefined && !isOthers) continue;
      scored.push({ candidate, store, factor, score: candidate.combined * factor });
    }
  }
  scored.sort((a, b) => b.score - a.score);
  const told = options.forHook === true
    ? knowledgeIfAny(scored, ({ candidate }) => candidate.note)
    : scored;
  const lexicalOnly = [prepared, ...also].every(({ vector }) => vector === undefined);
  return { scored: told, lexicalOnly };
}

/** The triggers of notes count only where somebody vouched for the notes. */
async function withTriggers(memory: Memory, store: Store, query: Query): Promise<Query> {
  if (store.trust === "unknown") return { ...query, phrase: "", patterns: new Set() };
  return await withPatterns(query, [memory.index(store)]);
}

function fitsSkill({ note }: Candidate, skill: string | undefined): boolean {
  return note.skills.length === 0 || (skill !== undefined && note.skills.includes(skill));
}

/** Hooks take the index as it stands, and need not load what brings it up to date. */
async function refresh(memory: Memory): Promise<void> {
  const { refreshAll } = await import("../reindex.ts");
  await refreshAll(memory);
}
