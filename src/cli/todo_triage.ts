/** `sage todo triage`: makes a todo, or nothing, of each question that earlier sessions left open. */
import { count } from "../base/text/text.ts";
import type { Memory } from "../memory/memory.ts";
import {
  type OpenQuestion,
  openQuestions,
  triage,
  type Triaged,
} from "../memory/session/triage.ts";
import { type Answer, dim, type Line } from "./terminal/answer.ts";
import { defineVerb } from "./command.ts";
import type { Io } from "./io.ts";
import { saveAnswer } from "./outcome.ts";
import { ago, renderLines } from "./terminal/print.ts";
import { canAsk, choose } from "./terminal/prompt.ts";
import { authorOf, withMemory } from "./with_memory.ts";

export const triageVerb = defineVerb({
  summary: "turn questions that sessions left open into todos, or drop them",
  usage: "sage todo triage [--accept <a,b>] [--drop <a,b>]",
  options: {
    accept: { type: "list", summary: "make todos of these, by their ids" },
    drop: { type: "list", summary: "never ask about these again" },
  },
  details:
    "Goes through the sessions of the last 30 days, and the checkpoints that you saved outside of one (--open). On a terminal you are asked about each question; otherwise they are listed, and --accept and --drop decide.",
  examples: ["sage todo triage", "sage todo triage --accept 1f2e3d4c --drop 5a6b7c8d"],
  run(input, io) {
    const { accept, drop } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      if (accept.length + drop.length > 0) {
        return done(await triage(memory, { accept, drop }, authorOf(io)));
      }
      const open = await openQuestions(memory);
      if (open.length > 0 && canAsk(io) && !input.json) return await askEach(memory, io, open);
      return {
        json: { items: open },
        text: open.length === 0
          ? ["No session left a question open."]
          : open.flatMap((question) => questionLines(memory, io, question)),
        notices: open.length === 0
          ? []
          : [`to decide: sage todo triage --accept ${open[0]?.id} or --drop ${open[0]?.id}`],
      };
    });
  },
});

function questionLines(memory: Memory, io: Io, question: OpenQuestion): Line[] {
  const { id, session_title: title, asked } = question;
  return [
    [dim(`${id}  `), question.question],
    dim(`          ${ago(io, asked, memory.now())}, in "${title}"`),
  ];
}

const CHOICES = ["make it a todo", "never ask again", "leave it open"];

async function askEach(memory: Memory, io: Io, open: readonly OpenQuestion[]): Promise<Answer> {
  const results: Triaged[] = [];
  for (const [i, question] of open.entries()) {
    const head: Line[] = ["", dim(`${i + 1} of ${open.length}`)];
    io.err(renderLines([...head, ...questionLines(memory, io, question)], io.color));
    const chosen = await choose(io, "What becomes of it?", CHOICES);
    const accept = chosen === 0 ? [question.id] : [];
    const drop = chosen === 1 ? [question.id] : [];
    // Saved at once, so that somebody who stops half-way knows what was decided.
    if (chosen === 0 || chosen === 1) {
      results.push(await triage(memory, { accept, drop }, authorOf(io)));
    }
  }
  const added = results.flatMap((result) => result.added);
  const dropped = results.flatMap((result) => result.dropped);
  return done({ added, dropped, left: open.length - added.length - dropped.length });
}

function done({ added, dropped, left }: Triaged): Answer {
  const answers = added.map(({ outcome }) => saveAnswer(outcome, "todo"));
  const error = answers.find((answer) => answer.error !== undefined)?.error;
  return {
    json: { items: answers.map(({ json }) => json), dropped: dropped.map(({ id }) => id), left },
    text: [
      ...answers.flatMap(({ text }) => text),
      ...(dropped.length === 0 ? [] : [`Dropped ${count(dropped.length, "question")}.`]),
      ...(left === 0 ? [] : [`${count(left, "question")} left open.`]),
    ],
    error,
  };
}
