/**
 * Writes the next revision of an index: a delta segment for a few changes, one merged delta when there are
 * many, one new main segment when the deltas have grown large. Segments are written whole under new names;
 * the manifest names them last. Files that no manifest names are swept later, so that a reader or a second
 * writer that still has the revision before finds its files.
 */
import { writeWhole } from "../../base/atomic.ts";
import { now } from "../../base/clock.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { TEMP_AGE_MS_MAX } from "../../base/limits.ts";
import { compareText } from "../../base/text/text.ts";
import type { Embedder } from "../../embed/embedder.ts";
import type { FileStampLike, NoteDocument } from "../document.ts";
import { embedderHash, isIndexFile, MANIFEST_NAME } from "./format.ts";
import { type Manifest, type ManifestSegment, newSegmentName } from "./manifest.ts";
import type { Segment } from "./segment.ts";
import { readDocuments, readNote } from "./segment_notes.ts";
import { chunksOf, writeSegment } from "./segment_writer.ts";
import { readPaths } from "./stamps.ts";
import { embedNotes, rowBytes, type Rows } from "./vectors.ts";

export interface Change {
  readonly put: readonly NoteDocument[];
  /** Paths. */
  readonly remove: readonly string[];
  /** No byte of what is removed may stay in any file of the index. */
  readonly erase?: boolean;
}

/** More deltas become one: every query pays for each of them. */
const DELTAS_MAX = 8;
/**
 * With a larger share of chunks in deltas or deleted, everything is written anew. A share and not a
 * number, so that a large store is rewritten seldom: a hook may have to wait for it.
 */
const DELTA_SHARE_MAX = 0.1;
/** Up to this many chunks the share does not count. */
const DELTA_CHUNKS_MIN = 128;

/** Newer stamps that the manifest lists. Every process reads it, so with more their notes are written anew. */
const SEEN_MAX = 256;

/** Of more files of earlier revisions, as after hundreds of saves in a row, only the latest stay. */
const EARLIER_MAX = 64;
/** How long a process may take from reading a manifest to opening the segments that it names. */
const OPENING_MS_MAX = 10_000;

/**
 * Inverting a segment takes about 10 KB of the core's memory a chunk: huge stores get several main
 * segments instead of one that does not fit.
 */
const SEGMENT_CHUNKS_MAX = 50_000;

/** What the next revision starts from. */
export interface Current {
  readonly segments: readonly Segment[];
  readonly mains: number;
  readonly revision: number;
}

export type NextRevision =
  | { readonly kind: "same" }
  /** A segment that was to be merged does not match its checksum. */
  | { readonly kind: "damaged" }
  | { readonly kind: "next"; readonly manifest: Manifest; readonly written: readonly string[] };

/** Where segments are written, and with whose vectors. */
interface Target {
  readonly fs: Fs;
  readonly dir: string;
  readonly embedder: Embedder;
}

interface Place {
  readonly segment: number;
  readonly note: number;
  readonly path: string;
}

export function nextRevision(
  fs: Fs,
  dir: string,
  current: Current,
  change: Change,
  embedder: Embedder,
): NextRevision {
  const target = { fs, dir, embedder };
  const { segments, revision } = current;
  const given = new Map(change.put.map((note) => [note.path, note]));
  const known = placesOf(segments, [...given.keys(), ...change.remove]);
  const seen = seenAgain(segments, known, given);
  const gone = known.filter(({ path }) => !seen.has(path));
  const put = [...given.values()].filter(({ path }) => !seen.has(path)).sort(byPath);
  const hasDead = segments.some((segment) => segment.dead.size > 0);
  const mustErase = change.erase === true && (gone.length > 0 || hasDead);
  if (put.length + gone.length + seen.size === 0 && !mustErase) return { kind: "same" };
  const entries = segments.map((segment, s) => entryOf(segment, s, known, seen));
  const isWhole = segments.length === 0 || mustErase || isOutgrown(current, entries, put);
  const kept = isWhole ? 0 : keptOf(current, put);
  const fresh = kept < segments.length || isWhole
    ? merge(target, segments.slice(kept), entries.slice(kept), put)
    : write(target, put, embedNotes(put, embedder));
  if (fresh === undefined) return { kind: "damaged" };
  return {
    kind: "next",
    manifest: {
      embedder: embedderHash(embedder.id),
      revision: revision + 1,
      mains: isWhole ? fresh.length : current.mains,
      segments: [...entries.slice(0, kept), ...fresh],
    },
    written: fresh.map(({ name }) => name),
  };
}

/** Removes files that no revision in use can need; `all` removes every one that is not current. */
export function sweep(fs: Fs, dir: string, keep: ReadonlySet<string>, all: boolean): void {
  const earlier = fs.list(dir).filter(({ name }) =>
    isIndexFile(name) && !keep.has(name) && name !== MANIFEST_NAME
  );
  const ageMsMax = earlier.length > EARLIER_MAX ? OPENING_MS_MAX : TEMP_AGE_MS_MAX;
  for (const { name } of earlier) {
    try {
      const path = join(dir, name);
      const info = fs.lstat(path);
      if (info !== undefined && (all || now() - info.mtimeMs > ageMsMax)) fs.unlink(path);
    } catch {
      // Another process swept it first, or holds it open; the next sweep sees it again.
    }
  }
}

function placesOf(segments: readonly Segment[], paths: readonly string[]): Place[] {
  if (paths.length === 0) return [];
  const wanted = new Set(paths);
  return segments.flatMap((segment, s) =>
    readPaths(segment).filter(({ path }) => wanted.has(path)).map(({ note, path }) => ({
      segment: s,
      note,
      path,
    }))
  );
}

