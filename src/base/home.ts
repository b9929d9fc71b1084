/** Which folder is a person's own. */
import type { Env } from "./environment.ts";
import { slashed } from "./fs.ts";

/**
 * The home that the system and the editors use; "" where none is set. On Windows never HOME, which
 * git's shell sets too, on some machines to another disk.
 */
export function findHome(
  env: Env,
  os: string = Deno.build.os,
): string {
  const [first, second] = os === "windows" ? ["USERPROFILE", "HOME"] : ["HOME", "USERPROFILE"];
  return slashed(env(first) || env(second) || "", os);
}
