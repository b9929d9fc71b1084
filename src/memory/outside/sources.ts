/** All sources of texts that are searched but are not Sage's notes. */
import type { Store } from "../../store/handle.ts";
import { BUILTIN } from "./builtin_memory.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { readOutside, refreshOutside } from "./outside_index.ts";
import { VAULT_SOURCES } from "../vault/sources.ts";

const OUTSIDES = [BUILTIN, VAULT_SOURCES];

/** The sources with something to search, refreshed. */
export async function refreshOutsides(memory: Memory): Promise<Store[]> {
  const stores: Store[] = [];
  for (const outside of OUTSIDES) {
    // Optional: a fault in it must not cost anybody their own notes.
    const store = await refreshOutside(memory, outside).catch(() => undefined);
    if (store !== undefined) stores.push(store);
  }
  return stores;
}

export async function readOutsides(memory: Memory, ref: string): Promise<StoredNote | undefined> {
  for (const outside of OUTSIDES) {
    const stored = await readOutside(memory, outside, ref);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

/** The flag of a hit from such a source; undefined for a note of ours. */
export function outsideFlag({ id }: Store): string | undefined {
  return OUTSIDES.find(({ prefix }) => id.startsWith(prefix))?.flag;
}
