/**
 * The search index of one store. It opens without parsing and answers in about a millisecond. An index
 * whose files are missing or damaged opens empty and says so (`rebuilt`); the next scan fills it. It never
 * reads the notes themselves.
 */
import { assert, systemError, systemErrorCode } from "../base/errors.ts";
import { compareText, fold } from "../base/text/text.ts";
import type { Fs } from "../base/fs.ts";
import { join } from "../base/path.ts";
import type { Embedder } from "../embed/embedder.ts";
import { findNotes } from "./ranking/candidates.ts";
import type { FoundNote } from "./ranking/rerank.ts";
import type {
  Candidate,
  ChunkLike,
  IndexedNote,
  NoteFilter,
  RelatedNote,
  StoredNote,
} from "./document.ts";
import { embedderHash, MANIFEST_NAME } from "./segment/format.ts";
import { type Manifest, readManifest, writeManifest } from "./segment/manifest.ts";
import { type Query, spell, vectorQuery } from "./query/query.ts";
import { type Change, nextRevision, sweep } from "./segment/revision.ts";
import { readRelations } from "./segment/relations.ts";
import { carrier, DEFAULT_WEIGHTS, type SignalWeights } from "./ranking/score.ts";
import { Segment } from "./segment/segment.ts";
import { readPaths, Stamps } from "./segment/stamps.ts";
import {
  factFilter,
  passes,
  readChunks,
  readNote,
  readNotes,
  readPlaced,
  readTexts,
} from "./segment/segment_notes.ts";
import { hasChunkWithAll } from "./segment/postings.ts";
import { TriggerTables } from "./query/triggers.ts";
import type { FindOptions } from "./ranking/first_pass.ts";

type AskedOptions = Omit<FindOptions, "filter" | "weights" | "indexed" | "successorOf">;

export interface QueryOptions extends NoteFilter, AskedOptions {
  readonly weights?: SignalWeights | undefined;
  /** The same question in other words. */
  readonly also?: readonly Query[] | undefined;
}

/** The text of a note as it was indexed, with the `updated` it had then. */
export interface IndexedText {
  readonly updated: string;
  readonly chunks: readonly ChunkLike[];
}

export interface SearchIndex {
  /** Grows with every change; 0 for an empty index. */
  readonly revision: number;
  /** Identifies the content: changes with every revision. Undefined for an empty index. */
  readonly check: string | undefined;
  /** Whether the index was missing, old or damaged, and began empty. */
  readonly rebuilt: boolean;
  /** How often a part turned out to be damaged as it was read; the index was empty from then on. */
  readonly damages: number;
  /** Loads the revision that another process may have written since. Returns whether there was one. */
  refresh(): boolean;
  /** Path and stamp of every note, after a `refresh`: what a scan compares the files with. */
  stamps(): Stamps;
  /** Writes the next revision; a document replaces the one with its path. */
  apply(change: Change, embedder: Embedder): void;
  /** The notes that pass the filter, by path. `newest`: at most so many of each segment, the last updated. */
  notes(filter?: NoteFilter, newest?: number): IndexedNote[];
  /** Best first: an exact first pass (candidates.ts), then a rerank of its best (rerank.ts). */
  query(query: Query, options: QueryOptions): Candidate[];
  similar(
    vector: Float32Array,
    options: QueryOptions & { readonly calibrate: (cosine: number) => number },
  ): Candidate[];
  /** The notes that pass the filter with their links, aliases and further fields, by path. */
  relations(filter?: NoteFilter): RelatedNote[];
  /** Whether a note has this alias; reads no note. */
  hasAlias(alias: string): boolean;
  /** The indexed text of the note at a path; undefined if there is none. As of the last look at the disk. */
  text(path: string): IndexedText | undefined;
  /** Paths of the notes that have all of these words in their text or headings, both folded by `fold`. */
  holding(words: readonly string[]): Set<string>;
  /** Whether a single passage has all words of these phrases (`phraseOf`), in any order; false for none. */
  hasTogether(phrases: readonly string[]): boolean;
  /** Pairs of a note and the id of a note that it contradicts. */
  contradictions(): (readonly [IndexedNote, string])[];
  /** The trigger patterns of all notes, for `withPatterns`. */
  patterns(): string[];
  /** Reads all but the postings; where it is not as it was written, the index is empty from then on. */
  verify(): void;
  close(): void;
}

