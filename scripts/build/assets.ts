/** Packs the program's assets: the model, WebAssembly modules, tables and the page. */
import { deflateRawSync } from "node:zlib";
import { ASSET_FILES } from "../../src/base/assets.ts";
import type { AssetRange } from "../../src/base/build_info.ts";
import { concat } from "../../src/base/concat.ts";
import { sha256Hex } from "../../src/base/hash.ts";

const root = new URL("../..", import.meta.url).pathname;
/** The model's sections are aligned to 64 bytes in its file, so the file has to be too. */
const ALIGNMENT = 64;
/** Assets stored deflated: needed for some languages only, or once. Inflating takes a third of a ms. */
const SELDOM =
  /^(?:italian|portuguese|russian|unspaced|research|skill|software|writing)\.txt$|^opencode\.js$|^(?:french|spanish|portuguese|italian|chinese|japanese)\.bin$/;

export interface PackedAssets {
  /** All assets back to back. */
  readonly blob: Uint8Array<ArrayBuffer>;
  /** The range of each asset by name, in the file that the blob is written to. */
  readonly ranges: Readonly<Record<string, AssetRange>>;
}

/** The assets for a file in which the blob starts at byte `start`. */
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

/** The file without comments, if it is a table: they are a fifth of it, and every session reads it all. */
function withoutRemarks(path: string, file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (!TABLE.test(path)) return file;
  const text = new TextDecoder().decode(file).replaceAll(/^(?:#.*)?\n/gm, "");
  return new TextEncoder().encode(text);
}

/** The tables of phrases. */
const TABLE = /^src\/detect\/phrases\/\w+\.txt$/;
