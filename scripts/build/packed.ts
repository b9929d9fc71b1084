/** Starts what is packed into this executable, from one of its entries. */
import { getBuiltinModule } from "node:process";
import { openExecutable, type PackText, start } from "./boot.ts";
import type { Layout, Place } from "./packs.ts";

/** `layout` as build.ts stamped it into the door. */
export function startPacked(layout: string, which: keyof Layout["entries"] & ("0" | "1")): void {
  const { packOf, entries, packs }: Layout = JSON.parse(layout);
  const executable = openExecutable();
  start({
    packOf,
    entry: entries[which],
    read(pack) {
      const place = packs[pack] ?? [0, 0, 0, 0];
      const [at, storedBytes] = place;
      const bytes = new Uint8Array(storedBytes);
      executable.seekSync(at, Deno.SeekMode.Start);
      for (let filled = 0; filled < bytes.length;) {
        const count = executable.readSync(bytes.subarray(filled));
        if (count === null) throw new Error("The executable is cut short: install it again");
        filled += count;
      }
      return textOf(bytes, place);
    },
  });
}

/** A pack as it was stored. */
export function textOf(stored: Uint8Array, [, , sourceBytes, bytecodeBytes]: Place): PackText {
  const isDeflated = stored.length < sourceBytes + bytecodeBytes;
  const whole = isDeflated ? getBuiltinModule("node:zlib").inflateRawSync(stored) : stored;
  const source = new TextDecoder().decode(whole.subarray(0, sourceBytes));
  return bytecodeBytes === 0 ? { source } : { source, bytecode: whole.subarray(sourceBytes) };
}
