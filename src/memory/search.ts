/** Ranked search over every note in reach: unthresholded, because somebody asked. */
import { QUERY_CHARACTERS_MAX } from "../base/limits.ts";
import type { NoteKind } from "../note/note.ts";
import type { Candidate } from "../search/document.ts";
import { arrange } from "../search/arrange.ts";
import { explain } from "../search/explain.ts";
import { searchNotes } from "../search/ask.ts";
import { type Asked, asLiteral, parseAsked } from "../search/query_syntax.ts";
import { NO_EVIDENCE, type SignalWeights } from "../search/score.ts";
import type { Store } from "../store/handle.ts";
import { isBuiltin, refreshBuiltin } from "./builtin_memory.ts";
import { attributed, indexedItem, type NoteItem } from "./item.ts";
import type { Memory } from "./memory.ts";
import { refreshStore } from "./reindex.ts";
import { withStale } from "./source/stale.ts";

export interface HitItem extends NoteItem {
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly snippet: string;
  readonly heading: string;
  readonly author: string;
  /** The calculation of the score, to be done by hand. */
  readonly formula: string;
}

export interface SearchOptions {
  readonly limit?: number;
  readonly type?: string;
  readonly tag?: string;
  readonly project?: string;
  readonly after?: string;
  /** Also what belongs to other projects in the user's store. */
  readonly all?: boolean;
  /** The query is a text to compare with, not something typed: no filters are read from it. */
  readonly literal?: boolean;
}

export interface SearchResult {
  readonly items: readonly HitItem[];
  readonly total: number;
  readonly lexicalOnly: boolean;
}

const LIMIT = 10;
/** Nine of ten right answers to the hardest questions have more evidence (docs/decisions/0034). */
const SUM_MIN = 0.65;
/** Words of a query that may be typing mistakes; each costs as many probes as it has neighbours. */
const GUESSES_MAX = 3;
/** What is put in order before the first `limit` are shown, where it is not the score that orders. */
const ARRANGED_MIN = 50;
/** So much further down, a note is found whose old version is shown. */
const BEYOND = 10;

export async function searchMemory(
  memory: Memory,
  query: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const typed = query.slice(0, QUERY_CHARACTERS_MAX);
  const asked = options.literal === true ? asLiteral(typed) : parseAsked(typed, memory.now());
  const filter = joined(asked, options);
  const limit = options.limit ?? LIMIT;
  const weights = {
    embedding: memory.config.get("retrieval.embedding_weight"),
    keyword: memory.config.get("retrieval.keyword_weight"),
  };
  const stores = memory.stores.filter((store) => memory.fs.lstat(store.root) !== undefined);
  for (const store of stores) await refreshStore(memory, store);
  // An extra: what is wrong with it costs nobody their own notes.
  const builtin = await refreshBuiltin(memory).catch(() => undefined);
  if (builtin !== undefined) stores.push(builtin);
  await memory.prepare(asked.text === "" ? [] : [asked.text]);
  if (asked.text === "" && isFiltered(filter)) {
    return listed(memory, stores, filter, { ...options, limit }, weights);
  }
  const result = await searchNotes(
    stores.map((store) => memory.index(store)),
    asked.text,
    memory.embedder(),
    {
      limit: isArranged(asked) ? Math.max(limit, ARRANGED_MIN) : limit + BEYOND,
      sumMin: SUM_MIN,
      guessesMax: GUESSES_MAX,
      weights,
      type: filter.kinds,
      tag: filter.tags[0],
      after: filter.after,
      before: filter.before,
      projects: stores.map((store) => projectsOf(memory, store, filter.project, options)),
      keep: (candidate: Candidate, index: number) => {
        const store = stores[index];
        return store !== undefined && hasTags(candidate, filter.tags) &&
          inReach(memory, store, candidate, filter.project, options);
      },
    },
  );
  const found = result.hits.flatMap(({ candidate, index }) => {
    const store = stores[index];
    return store === undefined ? [] : [{ ...facts(store, candidate), candidate, store }];
  });
  const items = arrange(found, asked).slice(0, limit);
  return {
    items: await toHits(memory, items, weights),
    total: result.total,
    lexicalOnly: result.lexicalOnly,
  };
}

type Filter = ReturnType<typeof joined>;

