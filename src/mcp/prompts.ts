/** The commands that a person has in the editor, as MCP prompts. */

// @ts-types="@modelcontextprotocol/sdk/types"
import type { GetPromptResult, Prompt } from "@modelcontextprotocol/sdk/types.js";
import { PROMPTS as TABLE } from "../memory/prompts.ts";

export const PROMPTS: readonly Prompt[] = TABLE.map((prompt) => {
  const { name, title, description, argument, otherwise } = prompt;
  const about = `Without it: "${otherwise}"`;
  return {
    name,
    title,
    description,
    arguments: [{ name: argument, description: about, required: false }],
  };
});

export function getPrompt(name: string, args: unknown): GetPromptResult | undefined {
  const found = TABLE.find((each) => each.name === name);
  if (found === undefined) return undefined;
  const values = typeof args === "object" && args !== null ? Object.values(args) : [];
  const what = values.filter((value) => typeof value === "string").join(" ").trim();
  const text = `${what === "" ? found.otherwise : found.about(what)} ${found.request}`;
  const messages = [{ role: "user", content: { type: "text", text } }] as const;
  return { description: found.description, messages: [...messages] };
}
