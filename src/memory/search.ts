/** Ranked search over every note in reach. Without the threshold of recall, because somebody asked. */
import { firstOfEach } from "../base/first_of_each.ts";
import { QUERY_CHARACTERS_MAX } from "../base/limits.ts";
import { defined } from "../base/defined.ts";
import { compareText } from "../base/text/text.ts";
import { round } from "../base/round.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { NoteKind } from "../note/note.ts";
import type { Candidate } from "../search/document.ts";
import { arrange, type Arrangeable, saidAt } from "../search/ranking/arrange.ts";
import { formulaOf } from "../search/ranking/explain.ts";
import { type SearchAnswer, type SearchHit, searchNotes } from "../search/search_notes.ts";
import { phrasingsOf } from "../search/query/phrasings.ts";
import { literalQuery, type ParsedQuery, parseQuery } from "../search/query/query_syntax.ts";
import type { SignalWeights } from "../search/ranking/score.ts";
import { termText } from "../search/query/lexical.ts";
import type { SearchIndex } from "../search/search_index.ts";
import { FORM_WEIGHT } from "../search/segment/postings.ts";
import { unscored } from "../search/ranking/unscored.ts";
import { namesOf } from "../search/ranking/verbatim.ts";
import type { Store } from "../store/handle.ts";
import type { Project } from "../store/projects.ts";
import { indexedItem, type NoteItem } from "./item.ts";
import { placeOf, type Scored, signalWeights } from "./knowledge/candidates.ts";
import { type ContradictingNotes, contradictingNotes } from "./knowledge/contradicting.ts";
import { missingFolder, missingVault } from "./vault/missing_folder.ts";
import type { Memory } from "./memory.ts";
import { outsideFlag } from "./outside/sources.ts";
import { withoutPromoted } from "./knowledge/promoted.ts";
import { inReach, type Reach, reachOf } from "./reach.ts";
import { readFresh } from "./index/reindex.ts";
import { withDoubtFlags } from "./doubt_flags.ts";
import { isHere, newestFirst } from "./index/entries.ts";

export interface HitItem extends NoteItem {
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly snippet: string;
  readonly heading: string;
  /** The name of its project, if that is another one. */
  readonly of?: string;
  /** Of a session's note and its checkpoints: the editor's id of the session. */
  readonly session?: string;
  /** The calculation of the score, so that it can be checked by hand. */
  readonly formula: string;
  /** The phrasing that it matches best, if there are several. */
  readonly phrasing?: string;
}

interface SearchOptions {
  /** The same question in other words; filters, quoted phrases and times are read from the query alone. */
  readonly also?: readonly string[];
  /** How many hits. If undefined, weak hits at the end are left out. */
  readonly limit?: number;
  readonly type?: string;
  readonly tag?: string;
  readonly project?: string;
  readonly after?: string;
  /** Also notes of other projects: in the user's store, and in the stores of trusted projects. */
  readonly all?: boolean;
  /** The query is a text to compare with, not something typed: no filters are read from it. */
  readonly literal?: boolean;
}

export interface SearchResult {
  readonly items: readonly HitItem[];
  readonly total: number;
  /** Nothing matches well: the items are only the nearest. */
  readonly weak: boolean;
  readonly lexicalOnly: boolean;
  /** Those among the words, as they were typed. */
  readonly filters: readonly string[];
  /** What a filter takes that counts as words because it could not be read, and notes out of reach. */
  readonly hints: readonly string[];
}

const LIMIT = 10;
/** Nine of ten right answers to the hardest questions have more evidence (docs/decisions/0034). */
const SUM_MIN = 0.65;
/** Half of what was shown has less, and of what answers one in a hundred (docs/decisions/0042). */
const SCORE_MIN = 0.03;
/** A best score below this: four of five questions that nothing answers, one of sixty that something does. */
export const WEAK = 0.3;
/** How many poor matches are shown, if there are no better ones. */
const NEAREST = 3;
/** Words of a query that may be typing mistakes; each costs as many probes as it has neighbours. */
const GUESSES_MAX = 3;
/** How many hits are sorted before the first `limit` are shown, if the order is not by score. */
const ARRANGED_MIN = 50;
/** How many more hits are searched for the note whose old version is shown. */
const BEYOND = 10;

