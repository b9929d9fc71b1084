/** Ranked search over every note in reach: unthresholded, because somebody asked. */
import { QUERY_CHARACTERS_MAX } from "../base/limits.ts";
import { shortId } from "../base/id.ts";
import { join } from "../base/fs.ts";
import type { NoteKind } from "../note/note.ts";
import type { Candidate } from "../search/document.ts";
import { searchNotes } from "../search/ask.ts";
import type { Store } from "../store/handle.ts";
import { attributed, type NoteItem } from "./item.ts";
import type { Memory } from "./memory.ts";
import { refreshStore } from "./reindex.ts";

export interface HitItem extends NoteItem {
  readonly score: number;
  readonly emb: number;
  readonly kw: number;
  readonly snippet: string;
  readonly heading: string;
  readonly author: string;
}

export interface SearchOptions {
  readonly limit?: number;
  readonly type?: string;
  readonly tag?: string;
  readonly project?: string;
  readonly after?: string;
  /** Also what belongs to other projects in the user's store. */
  readonly all?: boolean;
}

export interface SearchResult {
  readonly items: readonly HitItem[];
  readonly total: number;
  readonly lexicalOnly: boolean;
}

const LIMIT = 10;
/** Nearly all unrelated pairs score below this (docs/decisions/0010): what is left is chance. */
const SCORE_MIN = 0.3;

export async function searchMemory(
  memory: Memory,
  query: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  const stores = memory.stores.filter((store) => memory.fs.lstat(store.root) !== undefined);
  for (const store of stores) await refreshStore(memory, store);
  const result = await searchNotes(
    stores.map((store) => memory.index(store)),
    query.slice(0, QUERY_CHARACTERS_MAX),
    memory.embedder(),
    {
      limit: options.limit ?? LIMIT,
      atLeast: SCORE_MIN,
      weights: {
        embedding: memory.config.get("retrieval.embedding_weight"),
        keyword: memory.config.get("retrieval.keyword_weight"),
      },
      type: options.type as NoteKind | undefined,
      tag: options.tag,
      after: options.after,
      keep: (candidate: Candidate, index: number) => {
        const store = stores[index];
        return store !== undefined && candidate.combined >= SCORE_MIN &&
          inReach(memory, store, candidate, options);
      },
    },
  );
  const items = result.hits.flatMap(({ candidate, index }) => {
    const store = stores[index];
    return store === undefined ? [] : [toHit(store, candidate)];
  });
  return { items, total: result.total, lexicalOnly: result.lexicalOnly };
}

function inReach(
  memory: Memory,
  store: Store,
  { note }: Candidate,
  options: SearchOptions,
): boolean {
  const project = note.project ?? "";
  if (options.project !== undefined) return project === options.project;
  return options.all === true || store.scope === "project" || project === "" ||
    memory.places.projectIds.includes(project);
}

function toHit(store: Store, { note, chunk, combined, emb, kw }: Candidate): HitItem {
  const flags: string[] = [];
  if (store.trust === "unknown") flags.push("untrusted");
  if (note.status === "archived") flags.push("archived");
  if (note.supersededBy !== undefined) flags.push("superseded");
  if (note.problem) flags.push("unparsable");
  return {
    id: note.id,
    short_id: shortId(note.id),
    type: note.kind,
    title: note.title,
    path: join(store.root, note.path),
    created: note.created,
    updated: note.updated,
    status: note.status,
    scope: store.scope,
    ...(note.project === undefined || note.project === "" ? {} : { project: note.project }),
    tags: note.tags,
    flags,
    score: round(combined),
    emb: round(emb),
    kw: round(kw),
    snippet: chunk.snippet,
    heading: chunk.heading,
    author: attributed(store, note.author),
  };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
