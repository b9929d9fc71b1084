/** The program's assets: models, cores, tables, the page. */
import { deflateRawSync } from "node:zlib";
import { ASSET_FILES } from "../../src/base/assets.ts";
import type { AssetRange } from "../../src/base/build_info.ts";
import { concat } from "../../src/base/concat.ts";
import { sha256Hex } from "../../src/base/hash.ts";

const root = new URL("../..", import.meta.url).pathname;
/** Sections of the model are laid out in 64-byte steps; an asset starts on such a boundary. */
const ALIGNMENT = 64;
/** Stored deflated. Those read it who write another language, or once; it takes a third of a millisecond. */
const SELDOM =
  /^(?:italian|portuguese|russian|unspaced|research|software|writing)\.txt$|^(?:french|spanish|portuguese|italian|chinese|japanese)\.bin$/;

export interface PackedAssets {
  /** All assets back to back. */
  readonly blob: Uint8Array<ArrayBuffer>;
  /** The place of each by name, in a file in which the blob begins at the given offset. */
  readonly ranges: Readonly<Record<string, AssetRange>>;
}

/** The assets for a file in which they start at byte `start`. */
export async function packAssets(start: number): Promise<PackedAssets> {
  const parts: Uint8Array[] = [];
  const ranges: Record<string, AssetRange> = {};
  let offset = start;
  for (const [name, path] of Object.entries(ASSET_FILES)) {
    const padding = (ALIGNMENT - offset % ALIGNMENT) % ALIGNMENT;
    const isDeflated = SELDOM.test(name);
    const file = withoutRemarks(path, await Deno.readFile(root + path));
    const bytes = isDeflated ? deflateRawSync(file, { level: 9 }) : file;
    parts.push(new Uint8Array(padding), bytes);
    const { length } = bytes;
    ranges[name] = { offset: offset + padding, length, isDeflated, sha256: sha256Hex(bytes) };
    offset += padding + bytes.length;
  }
  return { blob: concat(parts), ranges };
}

/** Comments are a fifth of a table, and every session reads the whole file. */
function withoutRemarks(path: string, file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!TABLE.test(path)) return file;
  const text = new TextDecoder().decode(file).replaceAll(/^(?:#.*)?\n/gm, "");
  return new TextEncoder().encode(text);
}

const TABLE = /^src\/detect\/\w+\.txt$/;
