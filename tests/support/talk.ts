/** What two people of few words say: enough for whatever reads sentences alone. */
import type { Turn } from "../../src/editor/editor.ts";

/** Prompts and replies by turns. */
export function talk(...texts: readonly string[]): Turn[] {
  return texts.map((text, i) => ({
    uuid: `t${i}`,
    role: i % 2 === 0 ? "user" : "assistant",
    at: "",
    text,
    tools: [],
  }));
}