export async function searchMemory(
  memory: Memory,
  query: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const nowMs = memory.now();
  const read = (typed: string): ParsedQuery =>
    parseQuery(typed.slice(0, QUERY_CHARACTERS_MAX), nowMs);
  const asked = options.literal === true
    ? literalQuery(query.slice(0, QUERY_CHARACTERS_MAX))
    : read(query);
  const phrasings = phrasingsOf(asked.text, options.also?.map((one) => read(one).text));
  const filter = joined(asked, options);
  const isListed = phrasings[0] === "" && isFiltered(filter);
  const answer = await readFresh(memory, async () => {
    const reach = await reachOf(memory, filter.project, options.all === true);
    await memory.prepare(phrasings);
    const { found, rivals, ...told } = isListed
      ? listed(memory, reach, filter, options.limit ?? LIMIT)
      : await ranked(memory, reach, {
        asked,
        phrasings,
        filter,
        limit: options.limit,
        isLiteral: options.literal === true,
      });
    return { items: await toHits(memory, reach, found, { phrasings, rivals }), ...told };
  });
  const missing = memory.warn === undefined ? missingOf(memory, answer.items) : undefined;
  const hints = missing === undefined ? asked.hints : [...asked.hints, missing];
  return { ...answer, filters: asked.filters, hints };
}

/** For a caller that is told no warnings. A server looks at the disk no more often than it must. */
function missingOf(memory: Memory, items: readonly unknown[]): string | undefined {
  return items.length === 0 ? missingFolder(memory) : missingVault(memory);
}

type Located = Pick<Scored, "store" | "candidate">;

/** The hits to show, before they are made into items. */
interface Chosen extends Pick<SearchResult, "total" | "weak" | "lexicalOnly"> {
  readonly found: readonly Located[];
  readonly rivals: ContradictingNotes | undefined;
}

interface Question {
  readonly asked: ParsedQuery;
  readonly phrasings: readonly string[];
  readonly filter: Filter;
  /** Undefined if the caller gave no limit. */
  readonly limit: number | undefined;
  /** A text to compare with: what it names is not what is looked for. */
  readonly isLiteral: boolean;
}

async function ranked(memory: Memory, reach: Reach, question: Question): Promise<Chosen> {
  const { asked, limit = LIMIT } = question;
  const stores = [...reach.projects.keys()];
  const result = await answered(memory, reach, { ...question, limit });
  const hits = result.hits.flatMap(({ candidate, index }) => {
    const store = stores[index];
    return store === undefined ? [] : [{ candidate, store }];
  });
  const dated = ofTheirTime(memory, reach, { ...question, limit });
  // What its words found as well is the hit that has the passage.
  const both = firstOfEach([...hits, ...dated], placeOf)
    .map((one) => ({ ...one, note: one.candidate.note }));
  const all = withoutPromoted(memory, both).map((one) => ({
    ...facts(one.store, one.candidate),
    ...one,
  }));
  const rivals = contradictingNotes(memory, all);
  const found = onceEach(laterFirst(all, rivals));
  const isWhole = question.limit !== undefined || isArranged(asked);
  const fitting = isWhole ? found : withoutTail(found);
  return {
    found: arrange(fitting, asked).slice(0, limit),
    rivals,
    total: isWhole ? result.total + found.length - hits.length : fitting.length,
    weak: dated.length === 0 && found.every(({ combined }) => combined < WEAK),
    lexicalOnly: result.lexicalOnly,
  };
}

/** Notes of the kind and time in the query, whatever their words. */
function ofTheirTime(
  memory: Memory,
  reach: Reach,
  { asked: { dated }, filter, limit }: Question & { readonly limit: number },
): readonly Located[] {
  if (dated === undefined) return [];
  const kinds = dated.kinds.filter((kind) => filter.kinds?.includes(kind) ?? true);
  if (kinds.length === 0) return [];
  // Times in UTC sort as they stand: of both the later, and of both the earlier.
  const after = [dated.from, filter.after].filter((time) => time !== undefined).sort().at(-1);
  const before = [dated.to, filter.before].filter((time) => time !== undefined).sort()[0];
  return listed(memory, reach, { ...filter, kinds, after, before }, limit).found;
}

/** What has the evidence; where that leaves room, also what only holds the word that was typed. */
async function answered(
  memory: Memory,
  reach: Reach,
  { asked, phrasings, filter, limit, isLiteral }: Question & { readonly limit: number },
): Promise<SearchAnswer> {
  const [text = "", ...also] = phrasings;
  const stores = [...reach.projects.keys()];
  const indexes = stores.map((store) => memory.index(store));
  const ask = (embedder?: Embedder, sumMin?: number): Promise<SearchAnswer> =>
    searchNotes(indexes, text, embedder, {
      also,
      limit: isArranged(asked) ? Math.max(limit, ARRANGED_MIN) : limit + BEYOND,
      sumMin,
      guessesMax: GUESSES_MAX,
      synonyms: memory.config.get("retrieval.synonyms"),
      weights: signalWeights(memory),
      type: filter.kinds,
      tags: filter.tags,
      after: filter.after,
      before: filter.before,
      projects: [...reach.projects.values()],
      keep: ({ note }: Candidate, index: number) => {
        const store = stores[index];
        return store !== undefined && inReach(reach, store, note);
      },
    });
  const first = await ask(memory.embedder(), SUM_MIN);
  const holds = isOneWord(asked.text)
    ? oneWordWanted(asked.text, first, limit)
    : isLiteral && first.hits.length > 0
    ? undefined
    : namesWanted(phrasings, first, indexes);
  return holds === undefined ? first : withWords(first, await ask(), limit, holds);
}

