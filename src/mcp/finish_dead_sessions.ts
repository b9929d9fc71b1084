/**
 * What a session's start had no time for: finishes sessions that died, while the server waits for
 * calls. One at a time, so that a call waits for one of them at most. Then expired files are
 * removed.
 */
import { pause } from "../base/clock.ts";
import type { Memory } from "../memory/memory.ts";
import type { UseMemory } from "./methods.ts";

/** Delayed, because the client asks for its lists first. */
const WAIT_MS = 2000;
const PAUSE_MS = 200;
/** More than usually exist; the next start continues. */
const SESSIONS_MAX = 50;

export async function finishDeadSessions(use: UseMemory, isGone: () => boolean): Promise<void> {
  await pause(WAIT_MS);
  for (let n = 0; n < SESSIONS_MAX && !isGone(); n++) {
    if (!await use(finishOne)) break;
    await pause(PAUSE_MS);
  }
  if (!isGone()) await use(tidyUp);
}

/** Finishes one. False if none is left, or if none can be finished now. */
async function finishOne(memory: Memory): Promise<boolean> {
  const { isAnyLeft } = await import("../memory/session/instances.ts");
  const own = memory.session ?? "";
  if (!isAnyLeft(memory, own)) return false;
  const { isExcluded } = await import("../memory/write/capture.ts");
  if (await isExcluded(memory)) return false;
  const { recoverSessions } = await import("../memory/session/recovery.ts");
  return (await recoverSessions(memory, own, 0)).length > 0;
}

async function tidyUp(memory: Memory): Promise<void> {
  const { tidy } = await import("../memory/sweep/tidy.ts");
  await tidy(memory);
}
