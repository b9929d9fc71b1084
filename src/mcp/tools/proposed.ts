/** What an agent is told when what it wants to write needs a person's approval. */
import type { Proposed } from "../../memory/knowledge/outcome.ts";
import type { Memory } from "../../memory/memory.ts";
import type { Question } from "../../memory/question/question.ts";
import { quote } from "../../memory/recalled.ts";
import type { Answer } from "../answer.ts";
import { fenced, quoted } from "../fenced.ts";

const QUESTION_CHARACTERS_MAX = 200;

/** How an agent is told to ask the person the open question. */
export function putToPerson({ id, question }: Pick<Question, "id" | "question">): string {
  const asked = quote(question, QUESTION_CHARACTERS_MAX);
  return `Ask the person, once: ${asked} They answer with \`sage inbox accept ${id}\`, ` +
    "`later` or `drop`; go on without it.";
}

/** Tells the agent to ask the person, who alone can answer. */
export function proposed(memory: Memory, { id, question, title, text, diff }: Proposed): Answer {
  const message = `Not saved yet: this is the person's to decide. Ask them: ${quoted(question)} ` +
    `They answer with \`sage inbox accept ${id}\` or \`sage inbox drop ${id}\`; go on without it.`;
  const shown = { id, title, updated: "", scope: "project" as const, author: "agent", flags: [] };
  const change = diff === "" ? "" : fenced(memory, [{ ...shown, text: diff }]);
  return {
    kind: "done",
    text: [message, `Text:\n${text}`, change].filter((part) => part !== "").join("\n\n"),
    data: {
      ...{ outcome: "proposed", message, question_id: id, question, text },
      ...(change === "" ? {} : { diff: change }),
    },
  };
}
