/** What a person can ask for by name in the editor: each is a request to the model to use the tools. */

// @ts-types="@modelcontextprotocol/sdk/types"
import type { GetPromptResult } from "@modelcontextprotocol/sdk/types.js";

interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: {
    readonly name: string;
    readonly description: string;
    readonly required: boolean;
  }[];
}

interface Written extends Prompt {
  /** The request; `what` is what the person added, or empty. */
  readonly write: (what: string) => string;
}

const TABLE: readonly Written[] = [
  {
    ...prompt("remember", "Remember", "Keep something for later sessions", "what"),
    write: (what) =>
      `Save to memory: ${
        what || "what we just settled"
      }. Call sage_save_knowledge once for each subject, ` +
      "self-contained, with its reason. Tell me in one line what was saved.",
  },
  {
    ...prompt("recall", "Recall", "What memory knows about something", "question"),
    write: (what) =>
      `Look in memory for: ${
        what || "what we are working on"
      }. Call sage_recall_knowledge, then search_notes if ` +
      "that is not enough. Answer from the notes, with their dates; say so when nothing is stored.",
  },
  {
    ...prompt("update-memory", "Update memory", "Bring what is stored up to date", "topic"),
    write: (what) =>
      `Bring memory up to date on: ${
        what || "what we changed in this session"
      }. Call sage_recall_knowledge, compare ` +
      "each note with what holds now, and call sage_save_knowledge with its id where it is out of date. Ask me " +
      "before sage_remove_knowledge. List what changed, one line each.",
  },
  {
    ...prompt("checkpoint", "Checkpoint", "Save where the thinking stands", "title"),
    write: (what) =>
      `Call sage_save_checkpoint now${
        what === "" ? "" : ` with the title "${what}"`
      }: the core question, the ` +
      "conclusion so far and how sure you are, exact evidence, how you got there, and what is open.",
  },
  {
    ...prompt("handoff", "Handoff", "Prepare the next session", "focus"),
    write: (what) =>
      `Prepare a handoff to the next session${
        what === "" ? "" : ` about ${what}`
      }. Call sage_save_checkpoint with ` +
      "what was done, what was decided and why, files touched, what is open and the next step; then sage_todo " +
      "for each open task. End with the checkpoint's id and the next step in two lines.",
  },
];

export const PROMPTS: readonly Prompt[] = TABLE.map(({ write: _, ...prompt }) => prompt);

export function getPrompt(name: string, args: unknown): GetPromptResult | undefined {
  const found = TABLE.find((each) => each.name === name);
  if (found === undefined) return undefined;
  const values = typeof args === "object" && args !== null ? Object.values(args) : [];
  const what = values.filter((value) => typeof value === "string").join(" ").trim();
  const content = { type: "text" as const, text: found.write(what) };
  return { description: found.description, messages: [{ role: "user", content }] };
}

function prompt(name: string, title: string, description: string, argument: string): Prompt {
  return {
    name,
    title,
    description,
    arguments: [{ name: argument, description, required: false }],
  };
}
