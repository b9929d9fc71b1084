/**
 * Candidates for an answer, each with the score that is compared with the threshold. Apart from recall.ts,
 * so that a prompt without candidates, as most are, loads nothing more.
 */
import { firstOfEach } from "../../base/first_of_each.ts";
import { type Candidate, TELLING } from "../../search/document.ts";
import { phrasingsOf } from "../../search/query/phrasings.ts";
import { prepareQuery, type Query, withPatterns } from "../../search/query/query.ts";
import type { SignalWeights } from "../../search/ranking/score.ts";
import { knowledgeIfAny } from "../../search/ranking/select.ts";
import type { Store } from "../../store/handle.ts";
import { SENTENCE_CHARACTERS_MAX } from "../surfacing/gates.ts";
import type { Memory } from "../memory.ts";
import { headsOf } from "../surfacing/order_head.ts";
import type { Asked } from "../surfacing/prompt_parts.ts";
import { answersPrompt } from "../surfacing/past_events.ts";

export interface Scored {
  readonly candidate: Candidate;
  readonly store: Store;
  /** combined × factor. */
  readonly score: number;
  readonly factor: number;
}

/** A key for a note: where a file was copied, two notes share an id. */
export function placeOf({ store, candidate }: Pick<Scored, "store" | "candidate">): string {
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
   * For a prompt, unasked: notes of every kind, since a checkpoint may answer it; none from stores that
   * nobody trusts; the index as it stands.
   */
  readonly forHook?: boolean;
  /** Stores of other projects. If given, only other projects' knowledge is searched, there and in the user store. */
  readonly elsewhere?: readonly Store[];
  /** Whether a candidate may be an answer. Not asked about the heads of orders (order_head.ts). */
  readonly accepts?: ((candidate: Candidate) => boolean) | undefined;
  /** Ids of notes that the conversation itself made: they repeat what it just said. */
  readonly except?: ReadonlySet<string>;
}

export const CANDIDATES_MAX = 50;
/** Few are shown beside a prompt, and no more than ten are reranked. */
export const UNASKED_MAX = 16;

/** How much meaning and words count, from the settings. */
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
  const { elsewhere, forHook = false } = options;
  const all = elsewhere === undefined ? memory.stores : [memory.user, ...elsewhere];
  const stores = all.filter((store) =>
    (options.scope === undefined || store.scope === options.scope) &&
    !(forHook && store.trust === "unknown") &&
    memory.fs.lstat(store.root) !== undefined
  );
  const search: Search = { memory, stores, options };
  if (forHook) return await gatherForPrompt(search, query);
  const found = (): Promise<Gathered> =>
    ask(search, phrasingsOf(query, options.also), thresholdOf(memory));
  if (elsewhere !== undefined) return await found();
  // Lazy, because hooks take the index as it stands.
  const { readFresh } = await import("../index/reindex.ts");
  return await readFresh(memory, found);
}

/** What all questions of one call have in common. */
interface Search {
  readonly memory: Memory;
  readonly stores: readonly Store[];
  readonly options: GatherOptions;
}

function thresholdOf({ config }: Memory): number {
  return config.get("retrieval.recall_threshold");
}

/**
 * Queries what was typed first, then the other parts of the prompt, each with a higher threshold, because
 * more queries match more by chance.
 */
async function gatherForPrompt(search: Search, prompt: string): Promise<Gathered> {
  const threshold = thresholdOf(search.memory);
  const { first, sentences, heads, whole } = await partsOf(prompt);
  const more = sentences.length + (whole === undefined ? 0 : 1);
  const level = levelOf(threshold, more);
  const typed = await ask(search, phrasingsOf(first), threshold);
  const found = [...typed.scored];
  for (const sentence of sentences) found.push(...(await ask(search, [sentence], level)).scored);
  const ofHeads = { ...search, options: { ...search.options, accepts: undefined } };
  const levelOfHeads = levelOf(threshold, more + heads.length);
  for (const head of heads) {
    const { scored } = await ask(ofHeads, [head], levelOfHeads);
    // Knowledge tells how such a thing is done; a checkpoint or session was about another instance of it.
    found.push(...scored.filter(({ candidate }) => candidate.note.kind === "knowledge"));
  }
  if (whole !== undefined && found.length === 0) {
    // Queried at the usual threshold and filtered afterwards: the first pass at a higher one would drop
    // notes that the second pass lifts above it.
    const { scored } = await ask(search, phrasingsOf(whole), threshold);
    found.push(...scored.filter(({ score }) => score >= level));
  }
  return { ...typed, scored: bestOfEach(found, ({ score }) => score, placeOf) };
}

