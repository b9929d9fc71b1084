/**
 * Asks a person once whether a preference that they stated is to be remembered. The session's note has
 * their words in any case, but it ages; with a yes they become knowledge.
 */
import { preferencesIn } from "../../detect/decisions/preferences.ts";
import { ownWords } from "../../detect/text/own_words.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";

/**
 * Returns how many questions the session raised. Loads the rest only for the few sessions with a
 * preference. A failure raises none, because the question is optional.
 */
export async function askAboutPreferences(
  memory: Memory,
  session: string,
  turns: readonly Turn[],
): Promise<number> {
  try {
    const own = ownWords(turns);
    if (preferencesIn(own).length === 0) return 0;
    const { proposePreferences } = await import("./propose_preferences.ts");
    return await proposePreferences(memory, session, own);
  } catch {
    return 0;
  }
}
