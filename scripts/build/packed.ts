/** Starts what is packed into this executable, from one of its entries. */
import { getBuiltinModule } from "node:process";
import { openExecutable, start } from "./boot.ts";
import type { Layout } from "./packs.ts";

/** `layout` as build.ts stamped it into the door. */
export function startPacked(layout: string, which: keyof Layout["entries"] & ("0" | "1")): void {
  const { packOf, entries, packs }: Layout = JSON.parse(layout);
  const executable = openExecutable();
  const decoder = new TextDecoder();
  start({
    packOf,
    entry: entries[which],
    read(pack) {
      const [at, sourceBytes, bytecodeBytes] = packs[pack] ?? [0, 0, 0];
      const bytes = new Uint8Array(sourceBytes + Math.max(0, bytecodeBytes));
      executable.seekSync(at, Deno.SeekMode.Start);
      for (let filled = 0; filled < bytes.length;) {
        const count = executable.readSync(bytes.subarray(filled));
        if (count === null) throw new Error("The executable is cut short: install it again");
        filled += count;
      }
      // DEFLATED, which importing would bring more of the build along.
      if (bytecodeBytes < 0) {
        const { inflateRawSync } = getBuiltinModule("node:zlib");
        return { source: decoder.decode(inflateRawSync(bytes)) };
      }
      const source = decoder.decode(bytes.subarray(0, sourceBytes));
      return bytecodeBytes === 0 ? { source } : { source, bytecode: bytes.subarray(sourceBytes) };
    },
  });
}
