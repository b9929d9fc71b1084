/** The shipped model's token strings in the order of their ids, read without the core. */
import { readAsset } from "../../src/base/assets.ts";

export function readVocabulary(): string[] {
  const file = readAsset("static-embed-32k-256.bin");
  const [, , count = 0, , , bytes = 0, offsetsAt, stringsAt = 0] = new Uint32Array(
    file.buffer,
    file.byteOffset,
    16,
  );
  const offsets = new Uint32Array(file.buffer, offsetsAt, count + 1);
  const text = new TextDecoder().decode(file.subarray(stringsAt, stringsAt + bytes));
  return Array.from({ length: count }, (_, id) => text.slice(offsets[id], offsets[id + 1]));
}
