/**
 * The stamp (size, times, inode) of every file when it was indexed. A scan asks for each path once and
 * finds most unchanged, so thousands of stamps are compared in place, without an object for each.
 */
import type { FileStampLike } from "../document.ts";
import { FACT, FACT_BYTES, FLAG, ROW, ROW_BYTES } from "./format.ts";
import type { Segment } from "./segment.ts";

/** Fields of a row, counted in numbers of 64 and of 32 bits. */
const DOUBLES = ROW_BYTES / 8;
const WORDS = ROW_BYTES / 4;
const [SIZE, MTIME, CTIME, INODE] = [ROW.size / 8, ROW.mtime / 8, ROW.ctime / 8, ROW.inode / 8];
const [PATH_AT, PATH_BYTES] = [ROW.pathAt / 4, ROW.pathBytes / 4];

/** Every note of an index by path, with the stamp of its file. */
export class Stamps {
  /** Path → the number of its note, counted through all segments. */
  readonly #places = new Map<string, number>();
  readonly #rows: Float64Array;
  readonly #racy = new Set<number>();

  constructor(segments: readonly Segment[]) {
    const notes = segments.reduce((sum, { header }) => sum + header.notes, 0);
    this.#rows = new Float64Array(notes * DOUBLES);
    let base = 0;
    for (const segment of segments) {
      const { notes } = segment.header;
      const bytes = segment.read("rows", 0, notes * ROW_BYTES);
      new Uint8Array(this.#rows.buffer).set(bytes, base * ROW_BYTES);
      const facts = segment.facts();
      const pathOf = pathReader(segment, bytes);
      for (let note = 0; note < notes; note++) {
        if (segment.dead.has(note)) continue;
        this.#places.set(pathOf(note), base + note);
        const flags = facts.getUint8(note * FACT_BYTES + FACT.flags);
        if ((flags & FLAG.racy) !== 0) this.#racy.add(base + note);
      }
      for (const [note, stamp] of segment.seen) this.#replace(base + note, stamp);
      base += notes;
    }
  }

  #replace(place: number, { size, mtimeMs, ctimeMs, inode, racy }: FileStampLike): void {
    const at = place * DOUBLES;
    this.#rows[at + SIZE] = size;
    this.#rows[at + MTIME] = mtimeMs;
    this.#rows[at + CTIME] = ctimeMs;
    this.#rows[at + INODE] = inode;
    if (racy) this.#racy.add(place);
    else this.#racy.delete(place);
  }

  get size(): number {
    return this.#places.size;
  }

  has(path: string): boolean {
    return this.#places.has(path);
  }

  /** Whether a note's file has the stamp it had. A racy stamp proves nothing. */
  isUnchanged(path: string, info: Omit<FileStampLike, "racy">): boolean {
    const place = this.#places.get(path);
    if (place === undefined) return false;
    const at = place * DOUBLES;
    const rows = this.#rows;
    return rows[at + MTIME] === info.mtimeMs && rows[at + SIZE] === info.size &&
      rows[at + CTIME] === info.ctimeMs && rows[at + INODE] === info.inode &&
      !this.#racy.has(place);
  }

  /** The number of a note, counted through all segments. */
  placeOf(path: string): number | undefined {
    return this.#places.get(path);
  }

  keys(): MapIterator<string> {
    return this.#places.keys();
  }
}

/** The path of every live note; does not read `meta`. */
export function readPaths(segment: Segment): { readonly path: string; readonly note: number }[] {
  const { notes } = segment.header;
  const pathOf = pathReader(segment, segment.read("rows", 0, notes * ROW_BYTES));
  return Array.from({ length: notes }, (_, note) => note)
    .filter((note) => !segment.dead.has(note))
    .map((note) => ({ path: pathOf(note), note }));
}

function pathReader(segment: Segment, rows: Uint8Array): (note: number) => string {
  const words = new Uint32Array(rows.buffer, rows.byteOffset, rows.length / 4);
  const paths = segment.keepText("paths");
  return (note) => {
    const from = words[note * WORDS + PATH_AT] ?? 0;
    return paths.slice(from, from + (words[note * WORDS + PATH_BYTES] ?? 0));
  };
}
