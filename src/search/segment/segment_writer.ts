/**
 * Turns notes with their vectors into the bytes of a segment file. The same notes give the same bytes,
 * whether they arrive one by one or all at once, so an index that grew equals one that was rebuilt.
 */
import { bytesAt, type Core, postingsBytesMax, wordsAt } from "../../base/core.ts";
import { parseTime } from "../../base/clock.ts";
import { encode } from "../../base/utf8.ts";
import { hash32, sha256Parts } from "../../base/hash.ts";
import { INDEXED_KINDS, type NoteStatus } from "../../note/note.ts";
import { scratch } from "./arena.ts";
import { ByteWriter } from "./bytes.ts";
import type { ChunkLike, NoteDocument } from "../document.ts";
import {
  align,
  CHUNK_BYTES,
  FACT,
  FACT_BYTES,
  FLAG,
  HEADER_BYTES,
  ROW,
  ROW_BYTES,
  type Section,
  type SectionName,
  SECTIONS,
  TRIGGER_KINDS,
  type TriggerKind,
  writeHeader,
} from "./format.ts";
import { phraseOf, termText } from "../query/lexical.ts";
import { relationsSection } from "./relations.ts";

export const STATUSES: readonly NoteStatus[] = [
  "active",
  "archived",
  "draft",
  "pending",
  "in_progress",
  "blocked",
  "done",
];

/** Notes in their final order, with the vectors of all their chunks back to back. */
export interface SegmentInput {
  /** `embedderHash` of whose vectors these are. */
  readonly embedder: string;
  /** `rowBytes` of its dimensions. */
  readonly dims: number;
  readonly notes: readonly NoteDocument[];
  readonly vectors: Uint8Array;
  readonly scales: Float32Array;
}

/** A note without text still has one chunk, so that its title finds it. */
export function chunksOf(note: NoteDocument): readonly ChunkLike[] {
  return note.chunks.length > 0 ? note.chunks : [{ heading: note.title, text: "" }];
}

/** Hands the file's parts, in order, to `write`; they are views, valid only during that call. */
export function writeSegment(
  input: SegmentInput,
  write: (parts: readonly Uint8Array[], bytes: number) => void,
): void {
  const tables = layTables(input);
  scratch((core) => {
    const postings = invert(core, input);
    const contents: Record<SectionName, Uint8Array> = {
      postings,
      vectors: input.vectors,
      scales: asBytes(input.scales),
      ...tables.sections,
    };
    const sections = {} as Record<SectionName, Section>;
    const parts: Uint8Array[] = [];
    const carried: Uint8Array[] = [];
    let at = HEADER_BYTES;
    for (const name of SECTIONS) {
      const bytes = contents[name];
      sections[name] = { at, bytes: bytes.length };
      parts.push(bytes, new Uint8Array(align(bytes.length) - bytes.length));
      if (name !== "postings") carried.push(bytes);
      at += align(bytes.length);
    }
    const header = writeHeader({
      embedder: input.embedder,
      dims: input.dims,
      chunks: tables.chunks,
      notes: input.notes.length,
      triggers: tables.triggers,
      fileBytes: at,
      payload: sha256Parts(carried).slice(0, 32),
      sections,
    });
    write([header, ...parts], at);
  });
}

/** Hashes every chunk's terms into the core's memory and inverts them to posting lists. */
function invert(core: Core, input: SegmentInput): Uint8Array {
  let longest = 64;
  let chunkCount = 0;
  for (const note of input.notes) {
    for (const chunk of chunksOf(note)) {
      longest = Math.max(longest, lexicalLength(note, chunk));
      chunkCount++;
    }
  }
  const textBytesMax = FOLDED_BYTES_MAX * longest;
  const text = core.alloc(textBytesMax);
  const ends = new Uint32Array(chunkCount);
  const hashes = core.alloc(0);
  let reserved = 0;
  let count = 0;
  let ordinal = 0;
  for (const note of input.notes) {
    chunksOf(note).forEach((chunk, index) => {
      let length = 0;
      // Part by part, because joining them would copy all text once more.
      for (const part of lexicalParts(note, chunk, index === 0)) {
        length += put(core, text + length, textBytesMax - length, part);
      }
      const missing = (count + length) * 8 - reserved;
      // The core hands out memory in one direction, so a further block continues the last one.
      if (missing > 0) reserved += grow(core, Math.max(missing, 1 << 20));
      count += core.termHashes(text, length, hashes + count * 8, length);
      ends[ordinal++] = count;
    });
  }
  const endsAt = core.alloc(ends.byteLength);
  wordsAt(core, endsAt, ends.length).set(ends);
  const outMax = postingsBytesMax(count, chunkCount);
  const out = core.alloc(outMax);
  const bytes = core.buildPostings(hashes, endsAt, chunkCount, out, outMax);
  return bytesAt(core, out, bytes);
}

