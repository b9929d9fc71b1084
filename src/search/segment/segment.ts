/**
 * One opened segment file. Reads by offset and only what is asked for; every number that comes from
 * the file is checked before it is used as a place, so that damage can give wrong answers but never
 * a read outside the file or a write outside the core's arrays.
 */
import {
  bytesAt,
  type Core,
  floatsAt,
  loadCore,
  POSTINGS,
  slotOf,
  wordsAt,
} from "../../base/core.ts";
import { type FileHandle, type Fs, readFull } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { sha256Parts } from "../../base/hash.ts";
import type { PassageParts } from "../../embed/embedder.ts";
import { type Block, giveBack, reserve, scratch } from "./arena.ts";
import {
  FACT,
  FACT_BYTES,
  HEADER_BYTES,
  type PostingsPlan,
  readHeader,
  readPostingsPlan,
  type SectionName,
  SECTIONS,
  type SegmentHeader,
} from "./format.ts";
import type { FileStampLike, StoredNote } from "../document.ts";
import type { ManifestSegment } from "./manifest.ts";

/** A term's documents in the core's memory. */
export interface PostingList {
  readonly documentsAt: number;
  readonly frequenciesAt: number;
  readonly count: number;
}

/** The part of a passage's evidence that is the same for every query. */
export interface ReadPassage {
  /** As `readWords` (query_words.ts) returns them. */
  readonly words: Uint32Array;
  /** Undefined if the model has no vector for it. */
  readonly parts: PassageParts | undefined;
}

/** A form of a word that a segment has, and where its list lies there. */
export interface PlacedForm {
  readonly term: string;
  /** Its number among all forms of the word. */
  readonly number: number;
  readonly start: number;
  readonly df: number;
}

/** A section that is text, read and decoded at once. */
export interface SectionText {
  readonly bytes: Uint8Array;
  /** The text of `bytes[from, to)`. */
  slice(from: number, to: number): string;
}

/** Notes with more chunks than this have the size of one with as many as this. */
const SIZES_MAX = 256;
/** Of a larger table of terms only the slots that are asked for are read. */
const TERMS_BYTES_MAX = 4 << 20;
const READ_BYTES = 1 << 20;
/** From this many reads of one section on, the process counts as long-lived and keeps the section. */
const KEPT_FROM_READS = 100;
/** Posting lists read one by one before all are loaded, which happens between two questions only. */
const KEPT_FROM_LISTS = 200;
/** Posting lists whose addresses are remembered. */
const KNOWN_LISTS_MAX = 8192;
/** The first two questions of a process stream the vectors instead of keeping them. */
const KEPT_FROM_SCANS = 3;
const SCANNED_BYTES = 256 * 1024;
const KEPT_BYTES_MAX = 16 << 20;

export class Segment {
  readonly header: SegmentHeader;
  readonly postings: PostingsPlan;
  /** Set when a part of the file turned out to be damaged; the index is then to be rebuilt. */
  isDamaged = false;
  readonly #file: FileHandle;
  #entry: ManifestSegment;
  #dead: ReadonlySet<number>;
  #seen: ReadonlyMap<number, FileStampLike>;
  #facts: DataView | undefined;
  /** The first chunk of each note, and after the last the number of all: needed for every hit. */
  #firstChunks: Uint32Array | undefined;
  /** The note of each chunk. */
  #notes: Uint32Array | undefined;
  /** The notes that the last filter (as JSON) hides, and the dead ones (board.ts). */
  hidden: { readonly filter: string; readonly notes: readonly number[] } | undefined;
  /** Notes that were read one by one (segment_notes.ts). */
  readonly notes = new Map<number, StoredNote>();
  /** How often it was listed, and the notes that are kept of that. */
  listings = 0;
  readonly listed = new Map<number, StoredNote>();
  /** Passages by chunk, for reranking (passage_evidence.ts). */
  readonly passages = new Map<number, ReadPassage>();
  /** The forms of each word that the segment has (postings.ts). */
  readonly forms = new Map<string, readonly PlacedForm[]>();
  readonly #reads = new Map<SectionName, number>();
  readonly #kept = new Map<SectionName, Uint8Array>();
  readonly #texts = new Map<SectionName, SectionText>();
  /** The core's memory that it holds until it closes, and the address of each part in it. */
  readonly #blocks: Block[] = [];
  #slots: number | undefined;
  /** Documents and frequencies of all terms. */
  #lists: number | undefined;
  #listsRead = 0;
  /** Posting lists among those, checked, by their start. */
  readonly #knownLists = new Map<number, PostingList>();
  #lengths: number | undefined;
  #sizes: number | undefined;
  #scales: number | undefined;
  #vectors: number | undefined;
  #scans = 0;

