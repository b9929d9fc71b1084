/**
 * Writes the next revision of an index: a small delta segment for a few changes, one new main segment
 * when the deltas have grown. Segments are written whole under a new name first; the manifest names
 * them last. What no manifest names is swept later, so that a reader or a second writer that still
 * knows the revision before finds its files.
 */
import { now } from "../base/clock.ts";
import { type Fs, join } from "../base/fs.ts";
import { TEMP_AGE_MS_MAX } from "../base/limits.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { NoteDocument } from "./document.ts";
import { embedderHash } from "./format.ts";
import {
  isSegmentName,
  type Manifest,
  MANIFEST_NAME,
  type ManifestSegment,
  newSegmentName,
  writeWhole,
} from "./manifest.ts";
import { readRelations } from "./relations.ts";
import type { Segment } from "./segment.ts";
import { readDocument, readNotes } from "./segment_notes.ts";
import { chunksOf, writeSegment } from "./segment_writer.ts";
import { readPaths } from "./stamps.ts";
import { embedNotes, type Rows } from "./vectors.ts";

export interface Change {
  readonly put: readonly NoteDocument[];
  /** Paths. */
  readonly remove: readonly string[];
  /** No byte of what is removed may stay in any file of the index. */
  readonly erase?: boolean;
}

/** Deltas beyond either bound are merged: every query pays for each of them. */
const DELTAS_MAX = 8;
const DELTA_SHARE_MAX = 0.1;
/** A store this small is merged by the number of deltas alone. */
const DELTA_CHUNKS_MIN = 64;

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
  /** A segment that had to be read whole is not as it was written. */
  | { readonly kind: "damaged" }
  | { readonly kind: "next"; readonly manifest: Manifest; readonly written: readonly string[] };

interface Place {
  readonly segment: number;
  readonly note: number;
}

export function nextRevision(
  fs: Fs,
  dir: string,
  current: Current,
  change: Change,
  embedder: Embedder,
): NextRevision {
  const { segments, revision } = current;
  const put = [...new Map(change.put.map((note) => [note.path, note])).values()].sort(byPath);
  const gone = placesOf(segments, [...put.map((note) => note.path), ...change.remove]);
  const hasDead = segments.some((segment) => segment.dead.size > 0);
  const mustErase = change.erase === true && (gone.length > 0 || hasDead);
  if (put.length === 0 && gone.length === 0 && !mustErase) return { kind: "same" };
  const buried = segments.map((segment, s) => bury(segment, s, gone));
  const isMerge = segments.length === 0 || mustErase || isMergeDue(current, buried, put);
  const fresh = isMerge
    ? merge(fs, dir, segments, buried, put, embedder)
    : write(fs, dir, put, embedNotes(put, embedder), embedder);
  if (fresh === undefined) return { kind: "damaged" };
  return {
    kind: "next",
    manifest: {
      embedder: embedderHash(embedder.id),
      revision: revision + 1,
      mains: isMerge ? fresh.length : current.mains,
      segments: isMerge ? fresh : [...buried, ...fresh],
    },
    written: fresh.map(({ name }) => name),
  };
}

/** Removes files that no revision in use can need; `all` removes every one that is not current. */
export function sweep(
  fs: Fs,
  dir: string,
  keep: ReadonlySet<string>,
  all: boolean,
): void {
  for (const { name } of fs.list(dir)) {
    const isOurs = isSegmentName(name) || (name.startsWith(".") && name.endsWith(".tmp"));
    if (!isOurs || keep.has(name) || name === MANIFEST_NAME) continue;
    try {
      const path = join(dir, name);
      const info = fs.lstat(path);
      if (info !== undefined && (all || now() - info.mtimeMs > TEMP_AGE_MS_MAX)) fs.unlink(path);
    } catch {
      // Another process swept it first, or holds it open; the next sweep sees it again.
    }
  }
}

function placesOf(segments: readonly Segment[], paths: readonly string[]): Place[] {
  if (paths.length === 0) return [];
  const wanted = new Set(paths);
  return segments.flatMap((segment, s) =>
    readPaths(segment).filter(({ path }) => wanted.has(path)).map(({ note }) => ({
      segment: s,
      note,
    }))
  );
}

function bury(segment: Segment, s: number, gone: readonly Place[]): ManifestSegment {
  const fresh = gone.filter((place) => place.segment === s).map((place) => place.note);
  if (fresh.length === 0) return segment.entry;
  const dead = [...segment.entry.dead, ...fresh].sort((a, b) => a - b);
  return { ...segment.entry, dead };
}

function isMergeDue(
  { segments, mains }: Current,
  buried: readonly ManifestSegment[],
  put: readonly NoteDocument[],
): boolean {
  if (segments.length - mains + (put.length > 0 ? 1 : 0) > DELTAS_MAX) return true;
  let total = 0;
  let loose = put.reduce((sum, note) => sum + chunksOf(note).length, 0);
  segments.forEach((segment, s) => {
    total += segment.header.chunks;
    if (s >= mains) loose += segment.header.chunks;
    for (const note of buried[s]?.dead ?? []) loose += segment.chunkCount(note);
  });
  return loose > Math.max(DELTA_CHUNKS_MIN, total * DELTA_SHARE_MAX);
}

/** Main segments of all that lives; vectors are carried over, the rest is written anew. */
function merge(
  fs: Fs,
  dir: string,
  segments: readonly Segment[],
  buried: readonly ManifestSegment[],
  put: readonly NoteDocument[],
  embedder: Embedder,
): ManifestSegment[] | undefined {
  const dims = embedder.dimensions;
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
    segment.bury(buried[s] ?? segment.entry);
    const rows = rowsOf(segment);
    const places = readPaths(segment);
    const notes = readNotes(segment);
    const relations = readRelations(segment);
    if (segment.isDamaged || places.length !== notes.length) return undefined;
    notes.forEach((stored, i) => {
      const place = places[i]?.note ?? 0;
      const note = readDocument(segment, stored, place, relations[place]);
      sources.push({ note, rows, from: segment.firstChunk(place), count: stored.chunkCount });
    });
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
  return write(fs, dir, notes, { rows, scales }, embedder);
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
  fs: Fs,
  dir: string,
  notes: readonly NoteDocument[],
  { rows, scales }: Rows,
  embedder: Embedder,
): ManifestSegment[] {
  const written: ManifestSegment[] = [];
  const dims = embedder.dimensions;
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
      writeWhole(fs, dir, name, parts, true);
      written.push({ name, bytes, dead: [] });
    });
    from = to;
  }
  return written;
}

function byPath(a: NoteDocument, b: NoteDocument): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
