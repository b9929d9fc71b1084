/** All sources of texts that are searched without being notes of ours. */
import type { Store } from "../store/handle.ts";
import { BUILTIN } from "./builtin_memory.ts";
import type { StoredNote } from "./item.ts";
import type { Memory } from "./memory.ts";
import { readExternal, refreshExternal } from "./external_source.ts";
import { VAULT_SOURCES } from "./vault/sources.ts";

const EXTERNAL_SOURCES = [BUILTIN, VAULT_SOURCES];

/** Those that have something to search, their indexes up to date. */
export async function refreshExternals(memory: Memory): Promise<Store[]> {
  const stores: Store[] = [];
  for (const outside of EXTERNAL_SOURCES) {
    // An extra: what is wrong with it costs nobody their own notes.
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

/** What a hit is marked with; undefined where it is a note of ours. */
export function externalFlag({ id }: Store): string | undefined {
  return EXTERNAL_SOURCES.find(({ prefix }) => id.startsWith(prefix))?.flag;
}
