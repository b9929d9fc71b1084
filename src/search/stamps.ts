/**
 * What every file of an index looked like when it was indexed. A scan asks for each path once and finds
 * most unchanged: of thousands of stamps none is made into an object before it is asked for.
 */
import { decode } from "../base/fs.ts";
import type { FileStampLike } from "./document.ts";
import { FACT, FACT_BYTES, FLAG, ROW, ROW_BYTES } from "./format.ts";
import type { Segment } from "./segment.ts";

/** A row as numbers of 64 and of 32 bits. */
const DOUBLES = ROW_BYTES / 8;
const WORDS = ROW_BYTES / 4;

export class Stamps {
  /** Path → the place of its note, all segments counted through. */
  readonly #places = new Map<string, number>();
  readonly #rows: Float64Array;
  readonly #racy: Uint8Array;

  constructor(segments: readonly Segment[]) {
    const notes = segments.reduce((sum, { header }) => sum + header.notes, 0);
    this.#rows = new Float64Array(notes * DOUBLES);
    this.#racy = new Uint8Array(notes);
    let base = 0;
    for (const segment of segments) {
      const rows = segment.read("rows", 0, segment.header.notes * ROW_BYTES);
      new Uint8Array(this.#rows.buffer).set(rows, base * ROW_BYTES);
      const facts = segment.facts();
      for (const { path, note } of readPaths(segment)) {
        this.#places.set(path, base + note);
        this.#racy[base + note] = facts.getUint8(note * FACT_BYTES + FACT.flags) & FLAG.racy;
      }
      base += segment.header.notes;
    }
  }

  get size(): number {
    return this.#places.size;
  }

  has(path: string): boolean {
    return this.#places.has(path);
  }

  get(path: string): FileStampLike | undefined {
    const place = this.#places.get(path);
    if (place === undefined) return undefined;
    const [rows, at] = [this.#rows, place * DOUBLES];
    return {
      size: rows[at + ROW.size / 8] ?? 0,
      mtimeMs: rows[at + ROW.mtime / 8] ?? 0,
      ctimeMs: rows[at + ROW.ctime / 8] ?? 0,
      inode: rows[at + ROW.inode / 8] ?? 0,
      racy: this.#racy[place] !== 0,
    };
  }

  keys(): MapIterator<string> {
    return this.#places.keys();
  }
}

/** The path of every note that is not dead; reads no meta. */
export function readPaths(segment: Segment): { readonly path: string; readonly note: number }[] {
  const { notes, sections } = segment.header;
  const rows = segment.read("rows", 0, notes * ROW_BYTES);
  const words = new Uint32Array(rows.buffer, rows.byteOffset, notes * WORDS);
  const bytes = segment.read("paths", 0, sections.paths.bytes);
  // Decoded at once; where no path needs more than ASCII, offsets in bytes are those in the text.
  const text = decode(bytes);
  const isAscii = text.length === bytes.length;
  const out: { path: string; note: number }[] = [];
  for (let note = 0; note < notes; note++) {
    if (segment.dead.has(note)) continue;
    const from = words[note * WORDS + ROW.pathAt / 4] ?? 0;
    const to = from + (words[note * WORDS + ROW.pathBytes / 4] ?? 0);
    const path = isAscii ? text.slice(from, to) : decode(bytes.subarray(from, to));
    out.push({ path, note });
  }
  return out;
}
