/** Whether this project may be captured at all: a person's `.sageignore` decides before anything is read. */
import { isCaptureExcluded } from "../store/ignore.ts";
import type { Memory } from "./memory.ts";

export async function isExcluded(memory: Memory): Promise<boolean> {
  return await isCaptureExcluded(memory.fs, memory.places);
}
