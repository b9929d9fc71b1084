/**
 * Requests to the model to use the tools, which a person calls by name in the editor. The MCP server
 * offers them as prompts, an editor's plugin as commands.
 */
interface Prompt {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** What the person may add. */
  readonly argument: string;
  /** Tools that the request needs; a command may call them without asking again. */
  readonly tools: readonly string[];
  /** Its beginning: with what the person added, and without. */
  readonly about: (what: string) => string;
  readonly otherwise: string;
  /** Its continuation. */
  readonly request: string;
}

export const PROMPTS: readonly Prompt[] = [
  {
    name: "remember",
    title: "Remember",
    description: "Keep something for later sessions",
    argument: "what",
    tools: ["sage_save_knowledge"],
    about: (what) => `Save to memory: ${what}.`,
    otherwise: "Save to memory: what we just settled.",
    request:
      "Call sage_save_knowledge once for each subject, self-contained, with its reason. Tell me in one line what was saved.",
  },
  {
    name: "recall",
    title: "Recall",
    description: "What memory knows about something",
    argument: "question",
    tools: ["sage_recall_knowledge", "search_notes", "get_note"],
    about: (what) => `Look in memory for: ${what}.`,
    otherwise: "Look in memory for: what we are working on.",
    request:
      "Call sage_recall_knowledge with two rephrasings in also, then search_notes if that is not enough. Answer from the notes, with their dates; say so when nothing is stored.",
  },
  {
    name: "update-memory",
    title: "Update memory",
    description: "Bring what is stored up to date",
    argument: "topic",
    tools: ["sage_recall_knowledge", "sage_save_knowledge"],
    about: (what) => `Bring memory up to date on: ${what}.`,
    otherwise: "Bring memory up to date on: what we changed in this session.",
    request:
      "Call sage_recall_knowledge, compare each note with what holds now, and call sage_save_knowledge with its id where it is out of date. Ask me before sage_remove_knowledge. List what changed, one line each.",
  },
  {
    name: "checkpoint",
    title: "Checkpoint",
    description: "Save where the thinking stands",
    argument: "title",
    tools: ["sage_save_checkpoint"],
    about: (what) => `Call sage_save_checkpoint now with the title "${what}".`,
    otherwise: "Call sage_save_checkpoint now.",
    request:
      "Give it the core question, the conclusion so far and how sure you are, exact evidence, how you got there, and what is open.",
  },
  {
    name: "handoff",
    title: "Handoff",
    description: "Prepare the next session",
    argument: "focus",
    tools: ["sage_save_checkpoint", "sage_todo"],
    about: (what) => `Prepare a handoff to the next session about ${what}.`,
    otherwise: "Prepare a handoff to the next session.",
    request:
      "Call sage_save_checkpoint with what was done, what was decided and why, files touched, what is open and the next step; then sage_todo for each open task. End with the checkpoint's id and the next step in two lines.",
  },
];
