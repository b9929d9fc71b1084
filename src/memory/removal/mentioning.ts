/** Finds the notes that may name a forgotten one: of thousands, few have its id or title in their text. */
import { decode } from "../../base/utf8.ts";
import { readNoteBytes } from "../../store/load.ts";
import { catalogue } from "../catalogue.ts";
import type { Entry } from "../index/entries.ts";
import type { Memory } from "../memory.ts";

/** The entries whose files have one of these texts as it stands. No file is parsed. */
export async function mentioning(memory: Memory, texts: readonly string[]): Promise<Entry[]> {
  return (await catalogue(memory)).filter(({ store, note }) => {
    try {
      const text = decode(readNoteBytes(store, note.path).bytes);
      return texts.some((one) => text.includes(one));
    } catch {
      // Gone meanwhile, or unreadable.
      return false;
    }
  });
}
