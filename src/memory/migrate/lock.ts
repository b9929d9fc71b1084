/** One import at a time, whatever it is of: a second would make notes that the first makes. */
import { holdLock } from "../../base/lock.ts";
import { join } from "../../base/path.ts";
import type { Memory } from "../memory.ts";

export function holdImportLock({ fs, places, holder }: Memory): { release(): void } {
  const path = join(places.stateDir, "locks", "migrate.lock");
  return holdLock(fs, path, { deadlineMs: 0, holder });
}
