/**
 * The lock under which notes of a session are saved: a server that has answered already, the
 * editor's next hook and the next session's recovery exclude each other by it. A dead holder's
 * lock is free.
 */
import { SageError } from "../../../base/errors.ts";
import { join } from "../../../base/path.ts";
import { sha256Hex } from "../../../base/hash.ts";
import { holdLock } from "../../../base/lock.ts";
import type { Memory } from "../../memory.ts";

/** Undefined where another process holds it for longer than that. */
export function lockSession(
  { fs, places }: Memory,
  session: string,
  deadlineMs: number,
): { release(): void } | undefined {
  const stripe = sha256Hex(session).slice(0, 2);
  const path = join(places.stateDir, "locks", `session-${stripe}.lock`);
  try {
    return holdLock(fs, path, { deadlineMs });
  } catch (error) {
    if (error instanceof SageError && error.code === "locked") return undefined;
    throw error;
  }
}
