/** Starts what is packed into this executable, from one of its entries. */
import { getBuiltinModule } from "node:process";
import { openExecutable, start } from "./boot.ts";
import type { Layout } from "./packs.ts";

/** `layout` as build.ts stamped it into the door. */
export function startPacked(layout: string, which: keyof Layout["entries"] & ("0" | "1")): void {
  const { packOf, entries, packs }: Layout = JSON.parse(layout);
  const executable = openExecutable();
  start({
    packOf,
    entry: entries[which],
    read(pack) {
      const [at, storedBytes, bytecodeBytes, sourceBytes] = packs[pack] ?? [0, 0, 0, 0];
      const bytes = new Uint8Array(storedBytes + bytecodeBytes);
      executable.seekSync(at, Deno.SeekMode.Start);
      for (let filled = 0; filled < bytes.length;) {
        const count = executable.readSync(bytes.subarray(filled));
        if (count === null) throw new Error("The executable is cut short: install it again");
        filled += count;
      }
      const source = sourceOf(bytes.subarray(0, storedBytes), sourceBytes);
      return bytecodeBytes === 0 ? { source } : { source, bytecode: bytes.subarray(storedBytes) };
    },
  });
}

/** The text of a pack as it was stored. */
export function sourceOf(stored: Uint8Array, sourceBytes: number): string {
  const isDeflated = stored.length < sourceBytes;
  return new TextDecoder().decode(
    isDeflated ? getBuiltinModule("node:zlib").inflateRawSync(stored) : stored,
  );
}
