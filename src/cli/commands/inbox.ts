/** `sage inbox`: what an agent asks to write and only a person decides. One letter answers each. */
import { dayOf } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Accepted, type AcceptOptions, acceptQuestion } from "../../memory/question/accept.ts";
import {
  damagedQuestions,
  decline,
  findQuestion,
  listInbox,
  putOff,
  type Question,
} from "../../memory/question/question.ts";
import { type Answer, bold, dim, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb, type Input } from "../command.ts";
import { diffLines } from "../terminal/diff_lines.ts";
import type { Io } from "../io.ts";
import { CHOICE_ALIASES, KNOWLEDGE_CHOICES, knowledgeAnswer } from "../knowledge/add.ts";
import { promotedAnswer } from "../knowledge/promote.ts";
import { patchAnswer } from "../knowledge/history.ts";
import { renderLines, when, whenHeading } from "../terminal/print.ts";
import { canAsk, letter } from "../terminal/prompt.ts";
import { recalledPage } from "../recalled.ts";
import { listing, proseLines } from "../terminal/table.ts";
import { authorOf, refuseAgents, withMemory } from "../with_memory.ts";

const ON_CONFLICT = {
  type: "string",
  choices: KNOWLEDGE_CHOICES,
  aliases: CHOICE_ALIASES,
  summary: "what to do if there is a note about the same by now",
} as const;

const list = defineVerb({
  summary: "list what waits for your yes or no; on a terminal, answer each",
  usage: "sage inbox [list] [--all]",
  options: { all: { type: "boolean", summary: "also preferences for other projects only" } },
  details:
    "An agent has to ask before it saves a preference of yours, knowledge for every project, or a large rearrangement. Nothing is written until you accept; what you drop is not asked again. When a session ends, Sage itself asks about preferences that you stated in it, for every project if you said so. An accepted preference is pinned, so that every session starts with it. You are also asked about a note of one project that was used in others three times. On a terminal a, l, d, s and q answer each.",
  run(input, io) {
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const { items, elsewhere } = listInbox(memory, input.options.all);
      for (const path of damagedQuestions(memory)) {
        memory.warn?.(`left out: ${path} is damaged; sage doctor says what to do`);
      }
      const more = elsewhere === 0
        ? []
        : [`${count(elsewhere, "question")} of other projects: sage inbox --all`];
      if (items.length > 0 && canAsk(io) && !input.json && authorOf(io).by === "person") {
        const answer = await askEach(memory, io, items);
        return { ...answer, notices: more };
      }
      const heading = ["id", whenHeading(io), "project", "question"];
      const rows = items.map((item): Span[] => [
        dim(item.id),
        when(io, item.asked, memory.now()),
        item.project.name,
        item.question,
      ]);
      const lines = listing(io, heading, rows, "Nothing waits for you.");
      const how = "sage inbox show <id> shows one, accept, later or drop answers it";
      return {
        json: { items, total: items.length, ...(elsewhere > 0 && { elsewhere }) },
        text: fencedLines(memory, io, items[0], lines),
        notices: [...(items.length === 0 ? [] : [how]), ...more],
      };
    });
  },
});

const show = defineVerb({
  summary: "one question with its text and what it would change",
  usage: "sage inbox show <id>",
  operands: [1, 1],
  run(input, io) {
    return withMemory(input, io, (memory) => {
      const question = findQuestion(memory, input.rest[0] ?? "");
      return {
        json: { question },
        text: fencedLines(memory, io, question, questionLines(io, question)),
      };
    });
  },
});

const accept = defineVerb({
  summary: "say yes: it is written, in the project where it was asked",
  usage: "sage inbox accept <id> [--user] [--on-conflict <which>]",
  operands: [1, 1],
  options: {
    user: { type: "boolean", summary: "for you alone, in all your projects" },
    "on-conflict": ON_CONFLICT,
  },
  run: (input, io) =>
    answering(input, io, (memory, question) => {
      const { user, "on-conflict": onConflict } = input.options;
      if (user && question.act.kind !== "save") {
        throw new SageError("usage", "--user is about what is to be remembered");
      }
      return accepted(memory, io, question, {
        ...defined({ onConflict }),
        ...(user && { scope: "user" }),
      });
    }),
});

