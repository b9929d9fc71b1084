/** Reads notes and chunks from an opened segment: single ones by offset, or all at once. */
import { decode } from "../../base/utf8.ts";
import { hash32 } from "../../base/hash.ts";
import { parseTime } from "../../base/clock.ts";
import { INDEXED_KINDS } from "../../note/note.ts";
import type { FileSource } from "../../note/provenance.ts";
import type {
  ChunkHit,
  ChunkLike,
  FileStampLike,
  NoteDocument,
  NoteFilter,
  StoredNote,
} from "../document.ts";
import {
  CHUNK_BYTES,
  FACT,
  FACT_BYTES,
  FLAG,
  ROW,
  ROW_BYTES,
  TRIGGER_BYTES,
  TRIGGER_KINDS,
  type TriggerKind,
} from "./format.ts";
import { readRelations } from "./relations.ts";
import type { SectionText, Segment } from "./segment.ts";
import { projectHash, STATUSES, tagBits } from "./segment_writer.ts";

/** A snippet is shown without reading the note; longer ones help nobody. */
const SNIPPET_BYTES_MAX = 1200;

/** Notes that are kept for each segment, about 1 KB each. */
const KEPT_NOTES_MAX = 2048;
/**
 * From this many listings on, the process counts as long-lived and keeps what it listed: a save changes few
 * notes of a segment, and is followed by listings of all.
 */
const KEPT_FROM_LISTINGS = 4;

export interface Trigger {
  readonly note: number;
  readonly kind: TriggerKind;
  readonly text: string;
}

/** Undefined if the row is damaged. Kept in the segment, because many questions read the same notes. */
export function readNote(segment: Segment, note: number): StoredNote | undefined {
  const known = segment.notes.get(note);
  if (known !== undefined) return known;
  const row = view(segment.read("rows", note * ROW_BYTES, ROW_BYTES));
  const stored = toNote(segment, note, row, 0, (section, at, bytes) => {
    const part = segment.read(section, at, bytes);
    return [part, () => decode(part)];
  });
  if (segment.notes.size >= KEPT_NOTES_MAX) segment.notes.clear();
  if (stored !== undefined) segment.notes.set(note, stored);
  return stored;
}

/**
 * The live notes whose facts are accepted, reading each section once. `newest`: at most so many, those
 * updated last.
 */
export function readNotes(
  segment: Segment,
  accepts: (facts: DataView, at: number) => boolean,
  newest = Infinity,
): StoredNote[] {
  return readPlaced(segment, accepts, newest).map(({ stored }) => stored);
}

/** The same, with each note's number in the segment. */
export function readPlaced(
  segment: Segment,
  accepts: (facts: DataView, at: number) => boolean,
  newest = Infinity,
): { note: number; stored: StoredNote }[] {
  const isKept = ++segment.listings > KEPT_FROM_LISTINGS;
  let read: ((note: number) => StoredNote | undefined) | undefined;
  const out: { note: number; stored: StoredNote }[] = [];
  for (const note of chooseNotes(segment, accepts, newest)) {
    const stored = segment.listed.get(note) ?? (read ??= wholeReader(segment))(note);
    if (stored === undefined) continue;
    if (isKept) segment.listed.set(note, stored);
    out.push({ note, stored });
  }
  return out;
}

function wholeReader(segment: Segment): (note: number) => StoredNote | undefined {
  const rows = view(segment.read("rows", 0, segment.header.notes * ROW_BYTES));
  const whole = { paths: segment.keepText("paths"), meta: segment.keepText("meta") };
  return (note) =>
    toNote(segment, note, rows, note * ROW_BYTES, (section, at, bytes) => {
      const { bytes: all, slice } = whole[section];
      return [all.subarray(at, at + bytes), () => slice(at, at + bytes)];
    });
}

function chooseNotes(
  segment: Segment,
  accepts: (facts: DataView, at: number) => boolean,
  newest: number,
): number[] {
  const facts = segment.facts();
  const chosen: number[] = [];
  for (let note = 0; note < segment.header.notes; note++) {
    if (!segment.dead.has(note) && accepts(facts, note * FACT_BYTES)) chosen.push(note);
  }
  if (chosen.length <= newest) return chosen;
  const updated = (note: number): number => facts.getUint32(note * FACT_BYTES + FACT.updated, true);
  return chosen.sort((a, b) => updated(b) - updated(a)).slice(0, newest);
}

export function readTriggers(segment: Segment): Trigger[] {
  const { triggers, sections } = segment.header;
  if (triggers === 0) return [];
  const rows = view(segment.read("triggers", 0, triggers * TRIGGER_BYTES));
  const lines = decode(segment.read("triggerText", 0, sections.triggerText.bytes)).split("\n");
  const out: Trigger[] = [];
  for (let i = 0; i < triggers; i++) {
    const note = rows.getUint32(i * TRIGGER_BYTES, true);
    const kind = TRIGGER_KINDS[rows.getUint32(i * TRIGGER_BYTES + 4, true)];
    const text = lines[i];
    if (kind === undefined || text === undefined || note >= segment.header.notes) {
      segment.isDamaged = true;
      continue;
    }
    if (!segment.dead.has(note)) out.push({ note, kind, text });
  }
  return out;
}

