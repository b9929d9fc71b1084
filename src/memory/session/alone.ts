/**
 * Who saves for a session is alone at it: a server that has answered already and works on, the editor's
 * next hook, the next session's recovery. A dead holder's lock is free.
 */
import { SageError } from "../../base/errors.ts";
import { join } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { holdLock } from "../../base/lock.ts";
import type { Memory } from "../memory.ts";

/** Undefined where another process holds it for longer than that. */
export function holdSession(
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