/**
 * By path the new stamps of files whose content is as indexed: touched since, or so fresh at that time
 * that their stamps proved nothing. Dates are compared as well, because they may come from the stamp.
 */
function seenAgain(
  segments: readonly Segment[],
  known: readonly Place[],
  given: ReadonlyMap<string, NoteDocument>,
): ReadonlyMap<string, FileStampLike> {
  const seen = new Map<string, FileStampLike>();
  for (const { segment, note, path } of known) {
    const [before, now] = [segments[segment], given.get(path)];
    const stored = before === undefined || now === undefined ? undefined : readNote(before, note);
    if (now === undefined || stored?.contentHash !== now.contentHash) continue;
    if (stored.created === now.created && stored.updated === now.updated) seen.set(path, now.stamp);
  }
  const all = segments.reduce((sum, segment) => sum + segment.seen.size, seen.size);
  return all > SEEN_MAX ? new Map() : seen;
}

/** A segment's entry in the next manifest, with the notes that are gone and the stamps that are newer. */
function entryOf(
  segment: Segment,
  s: number,
  known: readonly Place[],
  seen: ReadonlyMap<string, FileStampLike>,
): ManifestSegment {
  const { entry } = segment;
  const own = known.filter((place) => place.segment === s);
  if (own.length === 0) return entry;
  const dead = [...entry.dead];
  const stamps = new Map(segment.seen);
  for (const { note, path } of own) {
    const stamp = seen.get(path);
    if (stamp !== undefined) stamps.set(note, stamp);
    else {
      stamps.delete(note);
      dead.push(note);
    }
  }
  return {
    ...entry,
    dead: dead.sort((a, b) => a - b),
    seen: stamps.size === 0 ? undefined : [...stamps],
  };
}

/** How many segments stay as they are: all, or the main ones only if there are too many deltas. */
function keptOf({ segments, mains }: Current, put: readonly NoteDocument[]): number {
  const deltas = segments.length - mains + (put.length > 0 ? 1 : 0);
  return deltas > DELTAS_MAX ? mains : segments.length;
}

function isOutgrown(
  { segments, mains }: Current,
  entries: readonly ManifestSegment[],
  put: readonly NoteDocument[],
): boolean {
  let total = 0;
  let loose = put.reduce((sum, note) => sum + chunksOf(note).length, 0);
  segments.forEach((segment, s) => {
    total += segment.header.chunks;
    if (s >= mains) loose += segment.header.chunks;
    else for (const note of entries[s]?.dead ?? []) loose += segment.chunkCount(note);
  });
  return loose > Math.max(DELTA_CHUNKS_MIN, total * DELTA_SHARE_MAX);
}

/** Merges these segments and new notes into new ones. Vectors are carried over. Undefined if one is damaged. */
function merge(
  target: Target,
  segments: readonly Segment[],
  entries: readonly ManifestSegment[],
  put: readonly NoteDocument[],
): ManifestSegment[] | undefined {
  const { embedder } = target;
  const dims = rowBytes(embedder.dimensions);
  const sources: { note: NoteDocument; rows: Rows; from: number; count: number }[] = [];
  const fresh = embedNotes(put, embedder);
  let from = 0;
  for (const note of put) {
    const count = chunksOf(note).length;
    sources.push({ note, rows: fresh, from, count });
    from += count;
  }
  for (const [s, segment] of segments.entries()) {
    if (segment.header.dims !== dims || !segment.verify()) return undefined;
    segment.adopt(entries[s] ?? segment.entry);
    const rows = rowsOf(segment);
    const documents = readDocuments(segment);
    if (segment.isDamaged) return undefined;
    for (const { note, document } of documents) {
      const [from, count] = [segment.firstChunk(note), segment.chunkCount(note)];
      sources.push({ note: document, rows, from, count });
    }
  }
  sources.sort((a, b) => byPath(a.note, b.note));
  const chunks = sources.reduce((sum, source) => sum + source.count, 0);
  const rows = new Uint8Array(chunks * dims);
  const scales = new Float32Array(chunks);
  let to = 0;
  for (const { rows: source, from, count } of sources) {
    rows.set(source.rows.subarray(from * dims, (from + count) * dims), to * dims);
    scales.set(source.scales.subarray(from, from + count), to);
    to += count;
  }
  const notes = sources.map((source) => source.note);
  return write(target, notes, { rows, scales });
}

function rowsOf(segment: Segment): Rows {
  const { vectors, scales } = segment.header.sections;
  const bytes = segment.read("scales", 0, scales.bytes);
  return {
    rows: segment.read("vectors", 0, vectors.bytes),
    scales: new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4),
  };
}

/** One segment, or as many as the notes need; none for no notes. */
function write(
  { fs, dir, embedder }: Target,
  notes: readonly NoteDocument[],
  { rows, scales }: Rows,
): ManifestSegment[] {
  const written: ManifestSegment[] = [];
  const dims = rowBytes(embedder.dimensions);
  let chunk = 0;
  for (let from = 0; from < notes.length;) {
    const first = chunk;
    let to = from;
    do chunk += chunksOf(notes[to++] as NoteDocument).length; while (
      to < notes.length && chunk - first < SEGMENT_CHUNKS_MAX
    );
    const name = newSegmentName();
    const input = {
      embedder: embedderHash(embedder.id),
      dims,
      notes: notes.slice(from, to),
      vectors: rows.subarray(first * dims, chunk * dims),
      scales: scales.subarray(first, chunk),
    };
    writeSegment(input, (parts, bytes) => {
      writeWhole(fs, join(dir, name), parts, { mode: 0o600 });
      written.push({ name, bytes, dead: [] });
    });
    from = to;
  }
  return written;
}

function byPath(a: NoteDocument, b: NoteDocument): number {
  return compareText(a.path, b.path);
}
