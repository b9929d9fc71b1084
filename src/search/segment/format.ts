/**
 * The layout of a segment file: a header of fixed size with the offset of every section, then the
 * sections, which are used in memory as they are. Opening one reads the header and parses nothing.
 * Numbers are little-endian; sections begin on multiples of 64 bytes.
 *
 *   postings     the core's block (base/core.ts `POSTINGS`): slots, documents, frequencies, lengths
 *   vectors      i8 × dims × chunks        scales  f32 × chunks (0: no vector)
 *   chunks       {text at, heading bytes, text bytes} u32 × chunks
 *   text         heading, then text of every chunk, UTF-8
 *   facts        what filters ask, one row a note (`FACT`)
 *   rows         stamp and where path and meta lie, one row a note (`ROW`)
 *   paths, meta  UTF-8; meta is one JSON array a note
 *   triggers     {note, kind} u32 × triggers, then their texts, one a line (`triggerText`)
 *   relations    links, aliases and other keys: a check, then one JSON array of all notes
 */
import { sha256Hex } from "../../base/hash.ts";
import { POSTINGS } from "../../base/core.ts";

/** Raise it when the layout changes, or when notes are parsed otherwise (index_version_test.ts then fails). */
export const FORMAT_VERSION = 9;
export const MANIFEST_NAME = "manifest";
export const HEADER_BYTES = 256;
export const CHUNK_BYTES = 12;
export const FACT_BYTES = 24;
export const ROW_BYTES = 56;
export const TRIGGER_BYTES = 8;

export function isSegmentName(name: string): boolean {
  return /^[0-9a-f]{16}\.segment$/.test(name);
}

/** Whether a file in an index's folder is ours by its name; others belong to somebody else. */
export function isIndexFile(name: string): boolean {
  return name === MANIFEST_NAME || isSegmentName(name) ||
    (name.startsWith(".") && name.endsWith(".tmp"));
}

/** Byte offsets in a row of `facts`. */
export const FACT = {
  firstChunk: 0,
  chunkCount: 4,
  /** Seconds since the epoch; 0: unknown. */
  updated: 8,
  /** `hash32` of the project's name; 0: none. */
  project: 12,
  /** A hash bit for each tag: a missing bit rules a tag out, a set one may be another tag's. */
  tags: 16,
  kind: 20,
  status: 21,
  flags: 22,
} as const;

export const FLAG = { pinned: 1, always: 2, problem: 4, racy: 8, sourced: 16 } as const;

/** Byte offsets in a row of `rows`; times and sizes are f64, the rest u32. */
export const ROW = {
  size: 0,
  mtime: 8,
  ctime: 16,
  inode: 24,
  pathAt: 32,
  pathBytes: 36,
  metaAt: 40,
  metaBytes: 44,
  /** `hash32` of path and meta: damage is seen before it is parsed. */
  metaCheck: 48,
} as const;

export const TRIGGER_KINDS = ["keyword", "pattern", "supersedes", "contradicts"] as const;
export type TriggerKind = typeof TRIGGER_KINDS[number];

export const SECTIONS = [
  "postings",
  "vectors",
  "scales",
  "chunks",
  "text",
  "facts",
  "rows",
  "paths",
  "meta",
  "triggers",
  "triggerText",
  "relations",
] as const;
export type SectionName = typeof SECTIONS[number];

export interface Section {
  readonly at: number;
  readonly bytes: number;
}

export interface SegmentHeader {
  readonly embedder: string;
  /** Bytes of a row of `vectors` (`rowBytes`). */
  readonly dims: number;
  readonly chunks: number;
  readonly notes: number;
  readonly triggers: number;
  readonly fileBytes: number;
  /** 32 hex digits of the SHA-256 of all sections that a merge carries over: all but the postings. */
  readonly payload: string;
  readonly sections: Readonly<Record<SectionName, Section>>;
}

const MAGIC = 0x58474753; // "SGGX"
const SECTIONS_AT = 64;
const CHECK_AT = HEADER_BYTES - 16;

export function align(bytes: number): number {
  return (bytes + 63) & ~63;
}

/** First 16 hex digits of the SHA-256 of an embedder's id. */
export function embedderHash(id: string): string {
  return sha256Hex(id).slice(0, 16);
}

