/** Finds a person's home folder. */
import type { Env } from "./environment.ts";
import { slashed } from "./path.ts";

/**
 * The home folder that the system and editors use; "" if none is set. On Windows USERPROFILE comes first,
 * because git's shell sets HOME, on some machines to another disk.
 */
export function findHome(env: Env, os: string = Deno.build.os): string {
  const [first, second] = os === "windows" ? ["USERPROFILE", "HOME"] : ["HOME", "USERPROFILE"];
  return slashed(env(first) || env(second) || "", os);
}
