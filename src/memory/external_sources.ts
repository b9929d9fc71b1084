/** All sources of texts that are searched without being notes of ours. */
import type { Store } from "../store/handle.ts";
import { BUILTIN } from "./builtin_memory.ts";
import type { StoredNote } from "./item.ts";
import type { Memory } from "./memory.ts";
import { readExternal, refreshExternal } from "./external_source.ts";
import { VAULT_SOURCES } from "./vault/sources.ts";

const EXTERNAL_SOURCES = [BUILTIN, VAULT_SOURCES];

/** The sources with something to search, refreshed. */
export async function refreshExternals(memory: Memory): Promise<Store[]> {
  const stores: Store[] = [];
  for (const outside of EXTERNAL_SOURCES) {
    // Optional: a fault in it must not cost anybody their own notes.
    const store = await refreshExternal(memory, outside).catch(() => undefined);
    if (store !== undefined) stores.push(store);
  }
  return stores;
}

export async function readExternals(memory: Memory, ref: string): Promise<StoredNote | undefined> {
  for (const outside of EXTERNAL_SOURCES) {
    const stored = await readExternal(memory, outside, ref);
    if (stored !== undefined) return stored;
  }
  return undefined;
}

/** The flag of a hit from such a source; undefined for a note of ours. */
export function externalFlag({ id }: Store): string | undefined {
  return EXTERNAL_SOURCES.find(({ prefix }) => id.startsWith(prefix))?.flag;
}
