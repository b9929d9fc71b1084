/**
 * One opened segment file. Reads by offset and only what is asked for; every number that comes from
 * the file is checked before it is used as a place, so that damage can give wrong answers but never
 * a read outside the file or a write outside the core's arrays.
 */
import { bytesAt, type Core, loadCore, POSTINGS, slotOf, wordsAt } from "../base/core.ts";
import { type FileHandle, type Fs, join } from "../base/fs.ts";
import { sha256Parts } from "../base/hash.ts";
import type { PassageParts } from "../embed/embedder.ts";
import { type Block, giveBack, reserve } from "./arena.ts";
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
import type { StoredNote } from "./document.ts";
import type { ManifestSegment } from "./manifest.ts";

/** A term's documents in the core's memory. */
export interface PostingList {
  readonly documentsAt: number;
  readonly frequenciesAt: number;
  readonly count: number;
}

/** What of a passage is the same for every query. */
export interface ReadPassage {
  /** Of `readWords` (query_words.ts). */
  readonly words: Uint32Array;
  /** Undefined where the model sees nothing in it. */
  readonly parts: PassageParts | undefined;
}

/** Slots read at once; a probe seldom needs more. */
const PROBE_SLOTS = 8;
const READ_BYTES = 1 << 20;
/** So many small reads of one part say that the process lives long, or guesses at misspelt words. */
const KEPT_FROM_READS = 100;
/** A long prompt reads the lists of hundreds of words and their forms. */
const KEPT_FROM_LIST_READS = 2000;
const KEPT_BYTES_MAX = 16 << 20;