function grow(core: Core, bytes: number): number {
  const rounded = (bytes + 63) & ~63;
  core.alloc(rounded);
  return rounded;
}

const encoder = new TextEncoder();

function put(core: Core, at: number, bytesMax: number, text: string): number {
  return encoder.encodeInto(text, bytesAt(core, at, bytesMax)).written;
}

/** The text that a chunk's terms come from: heading and text, and for a note's first chunk its labels. */
function lexicalParts(note: NoteDocument, chunk: ChunkLike, isFirst: boolean): readonly string[] {
  const parts = [termText(chunk.heading), "\n", termText(chunk.text)];
  const labels = isFirst ? labelsOf(note) : [];
  return labels.length === 0 ? parts : [...parts, termText(`\n${labels.join("\n")}`)];
}

/** Keywords, tags and aliases, such as an old title; without the title, which a file name may repeat. */
function labelsOf({ title, keywords, tags, relations }: NoteDocument): readonly string[] {
  const aliases = relations?.aliases.filter((alias) => alias !== title) ?? [];
  return [...keywords, ...tags, ...aliases];
}

/** The most UTF-8 bytes that folding makes of a UTF-16 unit: a squared word (㌖) becomes pairs of letters. */
const FOLDED_BYTES_MAX = 42;

/** An upper bound of the UTF-16 units of `lexicalParts` before folding. */
function lexicalLength(note: NoteDocument, chunk: ChunkLike): number {
  let labels = 2;
  for (const label of labelsOf(note)) labels += label.length + 1;
  return chunk.heading.length + chunk.text.length + labels + 1;
}

interface Tables {
  readonly chunks: number;
  readonly triggers: number;
  readonly sections: Omit<Record<SectionName, Uint8Array>, "postings" | "vectors" | "scales">;
}

function layTables(input: SegmentInput): Tables {
  const text = new ByteWriter(1 << 16);
  const paths = new ByteWriter();
  const meta = new ByteWriter(1 << 14);
  const triggerText = new ByteWriter();
  const chunkCount = input.notes.reduce((sum, note) => sum + chunksOf(note).length, 0);
  const chunks = new Uint32Array(chunkCount * (CHUNK_BYTES / 4));
  const facts = new Uint8Array(input.notes.length * FACT_BYTES);
  const rows = new Uint8Array(input.notes.length * ROW_BYTES);
  const triggers: number[] = [];
  let ordinal = 0;
  input.notes.forEach((note, index) => {
    const firstChunk = ordinal;
    for (const chunk of chunksOf(note)) {
      const at = text.length;
      const headingBytes = text.text(chunk.heading);
      const textBytes = text.text(chunk.text);
      chunks.set([at, headingBytes, textBytes], 3 * ordinal);
      ordinal++;
    }
    layFact(new DataView(facts.buffer, index * FACT_BYTES), note, firstChunk, ordinal - firstChunk);
    layRow(new DataView(rows.buffer, index * ROW_BYTES), note, paths, meta);
    for (const [kind, line] of triggersOf(note)) {
      triggers.push(index, TRIGGER_KINDS.indexOf(kind));
      triggerText.text(`${line}\n`);
    }
  });
  return {
    chunks: chunkCount,
    triggers: triggers.length / 2,
    sections: {
      chunks: asBytes(chunks),
      text: text.view(),
      facts,
      rows,
      paths: paths.view(),
      meta: meta.view(),
      triggers: asBytes(Uint32Array.from(triggers)),
      triggerText: triggerText.view(),
      relations: relationsSection(input.notes),
    },
  };
}

