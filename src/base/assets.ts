/**
 * Assets live behind the executable's own code and are read by offset, because what is embedded the
 * usual way is copied into memory at every start (docs/decisions/0007). From the sources, they are
 * the files of wasm/; where a platform cannot carry them, the file `sage.assets` beside the binary.
 */
import { buildInfo } from "./build_info.ts";
import { assert, SageError } from "./errors.ts";
import { dirname, join, realFs } from "./fs.ts";

export type AssetName = "core.wasm" | "encoder.wasm" | "static-embed-32k-256.bin";

const SOURCES: Record<AssetName, string> = {
  "core.wasm": "../../wasm/core.wasm",
  "encoder.wasm": "../../wasm/encoder.wasm",
  "static-embed-32k-256.bin": "../../wasm/model/static-embed-32k-256.bin",
};

/** An asset that can be read in parts. Close it. */
export interface Asset {
  readonly length: number;
  /** Fills `into` from `offset` of the asset. */
  read(offset: number, into: Uint8Array): void;
  close(): void;
}

export function openAsset(name: AssetName): Asset {
  const { path, start, length: stated } = place(name);
  const file = realFs.open(path, { read: true });
  const length = stated ?? file.info().size;
  return {
    length,
    read(offset, into) {
      // Behind an asset in the executable lies another, which would be read without an error.
      assert(offset + into.length <= length, `asset "${name}" is read within its length`);
      file.seek(start + offset);
      let filled = 0;
      while (filled < into.length) {
        const count = file.read(into.subarray(filled));
        if (count === 0) throw new SageError("internal", `Asset "${name}" is cut short`);
        filled += count;
      }
    },
    close: () => file.close(),
  };
}

export function readAsset(name: AssetName): Uint8Array<ArrayBuffer> {
  const asset = openAsset(name);
  try {
    const bytes = new Uint8Array(asset.length);
    asset.read(0, bytes);
    return bytes;
  } finally {
    asset.close();
  }
}

function place(name: AssetName): { path: string; start: number; length: number | undefined } {
  if (buildInfo === undefined) {
    const path = join(import.meta.dirname ?? ".", SOURCES[name]);
    return { path, start: 0, length: undefined };
  }
  const range = buildInfo.assets[name];
  if (range === undefined) throw new SageError("internal", `Asset "${name}" is not in this build`);
  const executable = Deno.execPath();
  const beside = join(dirname(executable), "sage.assets");
  const path = buildInfo.flags.includes("assets-beside") ? beside : executable;
  return { path, start: range.offset, length: range.length };
}
