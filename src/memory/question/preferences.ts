/**
 * Asks a person once whether a preference that they stated is to be remembered. Their words stand in
 * the session's note in any case, which ages; with a yes they become knowledge.
 */
import { preferencesIn } from "../../detect/preferences.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";

/**
 * How many questions are open because of this session. Loads more only for the few sessions with a
 * preference. None where it fails: the question is a courtesy.
 */
export async function askAboutPreferences(
  memory: Memory,
  session: string,
  turns: readonly Turn[],
): Promise<number> {
  try {
    if (preferencesIn(turns).length === 0) return 0;
    const { proposePreferences } = await import("./propose_preferences.ts");
    return await proposePreferences(memory, session, turns);
  } catch {
    return 0;
  }
}
