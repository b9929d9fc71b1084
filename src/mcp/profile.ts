/** How many tools an agent sees. Each profile contains the ones before it. */
import { SETTINGS, type ValueOf } from "../config/keys.ts";

export const PROFILES = SETTINGS["mcp.tools"].choices;
export type Profile = ValueOf<"mcp.tools">;

/** Whether a tool of the profile `of` is seen in the profile `seen`. */
export function includes(seen: Profile, of: Profile): boolean {
  return PROFILES.indexOf(of) <= PROFILES.indexOf(seen);
}
