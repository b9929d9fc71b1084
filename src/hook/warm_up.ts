/**
 * After a session's start its server loads what the first events would wait for. Without hooks
 * nobody hands events over, and it does nothing.
 */
import { pause } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { isExcluded } from "../memory/write/capture.ts";
import { type Opened, openMemory } from "../memory/memory.ts";
import { rehearse } from "../memory/index/rehearse.ts";
import { liveSessions } from "../memory/session/instances.ts";
import { loadWork } from "./work.ts";

/** Delayed, because the session's start runs at the same time, and the client asks for its lists first. */
const WAIT_MS = 1000;
/** Lets requests that arrived meanwhile go first. */
const PAUSE_MS = 10;

export async function warmUp(
  env: Env,
  cwd: () => Promise<string>,
  opened: Opened,
  isGone: () => boolean,
): Promise<void> {
  await pause(WAIT_MS);
  if (isGone()) return;
  const memory = await openMemory({
    cwd: await cwd(),
    env,
    holder: "sage mcp",
    hook: true,
    light: true,
    opened,
  });
  try {
    if (liveSessions(memory).length === 0 || await isExcluded(memory)) return;
    await loadWork();
    for await (const _ of rehearse(memory)) await pause(PAUSE_MS);
  } finally {
    memory.close();
  }
}