  private constructor(
    entry: ManifestSegment,
    file: FileHandle,
    header: SegmentHeader,
    postings: PostingsPlan,
  ) {
    this.header = header;
    this.postings = postings;
    this.#entry = entry;
    this.#dead = new Set(entry.dead);
    this.#seen = new Map(entry.seen);
    this.#file = file;
  }

  get entry(): ManifestSegment {
    return this.#entry;
  }

  /** Notes that were replaced or removed since the segment was written. */
  get dead(): ReadonlySet<number> {
    return this.#dead;
  }

  /** Newer stamps, in place of those in `rows`, of notes whose files changed without their content. */
  get seen(): ReadonlyMap<number, FileStampLike> {
    return this.#seen;
  }

  /** Takes dead notes and stamps from a later revision's entry. The file stays the same, and what was read. */
  adopt(entry: ManifestSegment): void {
    this.#entry = entry;
    this.#dead = new Set(entry.dead.filter((note) => note < this.header.notes));
    for (const note of this.#dead) this.listed.delete(note);
    for (const [note] of [...this.#seen, ...entry.seen ?? []]) this.listed.delete(note);
    this.#seen = new Map(entry.seen);
    this.hidden = undefined;
    this.notes.clear();
  }

  /** Undefined if the file is missing, foreign, truncated, of another version or unreadable. */
  static open(fs: Fs, dir: string, entry: ManifestSegment, embedder: string): Segment | undefined {
    const path = join(dir, entry.name);
    let file: FileHandle | undefined;
    try {
      const info = fs.lstat(path);
      if (info?.kind !== "file" || info.size !== entry.bytes) return undefined;
      file = fs.open(path, { read: true });
      const header = readHeader(readAt(file, 0, HEADER_BYTES), info.size);
      if (header?.embedder === embedder && entry.dead.every((note) => note < header.notes)) {
        const { postings } = header.sections;
        const bytes = readAt(file, postings.at, POSTINGS.headerBytes);
        const plan = readPostingsPlan(bytes, postings, header.chunks);
        if (plan !== undefined) return new Segment(entry, file, header, plan);
      }
    } catch {
      // The index is derived data: unreadable is as good as missing.
    }
    file?.close();
    return undefined;
  }

  close(): void {
    for (const block of this.#blocks.splice(0)) giveBack(block);
    this.#file.close();
  }

  /** Bytes of a section, from an offset in it. Empty if they go beyond it: then the segment is damaged. */
  read(section: SectionName, at: number, bytes: number): Uint8Array {
    const { at: start, bytes: length } = this.header.sections[section];
    if (at + bytes > length) {
      this.isDamaged = true;
      return new Uint8Array(0);
    }
    const kept = this.#keep(section, start, length);
    return kept?.subarray(at, at + bytes) ?? readAt(this.#file, start + at, bytes);
  }

  /** The whole section, once it was read so often that the process must be a long-lived one. */
  #keep(section: SectionName, at: number, bytes: number): Uint8Array | undefined {
    if (bytes > KEPT_BYTES_MAX) return undefined;
    const kept = this.#kept.get(section);
    if (kept !== undefined) return kept;
    const reads = (this.#reads.get(section) ?? 0) + 1;
    this.#reads.set(section, reads);
    if (reads < KEPT_FROM_READS) return undefined;
    const whole = readAt(this.#file, at, bytes);
    this.#kept.set(section, whole);
    return whole;
  }

  /** `readText`, kept from the first call on: a session's start lists all notes eight times. */
  keepText(section: "paths" | "meta"): SectionText {
    let text = this.#texts.get(section);
    if (text === undefined) this.#texts.set(section, text = this.readText(section));
    return text;
  }

  readText(section: "paths" | "meta" | "text"): SectionText {
    const bytes = this.read(section, 0, this.header.sections[section].bytes);
    const text = decode(bytes);
    // In ASCII, offsets in bytes are offsets in the text.
    const isAscii = text.length === bytes.length;
    const slice = (from: number, to: number): string =>
      isAscii ? text.slice(from, to) : decode(bytes.subarray(from, to));
    return { bytes, slice };
  }

  /** The rows of `facts`, checked: chunk ranges are back to back and cover all chunks. */
  facts(): DataView {
    if (this.#facts !== undefined) return this.#facts;
    const bytes = this.read("facts", 0, this.header.notes * FACT_BYTES);
    let view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const words = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const { notes, chunks } = this.header;
    const firstChunks = new Uint32Array(notes + 1);
    let next = 0;
    for (let note = 0, at = 0; note < notes; note++, at += FACT_BYTES / 4) {
      if (words[at + FACT.firstChunk / 4] !== next) break;
      firstChunks[note] = next;
      next += words[at + FACT.chunkCount / 4] ?? 0;
    }
    firstChunks[notes] = next;
    if (next !== chunks) {
      this.isDamaged = true;
      view = new DataView(new ArrayBuffer(notes * FACT_BYTES));
      firstChunks.fill(0);
    }
    this.#facts = view;
    this.#firstChunks = firstChunks;
    return view;
  }

  firstChunk(note: number): number {
    return this.#chunksFrom()[note] ?? 0;
  }

  chunkCount(note: number): number {
    const from = this.#chunksFrom();
    return (from[note + 1] ?? 0) - (from[note] ?? 0);
  }

  #chunksFrom(): Uint32Array {
    if (this.#firstChunks === undefined) this.facts();
    return this.#firstChunks ?? new Uint32Array();
  }

  /** The note that a chunk belongs to. */
  noteOf(chunk: number): number {
    return this.#owners()[chunk] ?? 0;
  }

  /** The address of each chunk's log of its note's size in chunks (f32 each). Call it outside `scratch`. */
  sizesAt(): number {
    this.#owners();
    return this.#sizes ?? 0;
  }

  #owners(): Uint32Array {
    if (this.#notes !== undefined) return this.#notes;
    const starts = this.#chunksFrom();
    const { notes, chunks } = this.header;
    const sizesAt = this.#sizes = this.#reserve(chunks * 4);
    return this.#notes = scratch((core) => {
      const startsAt = core.alloc(starts.length * 4);
      const logsAt = core.alloc(SIZES_MAX * 4);
      const notesAt = core.alloc(chunks * 4);
      wordsAt(core, startsAt, starts.length).set(starts);
      floatsAt(core, logsAt, SIZES_MAX).forEach((_, size, logs) =>
        logs[size] = Math.log(Math.max(1, size))
      );
      // A damaged file may lack some.
      wordsAt(core, notesAt, chunks).fill(0);
      wordsAt(core, sizesAt, chunks).fill(0);
      core.spreadNotes(startsAt, notes, logsAt, SIZES_MAX, notesAt, sizesAt);
      return wordsAt(core, notesAt, chunks).slice();
    });
  }

  /** The address of all chunks' lengths in terms (u16 each). Call it outside `scratch`. */
  lengthsAt(): number {
    return this.#lengths ??= this.#load(this.postings.lengthsAt, this.header.chunks * 2);
  }

  /** Loads the vectors' scales, and the vectors once they were scanned often. Call it outside `scratch`. */
  loadVectors(): void {
    const { vectors, scales } = this.header.sections;
    this.#scales ??= this.#load(scales.at, scales.bytes);
    if (this.#scans >= KEPT_FROM_SCANS) this.#vectors ??= this.#load(vectors.at, vectors.bytes);
  }

  /** Writes the cosine (f32) of each chunk with a quantized vector to `out`. Call `loadVectors` before. */
  scan(core: Core, vector: number, scale: number, out: number): void {
    this.#scans++;
    const { chunks, dims } = this.header;
    const isKept = this.#vectors !== undefined;
    const atOnce = isKept ? chunks : Math.max(1, Math.floor(SCANNED_BYTES / dims));
    const mark = core.mark();
    const room = isKept ? 0 : core.alloc(atOnce * dims);
    for (let from = 0; from < chunks; from += atOnce) {
      const count = Math.min(atOnce, chunks - from);
      const rows = this.rowsAt(core, from, count, room);
      core.scanInt8(vector, scale, rows, this.scaleAt(from), count, dims, out + from * 4);
    }
    core.release(mark);
  }

  /** The address of these chunks' vectors: among the loaded ones, or `room`, which they are read into. */
  rowsAt(core: Core, from: number, count: number, room: number): number {
    const { dims, sections: { vectors } } = this.header;
    if (this.#vectors !== undefined) return this.#vectors + from * dims;
    fill(this.#file, vectors.at + from * dims, bytesAt(core, room, count * dims));
    return room;
  }

  /** The address of the scale (f32) of a chunk's vector. */
  scaleAt(chunk: number): number {
    return (this.#scales ?? 0) + chunk * 4;
  }

  /** Loads the table of terms, if it is not too large. Call it outside `scratch`. */
  loadTerms(): void {
    const bytes = this.postings.slots * POSTINGS.slotBytes;
    if (bytes <= TERMS_BYTES_MAX) this.#slots ??= this.#load(this.postings.slotsAt, bytes);
  }

  /** Loads all posting lists, once many were read one by one. Call it outside `scratch`. */
  loadLists(): void {
    const { documentsAt, frequenciesAt, postings } = this.postings;
    const bytes = frequenciesAt + postings - documentsAt;
    // A damaged plan may have them in any order.
    const isPlain = frequenciesAt >= documentsAt + postings * 4 && bytes <= KEPT_BYTES_MAX;
    if (isPlain && this.#listsRead >= KEPT_FROM_LISTS) {
      this.#lists ??= this.#load(documentsAt, bytes);
    }
  }

  /** Start and length of the posting lists of `count` terms, by their hashes; length 0 for missing terms. */
  find(core: Core, hashesAt: number, count: number): Uint32Array {
    const placesAt = core.alloc(count * 8);
    const slots = this.#slots;
    if (slots === undefined) {
      this.#probe(wordsAt(core, hashesAt, count * 2), wordsAt(core, placesAt, count * 2).fill(0));
    } else core.findTerms(slots, this.postings.slots, hashesAt, count, placesAt);
    return wordsAt(core, placesAt, count * 2).slice();
  }

  /** The same from the file, for a table that is too large to be read for a few words. */
  #probe(hashes: Uint32Array, places: Uint32Array): void {
    const { slots, slotsAt } = this.postings;
    for (let i = 0; i < hashes.length; i += 2) {
      const [low, high] = [hashes[i] ?? 0, hashes[i + 1] ?? 0];
      let slot = slotOf(low, high, slots);
      for (let seen = 0; seen < slots; seen++) {
        const at = slotsAt + slot * POSTINGS.slotBytes;
        const found = new Uint32Array(readAt(this.#file, at, POSTINGS.slotBytes).buffer);
        const [ownLow, ownHigh, start = 0, df = 0] = found;
        if (df === 0) break;
        if (ownLow === low && ownHigh === high) {
          places.set([start, df], i);
          break;
        }
        slot = (slot + 1) & (slots - 1);
      }
    }
  }

  /** A term's list, read into scratch memory or among the loaded ones. Empty if damaged. */
  list(core: Core, { start, df }: { readonly start: number; readonly df: number }): PostingList {
    const known = this.#knownLists.get(start);
    if (known?.count === df) return known;
    const count = start + df <= this.postings.postings ? df : 0;
    const at = this.#lists === undefined
      ? this.#readList(core, start, count)
      : this.#listAt(this.#lists, start);
    const isWhole = count === df &&
      core.isAscending(at.documentsAt, count, this.header.chunks) === 1;
    if (!isWhole) this.isDamaged = true;
    const list = { ...at, count: isWhole ? count : 0 };
    if (isWhole && this.#lists !== undefined) this.#remember(start, list);
    return list;
  }

  #remember(start: number, list: PostingList): void {
    if (this.#knownLists.size >= KNOWN_LISTS_MAX) this.#knownLists.clear();
    this.#knownLists.set(start, list);
  }

  #listAt(lists: number, start: number): Omit<PostingList, "count"> {
    const { documentsAt, frequenciesAt } = this.postings;
    return {
      documentsAt: lists + start * 4,
      frequenciesAt: lists + frequenciesAt - documentsAt + start,
    };
  }

  #readList(core: Core, start: number, count: number): Omit<PostingList, "count"> {
    this.#listsRead++;
    const { documentsAt: documents, frequenciesAt: frequencies } = this.postings;
    const [documentsAt, frequenciesAt] = [core.alloc(count * 4), core.alloc(count)];
    fill(this.#file, documents + start * 4, bytesAt(core, documentsAt, count * 4));
    fill(this.#file, frequencies + start, bytesAt(core, frequenciesAt, count));
    return { documentsAt, frequenciesAt };
  }

  /** Whether the sections that a merge carries over match their checksum. Reads all of them. */
  verify(): boolean {
    return sha256Parts(this.#carried()).slice(0, 32) === this.header.payload;
  }

  *#carried(): Generator<Uint8Array> {
    for (const name of SECTIONS) {
      if (name === "postings") continue;
      const { at, bytes } = this.header.sections[name];
      for (let from = 0; from < bytes; from += READ_BYTES) {
        yield readAt(this.#file, at + from, Math.min(READ_BYTES, bytes - from));
      }
    }
  }

  #load(at: number, bytes: number): number {
    const to = this.#reserve(bytes);
    fill(this.#file, at, bytesAt(loadCore(), to, bytes));
    return to;
  }

  #reserve(bytes: number): number {
    const block = reserve(bytes);
    this.#blocks.push(block);
    return block.at;
  }
}

function readAt(file: FileHandle, at: number, bytes: number): Uint8Array {
  const into = new Uint8Array(bytes);
  fill(file, at, into);
  return into;
}

/** Fills `into`; what lies behind the end of a file that was cut meanwhile stays zero. */
function fill(file: FileHandle, at: number, into: Uint8Array): void {
  file.seek(at);
  into.fill(0, readFull(file, into).length);
}