/** A chunk's heading and the beginning of its text. */
export function readChunk(segment: Segment, chunk: number): ChunkHit {
  const row = view(segment.read("chunks", chunk * CHUNK_BYTES, CHUNK_BYTES));
  const at = row.getUint32(0, true);
  const headingBytes = row.getUint32(4, true);
  const wholeBytes = row.getUint32(8, true);
  const textBytes = Math.min(SNIPPET_BYTES_MAX, wholeBytes);
  const bytes = segment.read("text", at, headingBytes + textBytes);
  const both = decode(bytes);
  // In ASCII, offsets in bytes are offsets in the text.
  const isAscii = both.length === bytes.length;
  const text = isAscii ? both.slice(headingBytes) : decode(bytes.subarray(headingBytes));
  return {
    heading: isAscii ? both.slice(0, headingBytes) : decode(bytes.subarray(0, headingBytes)),
    // A cut inside a character leaves a replacement character behind.
    snippet: textBytes < wholeBytes ? text.replace(/\ufffd$/, "") : text,
  };
}

/** Every live note as it was indexed, chunks included: what a merge writes again. */
export function readDocuments(
  segment: Segment,
): { readonly note: number; readonly document: NoteDocument }[] {
  const rows = view(segment.read("chunks", 0, segment.header.sections.chunks.bytes));
  const text = segment.readText("text");
  const relations = readRelations(segment);
  return readPlaced(segment, () => true).map(({ note, stored }) => {
    const from = segment.firstChunk(note) * CHUNK_BYTES;
    const chunks = chunksFrom(rows, from, stored.chunkCount, text);
    return { note, document: { ...stored, chunks, relations: relations[note] } };
  });
}

/** The chunks of one note as they were indexed. */
export function readChunks(segment: Segment, note: number): readonly ChunkLike[] {
  const bytes = segment.chunkCount(note) * CHUNK_BYTES;
  const rows = view(segment.read("chunks", segment.firstChunk(note) * CHUNK_BYTES, bytes));
  const slice = (from: number, to: number): string => decode(segment.read("text", from, to - from));
  return chunksFrom(rows, 0, segment.chunkCount(note), { slice });
}

function chunksFrom(
  rows: DataView,
  from: number,
  count: number,
  text: Pick<SectionText, "slice">,
): ChunkLike[] {
  return Array.from({ length: count }, (_, i) => partsOf(rows, from + i * CHUNK_BYTES, text));
}

/**
 * The text of every live note, title and headings included, for finding exact words. A heading stands
 * before the first of its chunks; parts are separated, so that no word spans two of them.
 */
export function* readTexts(
  segment: Segment,
): Generator<{ readonly note: number; readonly text: string }> {
  const { notes, sections } = segment.header;
  const rows = view(segment.read("chunks", 0, sections.chunks.bytes));
  const whole = segment.readText("text");
  for (let note = 0; note < notes; note++) {
    if (segment.dead.has(note)) continue;
    const parts: string[] = [];
    let last: string | undefined;
    const first = segment.firstChunk(note);
    for (let chunk = first; chunk < first + segment.chunkCount(note); chunk++) {
      const { heading, text } = partsOf(rows, chunk * CHUNK_BYTES, whole);
      if (heading !== last) parts.push(last = heading);
      parts.push(text);
    }
    yield { note, text: parts.join("\n") };
  }
}

/** The heading and text that a chunk's row points to. */
function partsOf(rows: DataView, row: number, whole: Pick<SectionText, "slice">) {
  const at = rows.getUint32(row, true);
  const textAt = at + rows.getUint32(row + 4, true);
  const end = textAt + rows.getUint32(row + 8, true);
  return { heading: whole.slice(at, textAt), text: whole.slice(textAt, end) };
}

