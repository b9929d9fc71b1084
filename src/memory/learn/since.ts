/** The moment from which uses count, since a person may reset what was learned. */
import { readStateOrThrow, writeState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";

const NAME = "feedback/since.json";

/** Milliseconds; 0 where nothing was forgotten. */
export function forgottenSince({ fs, places }: Memory): number {
  const at = readStateOrThrow<{ readonly at?: unknown }>(fs, places.stateDir, NAME)?.at;
  return typeof at === "number" ? at : 0;
}

export function forgetUntilNow({ fs, places, now }: Memory): void {
  writeState(fs, places.stateDir, NAME, { at: now() }, { durable: true });
}