const later = defineVerb({
  summary: "not now: no session mentions it for a week",
  usage: "sage inbox later <id>",
  operands: [1, 1],
  run: (input, io) =>
    answering(input, io, (memory, question) => {
      const until = putOff(memory, question);
      return {
        json: { id: question.id, later: until },
        text: [`Put off until ${dayOf(until)}: ${question.question}`],
      };
    }),
});

const drop = defineVerb({
  summary: "say no: its text is deleted, and it is not asked again",
  usage: "sage inbox drop <id>",
  operands: [1, 1],
  details: "Needs the whole id. The other commands take three characters or more of its beginning.",
  run: (input, io) =>
    answering(input, io, (memory, question) => {
      decline(memory, question);
      return { json: { dropped: question.id }, text: [`Dropped: ${question.question}`] };
    }, { isWhole: true }),
});

/** A person's answer to the question that the operand names. */
function answering(
  input: Input,
  io: Io,
  body: (memory: Memory, question: Question) => Answer | Promise<Answer>,
  options: Parameters<typeof findQuestion>[2] = {},
): Promise<Answer> {
  refuseAgents(io, "Only a person may answer a question", "sage inbox");
  return withMemory(
    input,
    io,
    (memory) => body(memory, findQuestion(memory, input.rest[0] ?? "", options)),
  );
}

async function accepted(
  memory: Memory,
  io: Io,
  question: Question,
  options: AcceptOptions = {},
): Promise<Answer> {
  const done: Accepted = await acceptQuestion(memory, question, options);
  const answer = done.kind === "save"
    ? knowledgeAnswer(memory, io, done.outcome)
    : done.kind === "promote"
    ? promotedAnswer(done.outcome)
    : patchAnswer(done.outcome, done.into, "Merged into");
  return answer.error === undefined ? answer : {
    ...answer,
    notices: [...answer.notices ?? [], `it still waits: sage inbox show ${question.id}`],
  };
}

const KEYS = { a: "accept", l: "later", d: "drop", s: "skip", q: "quit" } as const;

/** One after the other. What was answered before the person left stays answered. */
async function askEach(memory: Memory, io: Io, questions: readonly Question[]): Promise<Answer> {
  let [yes, no] = [0, 0];
  for (const [i, question] of questions.entries()) {
    const head: Line = dim(`${i + 1} of ${questions.length} · ${question.project.name}`);
    io.err(renderLines(["", head, ...questionLines(io, question)], io.color));
    const key = await letter(io, "accept, later, drop, skip or quit?", KEYS);
    if (key === "q") break;
    if (key === "s") continue;
    if (key === "l") {
      putOff(memory, question);
      continue;
    }
    if (key === "d") {
      decline(memory, question);
      no++;
      continue;
    }
    const answer = await accepted(memory, io, question);
    if (answer.error === undefined) yes++;
    const said = answer.error === undefined ? answer.text : [answer.error.message];
    io.err(renderLines([...said, ...answer.notices ?? []], io.color));
  }
  const left = questions.length - yes - no;
  const rest = left === 0 ? "" : `, ${count(left, "question")} left`;
  return {
    json: { accepted: yes, dropped: no, left },
    text: [`${yes} accepted, ${no} dropped${rest}.`],
  };
}

function questionLines(io: Io, { question, text, diff }: Question): Line[] {
  // A sentence that it quotes whole would only stand there twice.
  const isQuoted = question.includes(text.trim().replace(/\.$/, ""));
  return [
    ...proseLines(io, question).map(bold),
    ...(isQuoted ? [] : text.split("\n").flatMap((line) => proseLines(io, line, "  "))),
    ...(diff === "" ? [] : [dim("from what is there to this:"), ...diffLines(diff)]),
  ];
}

/** Words that an agent wrote reach an agent as data. */
function fencedLines(
  memory: Memory,
  io: Io,
  question: Question | undefined,
  lines: readonly Line[],
): readonly Line[] {
  if (question === undefined) return lines;
  const { id, title, asked } = question;
  return recalledPage(memory, io, { short_id: id, title, scope: "user", updated: asked }, lines);
}

export const command: CommandGroup = {
  verbs: { list, show, accept, later, drop },
  fallback: "list",
};
