/**
 * Reads a tar archive from a stream, in the plain form (ustar) that scripts/release writes: regular files
 * with short names, and nothing else. The caller decides by an entry's name whether it is wanted.
 */
import { SageError } from "./errors.ts";
import { decode } from "./utf8.ts";

export interface Sink {
  write(bytes: Uint8Array): void;
  close(): void;
}

const BLOCK = 512;

/** Writes each wanted file to its sink. Throws `refused` if the archive is damaged or ends early. */
export async function untar(
  chunks: AsyncIterable<Uint8Array>,
  open: (name: string, size: number) => Sink | undefined,
): Promise<void> {
  const source = sourceOf(chunks);
  for (;;) {
    const header = await source.block();
    if (header === undefined || header.every((byte) => byte === 0)) return;
    const [name, size] = [textOf(header, 0, 100), parseInt(textOf(header, 124, 12), 8)];
    const isFile = header[156] === 0 || header[156] === 0x30;
    if (!isFile || name === "" || !(size >= 0) || sumOf(header) !== statedSum(header)) {
      throw new SageError("refused", "The archive is not one that Sage can read");
    }
    const sink = open(name, size);
    try {
      await source.pass(size, (bytes) => sink?.write(bytes));
    } finally {
      sink?.close();
    }
    await source.pass((BLOCK - size % BLOCK) % BLOCK, () => {});
  }
}

function sourceOf(chunks: AsyncIterable<Uint8Array>) {
  const iterator = chunks[Symbol.asyncIterator]();
  let held: Uint8Array = new Uint8Array();
  const some = async (most: number): Promise<Uint8Array | undefined> => {
    while (held.length === 0) {
      const { value, done } = await iterator.next();
      if (done === true) return undefined;
      held = value;
    }
    const part = held.subarray(0, most);
    held = held.subarray(part.length);
    return part;
  };
  const pass = async (count: number, take: (bytes: Uint8Array) => void): Promise<void> => {
    for (let left = count; left > 0;) {
      const part = await some(left);
      if (part === undefined) throw new SageError("refused", "The archive ends too early");
      take(part);
      left -= part.length;
    }
  };
  return {
    pass,
    async block(): Promise<Uint8Array | undefined> {
      const first = await some(BLOCK);
      if (first === undefined) return undefined;
      const block = new Uint8Array(BLOCK);
      block.set(first);
      let filled = first.length;
      await pass(BLOCK - filled, (bytes) => {
        block.set(bytes, filled);
        filled += bytes.length;
      });
      return block;
    },
  };
}

function textOf(header: Uint8Array, at: number, length: number): string {
  const [text = ""] = decode(header.subarray(at, at + length)).split("\0");
  return text.trim();
}

function statedSum(header: Uint8Array): number {
  return parseInt(textOf(header, 148, 8), 8);
}

/** The checksum of a header, in which the checksum field itself counts as blanks. */
function sumOf(header: Uint8Array): number {
  return header.reduce((sum, byte, i) => sum + (i >= 148 && i < 156 ? 0x20 : byte), 0);
}