export class Segment {
  readonly header: SegmentHeader;
  readonly postings: PostingsPlan;
  /** Set when a part of the file turned out to be damaged; the index is then to be rebuilt. */
  isDamaged = false;
  readonly #file: FileHandle;
  #entry: ManifestSegment;
  #dead: ReadonlySet<number>;
  #facts: DataView | undefined;
  /** Of each note its first chunk, and behind the last the number of all: asked for every hit. */
  #firstChunks: Uint32Array | undefined;
  /** The way back: of each chunk its note. */
  #notes: Uint32Array | undefined;
  /** The notes that are dead or that a filter (as JSON) hides: of the last one that was asked. */
  hidden: { readonly filter: string; readonly notes: readonly number[] } | undefined;
  /** Notes that were read one by one (segment_notes.ts). */
  readonly notes = new Map<number, StoredNote>();
  /** Passages by chunk, for who looks at them again (look.ts). */
  readonly passages = new Map<number, ReadPassage>();
  readonly #reads = new Map<SectionName, number>();
  readonly #kept = new Map<SectionName, Uint8Array>();
  #slots: Uint8Array | undefined;
  #probes = 0;
  #lengths: Block | undefined;
  #vectors: Block | undefined;
  #scales: Block | undefined;

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
    this.#file = file;
  }

  get entry(): ManifestSegment {
    return this.#entry;
  }

  /** Notes that were replaced or removed since the segment was written. */
  get dead(): ReadonlySet<number> {
    return this.#dead;
  }

  /** Takes over a later revision's list of the dead; what was read stays. */
  bury(entry: ManifestSegment): void {
    this.#entry = entry;
    this.#dead = new Set(entry.dead.filter((note) => note < this.header.notes));
    this.hidden = undefined;
  }

  /** Undefined where the file is missing, foreign, cut or of another version. */
  static open(fs: Fs, dir: string, entry: ManifestSegment, embedder: string): Segment | undefined {
    const path = join(dir, entry.name);
    const info = fs.lstat(path);
    if (info?.kind !== "file" || info.size !== entry.bytes) return undefined;
    const file = fs.open(path, { read: true });
    try {
      const header = readHeader(readAt(file, 0, HEADER_BYTES), info.size);
      if (header?.embedder === embedder && entry.dead.every((note) => note < header.notes)) {
        const { postings } = header.sections;
        const bytes = readAt(file, postings.at, POSTINGS.headerBytes);
        const plan = readPostingsPlan(bytes, postings, header.chunks);
        if (plan !== undefined) return new Segment(entry, file, header, plan);
      }
    } catch (error) {
      file.close();
      throw error;
    }
    file.close();
    return undefined;
  }

  close(): void {
    for (const block of [this.#lengths, this.#vectors, this.#scales]) {
      if (block !== undefined) giveBack(block);
    }
    this.#lengths = this.#vectors = this.#scales = undefined;
    this.#file.close();
  }

  /** Bytes of a section, from an offset inside it; none where that is not inside. */
  read(section: SectionName, at: number, bytes: number): Uint8Array {
    const { at: start, bytes: length } = this.header.sections[section];
    if (at + bytes > length) {
      this.isDamaged = true;
      return new Uint8Array(0);
    }
    const kept = this.#keep(section, start, length);
    return kept?.subarray(at, at + bytes) ?? readAt(this.#file, start + at, bytes);
  }

  /** A section that is read again and again is kept: one-shot processes never get there. */
  #keep(section: SectionName, at: number, bytes: number): Uint8Array | undefined {
    if (bytes > KEPT_BYTES_MAX) return undefined;
    const kept = this.#kept.get(section);
    if (kept !== undefined) return kept;
    const reads = (this.#reads.get(section) ?? 0) + 1;
    this.#reads.set(section, reads);
    if (reads < (section === "postings" ? KEPT_FROM_LIST_READS : KEPT_FROM_READS)) return undefined;
    const whole = readAt(this.#file, at, bytes);
    this.#kept.set(section, whole);
    return whole;
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
    return (this.#notes ??= this.#readNotes())[chunk] ?? 0;
  }

  #readNotes(): Uint32Array {
    const from = this.#chunksFrom();
    const notes = new Uint32Array(this.header.chunks);
    for (let note = 0; note < this.header.notes; note++) {
      notes.fill(note, from[note], from[note + 1]);
    }
    return notes;
  }

  /** Where the u16 lengths of all chunks lie in the core's memory. Call it outside `scratch`. */
  lengthsAt(): number {
    this.#lengths ??= this.#load(this.postings.lengthsAt, this.header.chunks * 2);
    return this.#lengths.at;
  }

  vectorsAt(): { readonly rows: number; readonly scales: number } {
    const { vectors, scales } = this.header.sections;
    this.#vectors ??= this.#load(vectors.at, vectors.bytes);
    this.#scales ??= this.#load(scales.at, scales.bytes);
    return { rows: this.#vectors.at, scales: this.#scales.at };
  }

  /** Looks a term up by its hash. Reads 128 bytes, seldom more. */
  find(low: number, high: number): { readonly start: number; readonly df: number } | undefined {
    const { slots } = this.postings;
    let slot = slotOf(low, high, slots);
    for (let seen = 0; seen < slots;) {
      const count = Math.min(PROBE_SLOTS, slots - slot);
      const bytes = this.#readSlots(slot, count);
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let i = 0; i < count; i++) {
        const at = i * POSTINGS.slotBytes;
        const df = view.getUint32(at + POSTINGS.slotDf, true);
        if (df === 0) return undefined;
        const isIt = view.getUint32(at + POSTINGS.slotHashLow, true) === low &&
          view.getUint32(at + POSTINGS.slotHashHigh, true) === high;
        if (!isIt) continue;
        const start = view.getUint32(at + POSTINGS.slotStart, true);
        if (start + df <= this.postings.postings) return { start, df };
        this.isDamaged = true;
        return undefined;
      }
      seen += count;
      slot = (slot + count) & (slots - 1);
    }
    return undefined;
  }

  /** All of them at once where a word that may be a typing mistake asks for hundreds of others. */
  #readSlots(slot: number, count: number): Uint8Array {
    const { slots, slotsAt } = this.postings;
    const all = slots * POSTINGS.slotBytes;
    const from = slot * POSTINGS.slotBytes;
    const bytes = count * POSTINGS.slotBytes;
    if (++this.#probes === KEPT_FROM_READS && all <= KEPT_BYTES_MAX) {
      this.#slots = readAt(this.#file, slotsAt, all);
    }
    return this.#slots?.subarray(from, from + bytes) ?? readAt(this.#file, slotsAt + from, bytes);
  }

  /** Bytes of the postings by their place in the file, which their plan has checked. */
  #postings(at: number, bytes: number): Uint8Array {
    return this.read("postings", at - this.header.sections.postings.at, bytes);
  }

  /** Reads a term's list into fresh memory of the core; empty where an entry is out of order. */
  list(core: Core, place: { readonly start: number; readonly df: number }): PostingList {
    const documentsAt = core.alloc(place.df * 4);
    const frequenciesAt = core.alloc(place.df);
    const { documentsAt: documents, frequenciesAt: frequencies } = this.postings;
    const [at, count] = [documents + place.start * 4, place.df];
    bytesAt(core, documentsAt, count * 4).set(this.#postings(at, count * 4));
    bytesAt(core, frequenciesAt, count).set(this.#postings(frequencies + place.start, count));
    if (!isAscending(wordsAt(core, documentsAt, count), this.header.chunks)) {
      this.isDamaged = true;
      return { documentsAt, frequenciesAt, count: 0 };
    }
    return { documentsAt, frequenciesAt, count: place.df };
  }

  /** Whether what a merge carries over is as it was written. Reads all of it. */
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

  #load(at: number, bytes: number): Block {
    const block = reserve(bytes);
    fill(this.#file, at, bytesAt(loadCore(), block.at, bytes));
    return block;
  }
}

function isAscending(documents: Uint32Array, limit: number): boolean {
  let previous = -1;
  // By number: an iterator costs several times as much, and lists have thousands of entries.
  for (let i = 0; i < documents.length; i++) {
    const document = documents[i] ?? 0;
    if (document <= previous) return false;
    previous = document;
  }
  return previous < limit;
}

function readAt(file: FileHandle, at: number, bytes: number): Uint8Array {
  const into = new Uint8Array(bytes);
  fill(file, at, into);
  return into;
}

/** Fills `into`; what lies behind the end of a file that was cut meanwhile stays zero. */
function fill(file: FileHandle, at: number, into: Uint8Array): void {
  file.seek(at);
  let filled = 0;
  while (filled < into.length) {
    const count = file.read(into.subarray(filled));
    if (count === 0) {
      into.fill(0, filled);
      return;
    }
    filled += count;
  }
}
