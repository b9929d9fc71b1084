/**
 * Removes machine-made state: logs, locks, ledgers; indexes are in index_folders.ts. A person's
 * decisions stay (trust, what was forgotten, kept conversations), and so does everything that is not
 * known to be machine-made.
 */
import { join } from "../../base/path.ts";
import { removeEmpty, removeTree } from "../../base/remove.ts";
import type { Memory } from "../memory.ts";

const MACHINE_MADE = [
  "config.json",
  "elsewhere.json",
  "ended",
  "feedback",
  "freshness",
  "handed",
  "handoffs",
  "hooks",
  "install",
  "instances",
  "lives",
  "locks",
  "log",
  "maps.json",
  "migrate",
  "prepared",
  "recalls",
  "reworded.json",
  "seen",
  "statusline",
  "sources",
  "serve",
  "trash.json",
];

export function sweepMachineState(memory: Memory): void {
  const { fs, places } = memory;
  for (const name of MACHINE_MADE) removeTree(fs, join(places.stateDir, name));
  removeEmpty(fs, places.stateDir);
  removeEmpty(fs, places.userRoot);
}