/** Tests a note's facts. Tags and projects are compared by hash: `passes` has the last word. */
export function factFilter(filter: NoteFilter): (facts: DataView, at: number) => boolean {
  const kinds = filter.kinds === undefined ? -1 : bits(filter.kinds, INDEXED_KINDS);
  const statuses = filter.statuses === undefined ? -1 : bits(filter.statuses, STATUSES);
  const project = filter.project === undefined ? undefined : projectHash(filter.project);
  // A note of no project is stored with an undefined or an empty name.
  const projects = filter.projects?.flatMap((one) =>
    one === "" ? [0, projectHash("")] : projectHash(one)
  );
  const tags = tagBits(filter.tags ?? []);
  const after = filter.after === undefined ? 0 : (parseTime(filter.after) ?? 0) / 1000;
  const before = filter.before === undefined
    ? Infinity
    : (parseTime(filter.before) ?? Infinity) / 1000;
  const flags = (filter.pinned === true ? FLAG.pinned : 0) |
    (filter.sourced === true ? FLAG.sourced : 0);
  const isOfAnyTime = after === 0 && before === Infinity;
  const isWithin = (updated: number): boolean => updated >= after && updated < before;
  // Kind, status and flags are one number, and of a store's notes most have the same.
  let [last, isLike] = [-1, false];
  return (facts, at) => {
    const like = facts.getUint32(at + FACT.kind, true);
    if (like !== last) {
      last = like;
      isLike = (facts.getUint8(at + FACT.flags) & flags) === flags &&
        (kinds & (1 << facts.getUint8(at + FACT.kind))) !== 0 &&
        (statuses & (1 << facts.getUint8(at + FACT.status))) !== 0;
    }
    return isLike && (isOfAnyTime || isWithin(facts.getUint32(at + FACT.updated, true))) &&
      (project === undefined || facts.getUint32(at + FACT.project, true) === project) &&
      (projects === undefined || projects.includes(facts.getUint32(at + FACT.project, true))) &&
      (tags === 0 || (facts.getUint32(at + FACT.tags, true) & tags) === tags);
  };
}

/** The part of a filter that facts cannot decide for certain. */
export function passes(note: StoredNote, filter: NoteFilter): boolean {
  if (filter.project !== undefined && note.project !== filter.project) return false;
  if (filter.projects?.includes(note.project ?? "") === false) return false;
  if (filter.tags === undefined) return true;
  const own = new Set(note.tags.map((tag) => tag.toLowerCase()));
  return filter.tags.every((tag) => own.has(tag.toLowerCase()));
}

function bits<T>(chosen: readonly T[], all: readonly T[]): number {
  return chosen.reduce((mask, one) => mask | (all.indexOf(one) < 0 ? 0 : 1 << all.indexOf(one)), 0);
}

type ReadPart = (
  section: "paths" | "meta",
  at: number,
  bytes: number,
) => readonly [part: Uint8Array, text: () => string];

function toNote(
  segment: Segment,
  note: number,
  rows: DataView,
  at: number,
  part: ReadPart,
): StoredNote | undefined {
  if (rows.byteLength < at + ROW_BYTES) return undefined;
  const field = (offset: number): number => rows.getUint32(at + offset, true);
  const [meta, metaText] = part("meta", field(ROW.metaAt), field(ROW.metaBytes));
  const [path, pathText] = part("paths", field(ROW.pathAt), field(ROW.pathBytes));
  if (hash32(meta, hash32(path)) !== field(ROW.metaCheck)) {
    segment.isDamaged = true;
    return undefined;
  }
  const facts = segment.facts();
  const factAt = note * FACT_BYTES;
  const flags = facts.getUint8(factAt + FACT.flags);
  const value = JSON.parse(metaText()) as MetaRow;
  return {
    id: value[0],
    title: value[1],
    created: value[2],
    updated: value[3],
    project: value[4] ?? undefined,
    tags: value[5],
    keywords: value[6],
    patterns: value[7],
    skills: value[8],
    subject: value[9] ?? undefined,
    supersedes: value[10],
    author: value[11] ?? undefined,
    contentHash: value[12],
    ...(value[13] ? { sources: value[13].map(toSource) } : {}),
    ...(value[14]?.length ? { contradicts: value[14] } : {}),
    ...(value[15] ? { verified: value[15] } : {}),
    ...(value[16] ? { session: value[16] } : {}),
    path: pathText(),
    kind: INDEXED_KINDS[facts.getUint8(factAt + FACT.kind)] ?? "note",
    status: STATUSES[facts.getUint8(factAt + FACT.status)] ?? "active",
    pinned: (flags & FLAG.pinned) !== 0,
    always: (flags & FLAG.always) !== 0,
    problem: (flags & FLAG.problem) !== 0,
    stamp: segment.seen.get(note) ?? stampOf(rows, at, flags),
    chunkCount: facts.getUint32(factAt + FACT.chunkCount, true),
  };
}

/** As `metaOf` of segment_writer.ts lays it. */
type MetaRow = [
  id: string,
  title: string,
  created: string,
  updated: string,
  project: string | null,
  tags: string[],
  keywords: string[],
  patterns: string[],
  skills: string[],
  subject: string | null,
  supersedes: string[],
  author: string | null,
  contentHash: string,
  sources?: (readonly [path: string, hash: string, commit: string])[] | null,
  contradicts?: string[],
  verified?: string,
  session?: string,
];

function toSource([path, hash, commit]: NonNullable<MetaRow[13]>[number]): FileSource {
  return { path, hash: hash || undefined, commit: commit || undefined };
}

function stampOf(rows: DataView, at: number, flags: number): FileStampLike {
  return {
    size: rows.getFloat64(at + ROW.size, true),
    mtimeMs: rows.getFloat64(at + ROW.mtime, true),
    ctimeMs: rows.getFloat64(at + ROW.ctime, true),
    inode: rows.getFloat64(at + ROW.inode, true),
    racy: (flags & FLAG.racy) !== 0,
  };
}

function view(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}
