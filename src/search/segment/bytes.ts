/** A byte array that grows: the sections of a segment whose length is known only at the end. */

const encoder = new TextEncoder();

export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  constructor(bytesExpected = 4096) {
    this.#bytes = new Uint8Array(Math.max(64, bytesExpected));
  }

  get length(): number {
    return this.#length;
  }

  /** Appends text as UTF-8 and returns how many bytes it took. */
  text(text: string): number {
    this.#reserve(text.length * 3);
    const { written } = encoder.encodeInto(text, this.#bytes.subarray(this.#length));
    this.#length += written;
    return written;
  }

  /** A view of what was written; valid until the next write. */
  view(from = 0): Uint8Array {
    return this.#bytes.subarray(from, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