/** Whether something else than the score decides what comes first. */
function isArranged({ phrases, since, wantsNewest }: Asked): boolean {
  return wantsNewest || since !== undefined || phrases.length > 0;
}

function isFiltered({ kinds, tags, project, after, before }: Filter): boolean {
  return [kinds, tags[0], project, after, before].some((value) => value !== undefined);
}

/** Filters without words: what passes, newest first. */
async function listed(
  memory: Memory,
  stores: readonly Store[],
  filter: Filter,
  options: SearchOptions & { readonly limit: number },
  weights: SignalWeights,
): Promise<SearchResult> {
  const found = stores.flatMap((store) => {
    const { kinds, after, before } = filter;
    const notes = memory.index(store).notes({ kinds, after, before, tag: filter.tags[0] });
    return notes.map((note) => ({ store, candidate: unscored(note) }));
  }).filter(({ store, candidate }) =>
    hasTags(candidate, filter.tags) && inReach(memory, store, candidate, filter.project, options)
  );
  found.sort((a, b) => a.candidate.note.updated < b.candidate.note.updated ? 1 : -1);
  const items = found.slice(0, options.limit);
  return {
    items: await toHits(memory, items, weights),
    total: found.length,
    lexicalOnly: false,
  };
}

function unscored(note: Candidate["note"]): Candidate {
  return {
    note,
    chunk: { heading: note.title, start: 0, end: 0, snippet: "" },
    evidence: NO_EVIDENCE,
    sum: 0,
    covered: 0,
    competing: 0,
    combined: 0,
    emb: 0,
    kw: 0,
    carriedBy: "mix",
    cosine: 0,
    terms: [],
    shares: [],
    trigger: undefined,
  };
}

function joined(asked: Asked, options: SearchOptions) {
  const { type, tag, project, after } = options;
  return {
    kinds: type === undefined
      ? asked.kinds.length > 0 ? asked.kinds : undefined
      : [type as NoteKind],
    tags: tag === undefined ? asked.tags : [tag, ...asked.tags],
    project: project ?? asked.project,
    after: after ?? asked.after,
    before: asked.before,
  };
}

function hasTags({ note }: Candidate, tags: readonly string[]): boolean {
  const own = new Set(note.tags.map((tag) => tag.toLowerCase()));
  return tags.every((tag) => own.has(tag.toLowerCase()));
}

/** What decides the order. A note that nobody vouched for takes no other note's place. */
function facts(store: Store, { note, chunk, combined }: Candidate) {
  const supersedes = store.trust === "unknown" ? [] : note.supersedes;
  return { ...note, supersedes, combined, snippet: chunk.snippet };
}

function inReach(
  memory: Memory,
  store: Store,
  { note }: Candidate,
  wanted: string | undefined,
  options: SearchOptions,
): boolean {
  return projectsOf(memory, store, wanted, options)?.includes(note.project ?? "") ?? true;
}

/** The projects whose notes are meant, "" for those of none; undefined: all. */
function projectsOf(
  memory: Memory,
  store: Store,
  wanted: string | undefined,
  options: SearchOptions,
): readonly string[] | undefined {
  if (wanted !== undefined) return [wanted];
  if (options.all === true || store.scope === "project") return undefined;
  return ["", ...memory.places.projectIds];
}

async function toHits(
  memory: Memory,
  found: readonly { readonly store: Store; readonly candidate: Candidate }[],
  weights: SignalWeights,
): Promise<HitItem[]> {
  const items = found.map(({ store, candidate }) => toHit(store, candidate, weights));
  return await withStale(memory, items, (_, i) => found[i]?.candidate.note.sources);
}

function toHit(store: Store, candidate: Candidate, weights: SignalWeights): HitItem {
  const { note, chunk, combined, emb, kw } = candidate;
  const item = indexedItem(store, note);
  // The editor's own files have no front matter to go wrong.
  const flags = isBuiltin(store)
    ? [...item.flags.filter((flag) => flag !== "unparsable"), "built-in"]
    : item.flags;
  return {
    ...item,
    flags,
    score: round(combined),
    emb: round(emb),
    kw: round(kw),
    snippet: chunk.snippet,
    heading: chunk.heading,
    author: attributed(store, note.author),
    formula: explain(candidate, { weights, threshold: 0 }).formula,
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
