/** Unpacks what belongs to a program from a release's archive, under temporary names chosen here. */
import { SageError } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { randomHex } from "../../base/hash.ts";
import { untar } from "../../base/tar.ts";
import { DATA_FILE, PAGES } from "./placed.ts";

/** Paths of the unpacked files; `data` and `pages` by their final names. */
export interface Unpacked {
  readonly program: string;
  readonly data: ReadonlyMap<string, string>;
  readonly pages: ReadonlyMap<string, string>;
}

const UNPACKED_BYTES_MAX = 2 * 1024 * 1024 * 1024;
const READ_BYTES = 1024 * 1024;

export async function unpack(fs: Fs, archive: string, work: string): Promise<Unpacked> {
  const data = new Map<string, string>();
  const pages = new Map<string, string>();
  let program: string | undefined;
  let total = 0;
  await untar(decompressed(fs, archive), (name, size) => {
    total += size;
    if (total > UNPACKED_BYTES_MAX) {
      throw new SageError("too_large", "The archive holds more than any program needs");
    }
    const isProgram = name === "sage" || name === "sage.exe";
    if (!isProgram && !DATA_FILE.test(name) && !PAGES.includes(name)) return undefined;
    const path = join(work, `${randomHex(8)}.new`);
    if (isProgram) program = path;
    else (DATA_FILE.test(name) ? data : pages).set(name, path);
    const file = fs.open(path, { write: true, createNew: true, mode: isProgram ? 0o755 : 0o644 });
    return {
      write: (bytes) => file.write(bytes),
      close() {
        file.sync();
        file.close();
      },
    };
  });
  if (program === undefined) {
    throw new SageError("refused", "There is no program in the archive");
  }
  return { program, data, pages };
}

function decompressed(fs: Fs, path: string): AsyncIterable<Uint8Array> {
  const file = fs.open(path, { read: true });
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      const buffer = new Uint8Array(READ_BYTES);
      const count = file.read(buffer);
      if (count > 0) return controller.enqueue(buffer.subarray(0, count));
      file.close();
      controller.close();
    },
    cancel: () => file.close(),
  });
  return packed.pipeThrough(new DecompressionStream("gzip"));
}
