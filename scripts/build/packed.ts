/** Starts the packed program, from one of its entries. */
import { getBuiltinModule } from "node:process";
import { openCarrier, type PackText, start } from "./boot.ts";
import type { Layout, Place } from "./packs.ts";

/** What the door has to know. */
export interface DoorLayout extends Layout {
  /** The file beside the program that holds the packs, where it does not itself. */
  readonly beside?: string | undefined;
}

/** More than any pack of a hook or a search; memory that is not touched costs nothing. */
const SHARED_BYTES = 1 << 20;

/** `layout` as build.ts stamped it into the door. */
export function startPacked(layout: string, which: keyof Layout["entries"] & ("0" | "1")): void {
  const { packOf, entries, packs, beside }: DoorLayout = JSON.parse(layout);
  const carrier = openOrEnd(beside);
  // One for all that fit: V8 has taken what it needs of a pack before the next one is read.
  const shared = new Uint8Array(SHARED_BYTES);
  start({
    packOf,
    entry: entries[which],
    read(pack) {
      const place = packs[pack] ?? [0, 0, 0, 0];
      const [at, storedBytes] = place;
      const bytes = storedBytes > SHARED_BYTES
        ? new Uint8Array(storedBytes)
        : shared.subarray(0, storedBytes);
      carrier.seekSync(at, Deno.SeekMode.Start);
      for (let filled = 0; filled < bytes.length;) {
        const count = carrier.readSync(bytes.subarray(filled));
        if (count === null) throw new Error("The program is cut short: install it again");
        filled += count;
      }
      return textOf(bytes, place);
    },
  });
}

/** Without the file beside it nothing can run; an editor must not suffer from that. */
function openOrEnd(beside: string | undefined): Deno.FsFile {
  try {
    return openCarrier(beside);
  } catch (error) {
    // deno-lint-ignore no-console -- what says it otherwise is in that file
    console.error(`sage: ${beside ?? "the program"} cannot be read (${error}): install it again`);
    return Deno.exit(Deno.args[0] === "hook" ? 0 : 1);
  }
}

/** A pack as it was stored. */
export function textOf(stored: Uint8Array, [, , sourceBytes, bytecodeBytes]: Place): PackText {
  const isDeflated = stored.length < sourceBytes + bytecodeBytes;
  const whole = isDeflated ? getBuiltinModule("node:zlib").inflateRawSync(stored) : stored;
  const source = new TextDecoder().decode(whole.subarray(0, sourceBytes));
  return bytecodeBytes === 0 ? { source } : { source, bytecode: whole.subarray(sourceBytes) };
}
