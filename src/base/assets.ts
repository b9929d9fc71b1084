/**
 * Assets live behind the executable's own code and are read by offset, because what is embedded the
 * usual way is copied into memory at every start (docs/decisions/0007). From the sources, they are
 * the files of wasm/; where a platform cannot carry them, the file `sage.assets` beside the binary.
 */
import { buildInfo } from "./build_info.ts";
import { dirname, join, readBytes, realFs } from "./fs.ts";
import { SageError } from "./errors.ts";

export type AssetName = "core.wasm" | "static-embed-32k-256.bin";

const SOURCES: Record<AssetName, string> = {
  "core.wasm": "../../wasm/core.wasm",
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
  const { path, start, length } = place(name);
  const file = realFs.open(path, { read: true });
  return {
    length: length ?? file.info().size,
    read(offset, into) {
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

export function readAsset(name: AssetName): Uint8Array {
  const { path, start, length } = place(name);
  if (length === undefined) return readBytes(realFs, path, Number.MAX_SAFE_INTEGER);
  const asset = openAsset(name);
  try {
    const bytes = new Uint8Array(length);
    if (start >= 0) asset.read(0, bytes);
    return bytes;
  } finally {
    asset.close();
  }
}

function place(name: AssetName): { path: string; start: number; length: number | undefined } {
  if (buildInfo === undefined) {
    const path = new URL(SOURCES[name], import.meta.url).pathname;
    return { path, start: 0, length: undefined };
  }
  const range = buildInfo.assets[name];
  if (range === undefined) throw new SageError("internal", `Asset "${name}" is not in this build`);
  const executable = Deno.execPath();
  const beside = join(dirname(executable), "sage.assets");
  const path = buildInfo.flags.includes("assets-beside") ? beside : executable;
  return { path, start: range.offset, length: range.length };
}