/** From this many listings of one revision on, the process counts as long-lived and keeps the notes. */
const KEPT_FROM_LISTS = 4;
/** Attempts at a change while other processes change the index too; the last one overwrites theirs. */
const APPLY_TRIES = 4;

export function openIndex(dir: string, fs: Fs, embedderId: string): SearchIndex {
  return new FolderIndex(dir, fs, embedderId);
}

class FolderIndex implements SearchIndex {
  #revision = 0;
  #mains = 0;
  #rebuilt = false;
  #damages = 0;
  #check: string | undefined;
  #segments: Segment[] = [];
  #triggers: TriggerTables | undefined;
  #stamps: Stamps | undefined;
  /** All notes by path, once they are kept, and how often this revision was listed. */
  #kept: readonly IndexedNote[] | undefined;
  #lists = 0;
  #made = new WeakMap<StoredNote, IndexedNote>();
  readonly #dir: string;
  readonly #fs: Fs;
  readonly #embedder: string;

  constructor(dir: string, fs: Fs, embedderId: string) {
    this.#dir = dir;
    this.#fs = fs;
    this.#embedder = embedderHash(embedderId);
    this.refresh();
    if (this.#check === undefined) this.#rebuilt = true;
  }

  get revision(): number {
    return this.#revision;
  }

  get check(): string | undefined {
    return this.#check;
  }

  get rebuilt(): boolean {
    return this.#rebuilt;
  }

  get damages(): number {
    return this.#damages;
  }

  refresh(): boolean {
    const before = this.#check;
    // Another process may merge and remove a segment once we read the manifest: then there is a newer one.
    for (let attempt = 0; attempt < 3; attempt++) {
      const outcome = this.#load();
      if (outcome === "loaded") return this.#check !== before;
      if (outcome === "missing") break;
    }
    if (this.#check !== undefined) this.#rebuilt = true;
    this.#drop();
    return before !== undefined;
  }

  stamps(): Stamps {
    this.refresh();
    this.#stamps ??= new Stamps(this.#segments);
    return this.#sound() ? this.#stamps : new Stamps([]);
  }

  apply(change: Change, embedder: Embedder): void {
    assert(embedderHash(embedder.id) === this.#embedder, "an index has the vectors of one model");
    try {
      this.#fs.makeDir(this.#dir, 0o700);
      for (let attempt = 1;; attempt++) {
        this.refresh();
        const before = this.#segments.map((segment) => [segment, segment.entry] as const);
        const check = this.#check;
        try {
          if (this.#applyOnce(change, embedder, attempt === APPLY_TRIES)) return;
        } catch (error) {
          // Notes that were to be replaced are found again; those that were to be erased stay hidden.
          if (this.#check === check && change.erase !== true) {
            for (const [segment, entry] of before) segment.adopt(entry);
          }
          // ENOENT: another process deleted the folder to rebuild the index.
          if (systemErrorCode(error) !== "ENOENT" || attempt === APPLY_TRIES) throw error;
          this.#fs.makeDir(this.#dir, 0o700);
        }
      }
    } catch (cause) {
      throw systemError(cause, `write the search index in "${this.#dir}"`);
    }
  }

  notes(filter: NoteFilter = {}, newest?: number): IndexedNote[] {
    const { kinds, ...rest } = filter;
    if (newest === undefined && Object.values(rest).every((value) => value === undefined)) {
      if (this.#kept === undefined && ++this.#lists >= KEPT_FROM_LISTS) this.#kept = this.#read({});
      const kept = this.#kept?.filter(({ kind }) => kinds?.includes(kind) ?? true);
      if (kept !== undefined) return kept;
    }
    return this.#read(filter, newest);
  }

  #read(filter: NoteFilter, newest?: number): IndexedNote[] {
    const notes: IndexedNote[] = [];
    const accepts = factFilter(filter);
    for (const segment of this.#segments) {
      for (const stored of readNotes(segment, accepts, newest)) {
        if (passes(stored, filter)) notes.push(this.#indexed(stored));
      }
    }
    return this.#sound() ? notes.sort((a, b) => compareText(a.path, b.path)) : [];
  }

  relations(filter: NoteFilter = {}): RelatedNote[] {
    const accepts = factFilter(filter);
    const found: RelatedNote[] = [];
    for (const segment of this.#segments) {
      const relations = readRelations(segment);
      for (const { note, stored } of readPlaced(segment, accepts)) {
        const own = relations[note];
        if (own === undefined || !passes(stored, filter)) continue;
        found.push({ note: this.#indexed(stored), relations: own });
      }
    }
    return this.#sound() ? found.sort((a, b) => compareText(a.note.path, b.note.path)) : [];
  }

  hasAlias(alias: string): boolean {
    const has = this.#segments.some((segment) =>
      readRelations(segment).some(({ aliases }) => aliases.includes(alias))
    );
    return has && this.#sound();
  }

  text(path: string): IndexedText | undefined {
    this.#stamps ??= new Stamps(this.#segments);
    let place = this.#stamps.placeOf(path) ?? Infinity;
    for (const segment of this.#segments) {
      if (place < segment.header.notes) {
        const [stored, chunks] = [readNote(segment, place), readChunks(segment, place)];
        return this.#sound() && stored !== undefined
          ? { updated: stored.updated, chunks }
          : undefined;
      }
      place -= segment.header.notes;
    }
    return undefined;
  }

  holding(words: readonly string[]): Set<string> {
    const paths = new Set<string>();
    const hasPhrase = words.some((word) => word.includes(" "));
    const parts = words.flatMap((word) => word.split(" "));
    for (const segment of this.#segments) {
      const found = new Set<number>();
      for (const { note, text } of readTexts(segment)) {
        const folded = fold(text);
        if (!parts.every((part) => folded.includes(part))) continue;
        const spaced = hasPhrase ? folded.replace(/\s+/g, " ") : folded;
        if (words.every((word) => spaced.includes(word))) found.add(note);
      }
      if (found.size === 0) continue;
      for (const { note, path } of readPaths(segment)) if (found.has(note)) paths.add(path);
    }
    return this.#sound() ? paths : new Set();
  }

  hasTogether(phrases: readonly string[]): boolean {
    const terms = spell(phrases.join(" "));
    for (const segment of this.#segments) {
      segment.loadTerms();
      segment.loadLists();
    }
    return hasChunkWithAll(this.#segments, terms) && this.#sound();
  }

  query(query: Query, options: QueryOptions): Candidate[] {
    const { also = [], weights = DEFAULT_WEIGHTS, ...rest } = options;
    const { limit, atLeast, sumMin, except, unasked, ...filter } = rest;
    const tables = this.#tables();
    const phrasings = [query, ...also].map((query) => ({
      query,
      triggered: tables.tables.map((table) => table.match(query)),
    }));
    // A prompt is no question: it matches an old version by chance as often as not.
    const successorOf = unasked === true ? undefined : (id: string) => tables.successorOf(id);
    const indexed = (stored: StoredNote): IndexedNote => this.#indexed(stored);
    const found = findNotes(this.#segments, phrasings, {
      limit,
      atLeast,
      sumMin,
      except,
      unasked,
      filter,
      weights,
      indexed,
      successorOf,
    });
    const candidates = found.map((one) => this.#candidate(one, weights));
    this.#sound();
    return candidates;
  }

  similar(
    vector: Float32Array,
    options: QueryOptions & { readonly calibrate: (cosine: number) => number },
  ): Candidate[] {
    const { calibrate, ...rest } = options;
    return this.query(vectorQuery(vector, calibrate), rest);
  }

  contradictions(): (readonly [IndexedNote, string])[] {
    return this.#tables().said("contradicts").map(([by, id]) => [this.#indexed(by.stored), id]);
  }

  patterns(): string[] {
    return this.#tables().patterns();
  }

  verify(): void {
    if (!this.#segments.every((segment) => segment.verify())) this.#discard();
  }

  close(): void {
    this.#drop();
  }

  #load(): "loaded" | "missing" | "damaged" {
    try {
      const read = readManifest(this.#fs, this.#dir);
      if (read.kind !== "read") return read.kind;
      if (read.check === this.#check) return "loaded";
      if (read.manifest.embedder !== this.#embedder) return "damaged";
      return this.#open(read.manifest, read.check) ? "loaded" : "damaged";
    } catch {
      // The index is derived data: unreadable is as good as missing.
      return "damaged";
    }
  }

  #open(manifest: Manifest, check: string): boolean {
    const open = new Map(this.#segments.map((segment) => [segment.entry.name, segment]));
    const next: Segment[] = [];
    for (const entry of manifest.segments) {
      const known = open.get(entry.name);
      const segment = known ?? Segment.open(this.#fs, this.#dir, entry, this.#embedder);
      if (segment === undefined) {
        for (const one of next) if (!open.has(one.entry.name)) one.close();
        return false;
      }
      next.push(segment);
    }
    const kept = new Set(next);
    for (const segment of this.#segments) if (!kept.has(segment)) segment.close();
    manifest.segments.forEach((entry, s) => next[s]?.adopt(entry));
    this.#segments = next;
    this.#revision = manifest.revision;
    this.#mains = manifest.mains;
    this.#check = check;
    this.#forget();
    return true;
  }

  #applyOnce(change: Change, embedder: Embedder, isLast: boolean): boolean {
    const keep = new Set(this.#segments.map(({ entry }) => entry.name));
    const current = { segments: this.#segments, mains: this.#mains, revision: this.#revision };
    const next = nextRevision(this.#fs, this.#dir, current, change, embedder);
    if (next.kind === "damaged") {
      this.#discard();
      return false;
    }
    if (next.kind === "next") {
      if (!isLast && this.#isOutrun()) {
        for (const name of next.written) this.#fs.unlink(join(this.#dir, name));
        return false;
      }
      const check = writeManifest(this.#fs, this.#dir, next.manifest);
      if (!this.#open(next.manifest, check)) this.#discard();
    }
    for (const segment of this.#segments) keep.add(segment.entry.name);
    if (change.erase === true) {
      sweep(this.#fs, this.#dir, new Set(this.#segments.map(({ entry }) => entry.name)), true);
    } else if (next.kind === "next") sweep(this.#fs, this.#dir, keep, false);
    return true;
  }

  /** Whether another process has written a revision since ours was read. */
  #isOutrun(): boolean {
    const read = readManifest(this.#fs, this.#dir);
    return read.kind === "read" ? read.check !== this.#check : this.#check !== undefined;
  }

  /** Returns false and empties the index if a part that was read turned out to be damaged. */
  #sound(): boolean {
    if (!this.#segments.some((segment) => segment.isDamaged)) return true;
    this.#discard();
    return false;
  }

  #discard(): void {
    this.#rebuilt = true;
    this.#damages++;
    this.#drop();
    try {
      this.#fs.unlink(join(this.#dir, MANIFEST_NAME));
    } catch {
      // Missing already, or not ours to remove: then the next process finds it damaged again.
    }
  }

  #drop(): void {
    for (const segment of this.#segments) segment.close();
    this.#segments = [];
    this.#revision = this.#mains = 0;
    this.#check = undefined;
    this.#forget();
  }

  /** Drops everything that was computed from one revision. */
  #forget(): void {
    this.#triggers = undefined;
    this.#stamps = undefined;
    this.#kept = undefined;
    this.#lists = 0;
    this.#made = new WeakMap();
  }

  #tables(): TriggerTables {
    return this.#triggers ??= new TriggerTables(this.#segments);
  }

  #candidate(found: FoundNote, weights: SignalWeights): Candidate {
    const { segment: _segment, note: _note, chunk: _chunk, stored, hit, ...scored } = found;
    const { evidence, shares } = scored;
    return {
      ...scored,
      emb: evidence.emb ?? 0,
      kw: Math.min(1, Math.max(evidence.kw, evidence.trigger)),
      carriedBy: carrier(evidence, weights),
      terms: shares.map(({ term }) => term),
      note: stored,
      chunk: hit,
    };
  }

  /** The note with its links resolved to ids, and its successor. The same object until the index changes. */
  #indexed(stored: StoredNote): IndexedNote {
    const tables = this.#tables();
    const supersededBy = tables.successorOf(stored.id)?.stored.id;
    // Nearly all notes: copies of thousands would be a third of what a list costs.
    if (supersededBy === undefined && stored.supersedes.length === 0) return stored;
    let known = this.#made.get(stored);
    if (known === undefined) {
      const supersedes = stored.supersedes.map((said) => tables.idOf(said));
      known = { ...stored, supersedes, supersededBy };
      this.#made.set(stored, known);
    }
    return known;
  }
}
