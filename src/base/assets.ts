/**
 * Reads assets: models, Wasm, tables and templates. They are appended to the executable and read by offset,
 * because what is embedded the usual way is copied into memory at every start (decision 0002). On macOS and
 * Windows they are in a file beside the program (decision 0044); when run from the sources, in the files
 * below. The carrying file is read through the handle that main.ts opened, because an upgrade replaces the
 * file, and the offsets belong to the old one.
 */
import { getBuiltinModule } from "node:process";
import { buildInfo } from "./build_info.ts";
import { assert, SageError } from "./errors.ts";
import { type FileHandle, readFull, realFs } from "./fs.ts";
import { join } from "./path.ts";

/** The file of each asset in the repository. */
export const ASSET_FILES = {
  "core.wasm": "wasm/core.wasm",
  "encoder.wasm": "wasm/encoder.wasm",
  "onnx.wasm": "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm",
  "static-embed-32k-256.bin": "wasm/model/static-embed-32k-256.bin",
  "thesaurus.bin": "thesaurus/thesaurus.bin",
  "french.bin": "thesaurus/french.bin",
  "spanish.bin": "thesaurus/spanish.bin",
  "portuguese.bin": "thesaurus/portuguese.bin",
  "italian.bin": "thesaurus/italian.bin",
  "chinese.bin": "thesaurus/chinese.bin",
  "japanese.bin": "thesaurus/japanese.bin",
  // Made by scripts/page.ts, as the build does.
  "page.html.gz": "dist/page.html.gz",
  "english.txt": "src/detect/phrases/english.txt",
  "german.txt": "src/detect/phrases/german.txt",
  "french.txt": "src/detect/phrases/french.txt",
  "spanish.txt": "src/detect/phrases/spanish.txt",
  "italian.txt": "src/detect/phrases/italian.txt",
  "portuguese.txt": "src/detect/phrases/portuguese.txt",
  "russian.txt": "src/detect/phrases/russian.txt",
  "unspaced.txt": "src/detect/phrases/unspaced.txt",
  "research.txt": "templates/research.txt",
  "software.txt": "templates/software.txt",
  "writing.txt": "templates/writing.txt",
  "opencode.js": "hooks/opencode/sage.js",
  "skill.txt": "src/editor/claude_code/skill.txt",
} as const;

export type AssetName = keyof typeof ASSET_FILES;

/** An asset that is read in parts; it must not be stored deflated. Close it. */
export interface Asset {
  readonly length: number;
  /** Fills `into` with the asset's bytes from `offset`. */
  read(offset: number, into: Uint8Array): void;
  close(): void;
}

export function openAsset(name: AssetName): Asset {
  const { file, start, length, close } = place(name);
  return {
    length,
    read(offset, into) {
      // Beyond its end another asset would be read without an error.
      assert(offset + into.length <= length, `asset "${name}" is read within its length`);
      file.seek(start + offset);
      if (readFull(file, into).length < into.length) {
        throw new SageError("internal", `Asset "${name}" is cut short`);
      }
    },
    close,
  };
}

export function readAsset(name: AssetName): Uint8Array<ArrayBuffer> {
  const asset = openAsset(name);
  try {
    const bytes = new Uint8Array(asset.length);
    asset.read(0, bytes);
    return buildInfo?.assets[name]?.isDeflated === true
      ? new Uint8Array(getBuiltinModule("node:zlib").inflateRawSync(bytes))
      : bytes;
  } finally {
    asset.close();
  }
}

interface Place {
  readonly file: Pick<FileHandle, "seek" | "read">;
  readonly start: number;
  readonly length: number;
  readonly close: () => void;
}

function place(name: AssetName): Place {
  if (buildInfo === undefined) {
    const file = realFs.open(join(import.meta.dirname ?? ".", "../..", ASSET_FILES[name]), {
      read: true,
    });
    return { file, start: 0, length: file.info().size, close: () => file.close() };
  }
  const range = buildInfo.assets[name];
  if (range === undefined) throw new SageError("internal", `Asset "${name}" is not in this build`);
  const { offset: start, length } = range;
  const carrier = openedByDoor();
  if (carrier === undefined) throw new SageError("internal", "The program came without its door");
  const file = {
    seek: (offset: number) => void carrier.file.seekSync(offset, Deno.SeekMode.Start),
    read: (into: Uint8Array) => carrier.file.readSync(into) ?? 0,
  };
  return { file, start, length, close: () => {} };
}

/** The name of the file beside the program with its assets; undefined if the program has them itself. */
export function dataName(): string | undefined {
  return openedByDoor()?.beside;
}

/** The carrying file that scripts/build/boot.ts opened. */
function openedByDoor(): { readonly file: Deno.FsFile; readonly beside?: string } | undefined {
  return (globalThis as Record<symbol, unknown>)[Symbol.for("sage.carrier")] as ReturnType<
    typeof openedByDoor
  >;
}