function layFact(row: DataView, note: NoteDocument, firstChunk: number, chunkCount: number): void {
  row.setUint32(FACT.firstChunk, firstChunk, true);
  row.setUint32(FACT.chunkCount, chunkCount, true);
  row.setUint32(FACT.updated, secondsOf(note), true);
  row.setUint32(FACT.project, projectHash(note.project), true);
  row.setUint32(FACT.tags, tagBits(note.tags), true);
  row.setUint8(FACT.kind, INDEXED_KINDS.indexOf(note.kind));
  row.setUint8(FACT.status, STATUSES.indexOf(note.status));
  const flags = (note.pinned ? FLAG.pinned : 0) | (note.always ? FLAG.always : 0) |
    (note.problem ? FLAG.problem : 0) | (note.stamp.racy ? FLAG.racy : 0) |
    (note.sources === undefined ? 0 : FLAG.sourced);
  row.setUint8(FACT.flags, flags);
}

function layRow(row: DataView, note: NoteDocument, paths: ByteWriter, meta: ByteWriter): void {
  row.setFloat64(ROW.size, note.stamp.size, true);
  row.setFloat64(ROW.mtime, note.stamp.mtimeMs, true);
  row.setFloat64(ROW.ctime, note.stamp.ctimeMs, true);
  row.setFloat64(ROW.inode, note.stamp.inode, true);
  const pathAt = paths.length;
  row.setUint32(ROW.pathAt, pathAt, true);
  row.setUint32(ROW.pathBytes, paths.text(note.path), true);
  const metaAt = meta.length;
  row.setUint32(ROW.metaAt, metaAt, true);
  row.setUint32(ROW.metaBytes, meta.text(metaOf(note)), true);
  row.setUint32(ROW.metaCheck, hash32(meta.view(metaAt), hash32(paths.view(pathAt))), true);
}

/** Read back by `toNote` of segment_notes.ts. */
function metaOf(note: NoteDocument): string {
  return JSON.stringify([
    note.id,
    note.title,
    note.created,
    note.updated,
    note.project ?? null,
    note.tags,
    note.keywords,
    note.patterns,
    note.skills,
    note.subject ?? null,
    note.supersedes,
    note.author ?? null,
    note.contentHash,
    ...((note.sources ?? note.contradicts ?? note.verified ?? note.session) === undefined ? [] : [
      note.sources?.map(({ path, hash, commit }) => [path, hash ?? "", commit ?? ""]) ?? null,
      note.contradicts ?? [],
      note.verified ?? "",
      note.session ?? "",
    ]),
  ]);
}

function triggersOf(note: NoteDocument): [TriggerKind, string][] {
  const triggers: [TriggerKind, string][] = [];
  for (const keyword of note.keywords) {
    const phrase = phraseOf(keyword);
    if (phrase !== "") triggers.push(["keyword", phrase]);
  }
  for (const pattern of note.patterns) {
    if (!pattern.includes("\n")) triggers.push(["pattern", pattern]);
  }
  for (const id of note.supersedes) triggers.push(["supersedes", id.replaceAll("\n", " ")]);
  for (const id of note.contradicts ?? []) {
    triggers.push(["contradicts", id.replaceAll("\n", " ")]);
  }
  return triggers;
}

function secondsOf(note: NoteDocument): number {
  const ms = parseTime(note.updated) ?? parseTime(note.created) ?? 0;
  return Math.min(0xffffffff, Math.max(0, Math.floor(ms / 1000)));
}

export function projectHash(project: string | undefined): number {
  return project === undefined ? 0 : hash32(encode(project)) || 1;
}

export function tagBits(tags: readonly string[]): number {
  return tags.reduce((bits, tag) => bits | 1 << (hash32(encode(tag.toLowerCase())) & 31), 0);
}

function asBytes(array: Uint32Array | Float32Array): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
