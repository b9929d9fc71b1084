/**
 * A model's word pieces in one block of bytes, a hash table that is searched without making strings. The
 * converter lays it out, the tokenizers look pieces up.
 */
import { encode } from "../../base/utf8.ts";
import { type Shape, vocabularyParts } from "./layout.ts";

/** FNV-1a, one byte at a time, so that the hashes of all prefixes of a word cost one pass. */
export const HASH_START = 0x811c9dc5;
export function hashByte(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, 0x01000193);
}

export interface Pieces {
  readonly slots: number;
  readonly stringsBytes: number;
  /** slots · offsets · strings, as layout.ts says; scores are the converter's. */
  lay(into: Uint8Array, shape: Shape): void;
}

/** `strings`: the pieces by id. The table is at most half full, so that probing is short. */
export function layPieces(strings: readonly string[]): Pieces {
  const encoded = strings.map((text) => encode(text));
  let slots = 16;
  while (slots < strings.length * 2) slots *= 2;
  return {
    slots,
    stringsBytes: Math.max(1, encoded.reduce((sum, bytes) => sum + bytes.length, 0)),
    lay(into, shape) {
      const parts = vocabularyParts(shape);
      const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
      let at = 0;
      encoded.forEach((bytes, id) => {
        view.setUint32(parts.offsets + id * 4, at, true);
        into.set(bytes, parts.strings + at);
        at += bytes.length;
        // Padding is never looked up.
        if (bytes.length === 0) return;
        let hash = HASH_START;
        for (const byte of bytes) hash = hashByte(hash, byte);
        let slot = hash & (slots - 1);
        while (view.getUint32(slot * 4, true) !== 0) slot = (slot + 1) & (slots - 1);
        view.setUint32(slot * 4, id + 1, true);
      });
      view.setUint32(parts.offsets + encoded.length * 4, at, true);
    },
  };
}

export class Vocabulary {
  readonly #slots: Uint32Array;
  readonly #offsets: Uint32Array;
  readonly #strings: Uint8Array;
  readonly #scores: Float32Array;

  /** `bytes` is the section, at a multiple of 4. */
  constructor(bytes: Uint8Array<ArrayBuffer>, shape: Shape) {
    const parts = vocabularyParts(shape);
    const start = bytes.byteOffset;
    this.#slots = new Uint32Array(bytes.buffer, start, shape.slots);
    this.#offsets = new Uint32Array(bytes.buffer, start + parts.offsets, shape.tokens + 1);
    this.#strings = bytes.subarray(parts.strings, parts.strings + shape.stringsBytes);
    this.#scores = shape.tokenizer.kind === "unigram"
      ? new Float32Array(bytes.buffer, start + parts.scores, shape.tokens)
      : new Float32Array();
  }

  /** The id of the piece `head` + bytes[from, to), whose hash is given; −1 if there is none. */
  find(hash: number, head: Uint8Array, bytes: Uint8Array, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    // At most half full: there is an empty slot to end at.
    for (let slot = hash & mask;; slot = (slot + 1) & mask) {
      const id = (this.#slots[slot] ?? 0) - 1;
      if (id < 0 || this.#is(id, head, bytes, from, to)) return id;
    }
  }

  score(id: number): number {
    return this.#scores[id] ?? 0;
  }

  #is(id: number, head: Uint8Array, bytes: Uint8Array, from: number, to: number): boolean {
    const at = this.#offsets[id] ?? 0;
    const length = (this.#offsets[id + 1] ?? 0) - at;
    if (length !== head.length + to - from) return false;
    const strings = this.#strings;
    for (let i = 0; i < head.length; i++) if (strings[at + i] !== head[i]) return false;
    const behind = at + head.length - from;
    for (let i = from; i < to; i++) if (strings[behind + i] !== bytes[i]) return false;
    return true;
  }
}
