/** Looks at the files once for several questions: each look is a walk over all notes. */
import { type Memory, storesThere } from "../memory.ts";
import { refreshAll } from "./reindex.ts";

/**
 * The same memory with its indexes refreshed, which its reads then take as they are. For an answer that asks
 * several times; what it writes is indexed as it is written, and what others change meanwhile is seen by the
 * next one. Where the index cannot be written, every question has to look by itself.
 */
export async function settle(memory: Memory): Promise<Memory> {
  const reports = await refreshAll(memory);
  if (reports.some(({ unwritten }) => unwritten === true)) return memory;
  return { ...memory, settled: { stores: storesThere(memory) } };
}