export function writeHeader(header: SegmentHeader): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT_VERSION, true);
  bytes.set(Uint8Array.fromHex(header.embedder), 8);
  view.setUint32(16, header.dims, true);
  view.setUint32(20, header.chunks, true);
  view.setUint32(24, header.notes, true);
  view.setUint32(28, header.triggers, true);
  view.setFloat64(32, header.fileBytes, true);
  bytes.set(Uint8Array.fromHex(header.payload), 40);
  let at = SECTIONS_AT;
  for (const name of SECTIONS) {
    view.setFloat64(at, header.sections[name].at, true);
    view.setUint32(at + 8, header.sections[name].bytes, true);
    at += 12;
  }
  bytes.set(Uint8Array.fromHex(checkOf(bytes)), CHECK_AT);
  return bytes;
}

/** The header; undefined if anything in it is not as this program writes it. */
export function readHeader(bytes: Uint8Array, fileBytes: number): SegmentHeader | undefined {
  if (bytes.length !== HEADER_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(4, true) !== FORMAT_VERSION) {
    return undefined;
  }
  if (bytes.subarray(CHECK_AT).toHex() !== checkOf(bytes)) return undefined;
  const sections = {} as Record<SectionName, Section>;
  let at = SECTIONS_AT;
  for (const name of SECTIONS) {
    sections[name] = { at: view.getFloat64(at, true), bytes: view.getUint32(at + 8, true) };
    at += 12;
  }
  const header: SegmentHeader = {
    embedder: bytes.subarray(8, 16).toHex(),
    dims: view.getUint32(16, true),
    chunks: view.getUint32(20, true),
    notes: view.getUint32(24, true),
    triggers: view.getUint32(28, true),
    fileBytes: view.getFloat64(32, true),
    payload: bytes.subarray(40, 56).toHex(),
    sections,
  };
  return header.fileBytes === fileBytes && isConsistent(header) ? header : undefined;
}

/** Whether every section lies inside the file and has the length of its rows. */
function isConsistent(header: SegmentHeader): boolean {
  const { sections, chunks, notes, dims, triggers } = header;
  for (const name of SECTIONS) {
    const { at, bytes } = sections[name];
    if (!Number.isInteger(at) || at < HEADER_BYTES || at + bytes > header.fileBytes) return false;
  }
  return sections.postings.bytes >= POSTINGS.headerBytes &&
    sections.vectors.bytes === dims * chunks &&
    sections.scales.bytes === 4 * chunks &&
    sections.chunks.bytes === CHUNK_BYTES * chunks &&
    sections.facts.bytes === FACT_BYTES * notes &&
    sections.rows.bytes === ROW_BYTES * notes &&
    sections.triggers.bytes === TRIGGER_BYTES * triggers;
}

/** The part of the postings' own header that a query needs, checked against the section's length. */
export interface PostingsPlan {
  readonly slots: number;
  readonly postings: number;
  readonly totalLength: number;
  /** File offsets. */
  readonly slotsAt: number;
  readonly documentsAt: number;
  readonly frequenciesAt: number;
  readonly lengthsAt: number;
}

export function readPostingsPlan(
  bytes: Uint8Array,
  section: Section,
  chunks: number,
): PostingsPlan | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const field = (at: number): number => view.getUint32(at, true);
  const slots = field(POSTINGS.slots);
  const postings = field(POSTINGS.postings);
  const fits = (at: number, length: number): boolean =>
    at >= POSTINGS.headerBytes && at + length <= section.bytes;
  const ok = field(POSTINGS.documents) === chunks && slots > 0 && (slots & (slots - 1)) === 0 &&
    fits(field(POSTINGS.slotsAt), slots * POSTINGS.slotBytes) &&
    fits(field(POSTINGS.documentsAt), postings * 4) &&
    fits(field(POSTINGS.frequenciesAt), postings) &&
    fits(field(POSTINGS.lengthsAt), chunks * 2);
  if (!ok) return undefined;
  return {
    slots,
    postings,
    totalLength: field(POSTINGS.totalLength),
    slotsAt: section.at + field(POSTINGS.slotsAt),
    documentsAt: section.at + field(POSTINGS.documentsAt),
    frequenciesAt: section.at + field(POSTINGS.frequenciesAt),
    lengthsAt: section.at + field(POSTINGS.lengthsAt),
  };
}

function checkOf(header: Uint8Array): string {
  return sha256Hex(header.subarray(0, CHECK_AT)).slice(0, 32);
}
