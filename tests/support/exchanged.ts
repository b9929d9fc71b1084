/** A conversation by its texts, the person's and the agent's in turn; an answer may name a file that it changed. */
import type { Turn } from "../../src/editor/editor.ts";

export function exchanged(...said: (string | readonly [text: string, changed: string])[]): Turn[] {
  return said.map((one, n) => {
    const [text, filePath] = typeof one === "string" ? [one] : one;
    return {
      uuid: `t${n}`,
      role: n % 2 === 0 ? "user" : "assistant",
      at: "2026-01-01T00:00:00Z",
      text,
      tools: filePath === undefined ? [] : [{ id: `${n}`, name: "Edit", filePath, failed: false }],
    } as Turn;
  });
}
