/** Starts the packed program at one of its entries. */
import { getBuiltinModule, openCarrier, type PackText, start } from "./boot.ts";
import type { Layout, Place } from "./packs.ts";

/** The layout that build.ts stamps into the door. */
export interface DoorLayout extends Layout {
  /** The name of the file beside the program with the packs; undefined if they are in the program. */
  readonly beside?: string | undefined;
}

/** Larger than any pack of a hook or a search; untouched memory costs nothing. */
const SHARED_BYTES = 1 << 20;

/** `layout` is a DoorLayout in JSON; `which` is 0 for the program, 1 for its worker. */
export function startPacked(layout: string, which: keyof Layout["entries"] & ("0" | "1")): void {
  const { packOf, entries, packs, beside }: DoorLayout = JSON.parse(layout);
  const carrier = openOrEnd(beside);
  // One buffer for all packs that fit: V8 copies what it needs before the next pack is read.
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

/** Ends the process if the file cannot be opened, with success for a hook, so that no editor is blocked. */
function openOrEnd(beside: string | undefined): Deno.FsFile {
  try {
    return openCarrier(beside);
  } catch (error) {
    // deno-lint-ignore no-console -- what says it otherwise is in that file
    console.error(`sage: ${beside ?? "the program"} cannot be read (${error}): install it again`);
    return Deno.exit(Deno.args[0] === "hook" ? 0 : 1);
  }
}

/** The source and bytecode of a stored pack. */
export function textOf(stored: Uint8Array, [, , sourceBytes, bytecodeBytes]: Place): PackText {
  const isCompressed = stored.length < sourceBytes + bytecodeBytes;
  const whole = isCompressed ? getBuiltinModule("node:zlib").brotliDecompressSync(stored) : stored;
  const source = new TextDecoder().decode(whole.subarray(0, sourceBytes));
  return bytecodeBytes === 0 ? { source } : { source, bytecode: whole.subarray(sourceBytes) };
}