async function partsOf(prompt: string): Promise<Asked> {
  const isOne = prompt.length < SENTENCE_CHARACTERS_MAX && !MORE_THAN_ONE.test(prompt);
  if (isOne && prompt.split("/").length <= PATH_PARTS) {
    return { first: prompt, sentences: [], heads: headsOf(prompt.trim()), whole: undefined };
  }
  const { askedIn } = await import("../surfacing/prompt_parts.ts");
  return askedIn(prompt);
}

/** A prompt with more slashes may hold a path, which is queried by its last name (prompt_parts.ts). */
const PATH_PARTS = 4;
/** The end of a sentence or line that is followed by more. */
const MORE_THAN_ONE = /[.!?]["'”’)\]]*\s+\S|\n\s*\S|[。！？]\s*\S/;

/**
 * The threshold (0..1) for each of `more` queries beside a first one with `threshold`. Together they are
 * 1 + `more` times as likely to match by chance, so the odds must be as many times as high.
 */
export function levelOf(threshold: number, more: number): number {
  const odds = (1 + more) * threshold / Math.max(1e-9, 1 - threshold);
  return odds / (1 + odds);
}

/** Each note once, with its best score; best first. */
export function bestOfEach<Found>(
  found: readonly Found[],
  scoreOf: (one: Found) => number,
  keyOf: (one: Found) => string,
): Found[] {
  return firstOfEach(found.toSorted((a, b) => scoreOf(b) - scoreOf(a)), keyOf);
}

/** `phrasings`: of one question. `level`: candidates that score less are of no use to a hook. */
async function ask(search: Search, phrasings: readonly string[], level: number): Promise<Gathered> {
  const { memory, stores, options: { elsewhere, except, forHook = false } } = search;
  await memory.prepare(phrasings);
  // Beside a prompt synonyms find nothing more, and cost as much as the rest of the search.
  const synonyms = !forHook && memory.config.get("retrieval.synonyms");
  const [prepared = prepareQuery(""), ...also] = phrasings.map((one) =>
    prepareQuery(one, memory.embedder(), { synonyms })
  );
  const weights = signalWeights(memory);
  const here = projectsHere(memory);
  const mayAnswer = forHook ? answersPrompt(phrasings) : () => true;
  const scored: Scored[] = [];
  for (const store of stores) {
    const factor = store.scope === "user" ? memory.config.get("retrieval.user_scope_priority") : 1;
    const candidates = memory.index(store).query(await withTriggers(memory, store, prepared), {
      also: await Promise.all(also.map((one) => withTriggers(memory, store, one))),
      weights,
      except,
      ...(forHook
        ? { ...TELLING, unasked: true, limit: UNASKED_MAX, atLeast: level / factor }
        // A recall also reports near misses.
        : { kinds: ["knowledge"], statuses: ["active"], limit: CANDIDATES_MAX }),
      ...(store.scope === "project" || elsewhere !== undefined ? {} : { projects: here }),
    });
    for (const candidate of candidates) {
      if (!isWanted(search, store, candidate) || !mayAnswer(candidate)) continue;
      scored.push({ candidate, store, factor, score: candidate.combined * factor });
    }
  }
  scored.sort((a, b) => b.score - a.score);
  const lexicalOnly = [prepared, ...also].every(({ vector }) => vector === undefined);
  if (!forHook) return { scored, lexicalOnly };
  return { scored: knowledgeIfAny(scored, ({ candidate }) => candidate.note), lexicalOnly };
}

function isWanted({ memory, options }: Search, store: Store, candidate: Candidate): boolean {
  const { elsewhere, skill, accepts } = options;
  const { note } = candidate;
  if (note.skills.length > 0 && (skill === undefined || !note.skills.includes(skill))) return false;
  if (accepts?.(candidate) === false) return false;
  // From the person's own store only knowledge of other projects, not of this one or of all.
  return elsewhere === undefined || store.scope === "project" ||
    !projectsHere(memory).includes(note.project ?? "");
}

/** The projects of notes that hold here; "" is none. */
function projectsHere({ places }: Memory): string[] {
  return ["", ...places.projectIds];
}

/** The query with the notes' triggers, which count only in stores that somebody trusts. */
async function withTriggers(memory: Memory, store: Store, query: Query): Promise<Query> {
  if (store.trust === "unknown") return { ...query, phrase: "", patterns: new Set() };
  return await withPatterns(query, [memory.index(store)]);
}
