/**
 * What a person said they want from now on, put before them once: whether it is to be remembered. Their
 * words stand in the session's note all the same, which ages; what they say yes to is known for good.
 */
import { preferencesIn } from "../../detect/preferences.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";

/**
 * How many questions wait because of what was said. Few sessions say such a thing; the others load no more.
 * None where it fails: the session's note holds the words, and the question is a courtesy.
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
