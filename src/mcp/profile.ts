/** How many tools an agent sees. Each profile contains the ones before it. */

export const PROFILES = ["minimal", "standard", "full"] as const;
export type Profile = typeof PROFILES[number];

export function isProfile(text: string): text is Profile {
  return (PROFILES as readonly string[]).includes(text);
}

/** Whether a tool of the profile `of` is seen in the profile `seen`. */
export function includes(seen: Profile, of: Profile): boolean {
  return PROFILES.indexOf(of) <= PROFILES.indexOf(seen);
}