/** What is to be found by words alone, where anything is. */
type Wanted = ((hit: SearchHit) => boolean) | undefined;

function oneWordWanted(text: string, { hits }: SearchAnswer, limit: number): Wanted {
  const word = termText(text).toLowerCase().replace(EDGES, "");
  const isThere = (hit: SearchHit): boolean =>
    hit.candidate.terms.includes(word) || hasAllAsked(hit);
  // Nothing is added to a full page of better hits.
  if (hits.length >= limit && hits.every(isThere)) return undefined;
  return hits.length > 0 ? isThere : ({ candidate: { kw } }) => kw >= FORM_WEIGHT * IN_LONG_PASSAGE;
}

function namesWanted(
  phrasings: readonly string[],
  { hits }: SearchAnswer,
  indexes: readonly SearchIndex[],
): Wanted {
  if (hits.length === 0) return hasAllAsked;
  const isLacking = hits.some(({ candidate: { evidence } }) => evidence.missing > 0);
  if (!isLacking || hits.some(hasAllAsked)) return undefined;
  const names = phrasings.map(namesOf);
  const isThere = indexes.some((index) => names.some((all) => index.hasTogether(all)));
  return isThere ? hasAllAsked : undefined;
}

/** All that was typed, or all names of it. */
function hasAllAsked({ candidate: { kw, evidence } }: SearchHit): boolean {
  return kw >= WHOLE || evidence.named > 0 && evidence.missing === 0;
}

/** A contradicted note is ordered like an old version: never above the later statement. */
function laterFirst<T extends Arrangeable>(
  found: readonly T[],
  rivals: ContradictingNotes,
): readonly T[] {
  if (rivals.size === 0) return found;
  return found.map((one) => {
    const earlier = [...rivals].filter(([, against]) =>
      against.some(({ note, isLater }) => isLater && note.id === one.id)
    ).map(([id]) => id);
    return { ...one, supersedes: [...one.supersedes, ...earlier] };
  });
}

/**
 * Copies of a note's file are one hit, the best of them; the doctor names the files. A file with another
 * title or other words is a hit of its own whatever its id, since it is unknown which one holds.
 */
function onceEach<T extends Located>(found: readonly T[]): readonly T[] {
  // The usual case: nothing was copied.
  if (new Set(found.map(({ candidate: { note } }) => note.id)).size === found.length) return found;
  return firstOfEach(found, ({ store, candidate: { note, chunk } }) => {
    const { id, title, contentHash } = note;
    return JSON.stringify([store.id, id, title, chunk.snippet || contentHash]);
  });
}

function isOneWord(text: string): boolean {
  return !/\s/.test(text.trim());
}

/** Around a word: `.env`, `useEffect()`. */
const EDGES = /^[^a-z0-9\u0080-\uffff]+|[^a-z0-9\u0080-\uffff]+$/g;

/** All that was typed; what is added up in f32 rarely makes one. */
const WHOLE = 0.999;
/** What one mention counts at least, of what it counts in a passage of usual length. */
const IN_LONG_PASSAGE = 0.5;

/**
 * A word that most notes have is evidence for none of them, nor is a name in a long passage about something
 * else, and yet it stands there: what holds the one word, the names or all that was typed comes along, as
 * it is found by words alone. Where nothing has it, one word that was mistyped stands there too.
 */
function withWords(
  found: SearchAnswer,
  byWords: SearchAnswer,
  limit: number,
  holds: (hit: SearchHit) => boolean,
): SearchAnswer {
  const more = byWords.hits.filter(holds).slice(0, limit);
  const hits = firstOfEach(
    [...found.hits, ...more].sort((a, b) => b.candidate.combined - a.candidate.combined),
    ({ index, candidate }) => `${index} ${candidate.note.path}`,
  );
  return { ...found, hits, total: Math.max(found.total, hits.length) };
}

/** The matches, best first, and the notes that replace some of them. */
function withoutTail<T extends Arrangeable>(found: readonly T[]): readonly T[] {
  const fits = found.filter(({ combined }) => combined >= SCORE_MIN);
  const shown = new Set((fits.length > 0 ? fits : found.slice(0, NEAREST)).map(({ id }) => id));
  return found.filter(({ id, supersedes }) =>
    shown.has(id) || supersedes.some((old) => shown.has(old))
  );
}

type Filter = ReturnType<typeof joined>;

/** Whether something other than the score decides the order. */
function isArranged({ phrases, since, wantsNewest, dated }: ParsedQuery): boolean {
  return wantsNewest || since !== undefined || dated !== undefined || phrases.length > 0;
}

function isFiltered({ kinds, tags, project, after, before }: Filter): boolean {
  return [kinds, tags, project, after, before].some((value) => value !== undefined);
}

/** Filters without words: what passes, newest first. */
function listed(memory: Memory, reach: Reach, filter: Filter, limit: number): Chosen {
  const { kinds, after, before, tags } = filter;
  const all = [...reach.projects.keys()].flatMap((store) =>
    memory.index(store).notes({ kinds, after, before, tags })
      .filter((note) => inReach(reach, store, note))
      .map((note) => ({ store, note }))
  );
  const found = onceEach(
    withoutPromoted(memory, all)
      .map(({ store, note }) => ({ store, candidate: unscored(note) }))
      .sort((a, b) =>
        compareText(saidAt(b.candidate.note), saidAt(a.candidate.note)) ||
        newestFirst(a.candidate, b.candidate)
      ),
  );
  return {
    found: found.slice(0, limit),
    rivals: undefined,
    total: found.length,
    weak: false,
    lexicalOnly: false,
  };
}

function joined(asked: ParsedQuery, options: SearchOptions) {
  const { type, tag, project, after } = options;
  const tags = tag === undefined ? asked.tags : [tag, ...asked.tags];
  return {
    kinds: type === undefined
      ? asked.kinds.length > 0 ? asked.kinds : undefined
      : [type as NoteKind],
    tags: tags.length > 0 ? tags : undefined,
    project: project ?? asked.project,
    after: after ?? asked.after,
    before: asked.before,
  };
}

/** What decides the order. A note of an untrusted store displaces no other note. */
function facts(store: Store, { note, chunk, combined }: Candidate) {
  const supersedes = store.trust === "unknown" ? [] : note.supersedes;
  return { ...note, supersedes, combined, snippet: chunk.snippet };
}

async function toHits(
  memory: Memory,
  { others }: Reach,
  found: readonly Located[],
  { phrasings, rivals }: {
    readonly phrasings: readonly string[];
    readonly rivals: ContradictingNotes | undefined;
  },
): Promise<HitItem[]> {
  const weights = signalWeights(memory);
  const items: HitItem[] = [];
  for (const { store, candidate } of found) {
    const of = others.get(store) ?? await projectSaid(memory, store, candidate);
    const hit = toHit(store, candidate, weights, phrasings);
    items.push(of === undefined ? hit : { ...hit, of: of.name, project: of.id });
  }
  // The sources of another project's notes are in another folder.
  return await withDoubtFlags(
    memory,
    items,
    (item, i) => item.of === undefined ? found[i]?.candidate.note.sources : undefined,
    rivals,
  );
}

/** The other project that a note in the person's own store belongs to. */
async function projectSaid(
  memory: Memory,
  store: Store,
  { note }: Candidate,
): Promise<Pick<Project, "id" | "name"> | undefined> {
  if (isHere(memory, { store, note })) return undefined;
  const { projectOf } = await import("./other_projects.ts");
  return await projectOf(memory, { store, note });
}

const COMMENTS = /<!--[^]*?(?:-->|$)/g;

function toHit(
  store: Store,
  candidate: Candidate,
  weights: SignalWeights,
  phrasings: readonly string[],
): HitItem {
  const { note, chunk, combined, emb, kw } = candidate;
  const item = indexedItem(store, note);
  const outside = outsideFlag(store);
  // Notes of external sources need no valid front matter.
  const flags = outside === undefined
    ? item.flags
    : [...item.flags.filter((flag) => flag !== "unparsable"), outside];
  return {
    ...item,
    flags,
    score: round(combined, 3),
    emb: round(emb, 3),
    kw: round(kw, 3),
    // HTML comments, which no reader of Markdown shows, such as the marks in a map of content.
    snippet: chunk.snippet.replace(COMMENTS, "").trim(),
    heading: chunk.heading,
    formula: formulaOf(candidate, weights),
    ...defined({ session: note.session }),
    ...(candidate.phrasings === undefined ? {} : { phrasing: phrasings[candidate.phrasing] ?? "" }),
  };
}
