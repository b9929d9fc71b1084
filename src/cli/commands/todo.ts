/** `sage todo`: what is to be done, by priority. */
import { parseTime } from "../../base/clock.ts";
import { addTodo, listTodos, setTodo, type TodoItem, type TodoStatus } from "../../memory/todo.ts";
import { type Answer, dim, failed, type Line, type Span, styled } from "../answer.ts";
import { chosen, toItems } from "../choice.ts";
import { type CommandGroup, defineVerb, type Verb } from "../command.ts";
import type { Io } from "../io.ts";
import { noneAnswer, saveAnswer } from "../outcome.ts";
import { removeVerb } from "../remove.ts";
import { restoreRemovedVerb } from "../restore_removed.ts";
import { triageVerb } from "../todo_triage.ts";
import { moreNotice, when, whenHeading } from "../print.ts";
import { table } from "../table.ts";
import { authorOf, withMemory } from "../with_memory.ts";

const STATUSES = ["pending", "in_progress", "blocked", "done"] as const;
const PRIORITIES = ["high", "medium", "low"] as const;

const add = defineVerb({
  summary: "note something to do",
  usage: "sage todo add <text> [--priority high|medium|low] [--due <date>]",
  operands: [1, Infinity],
  options: {
    priority: { type: "string", choices: PRIORITIES, summary: "how much it matters" },
    due: { type: "string", value: "date", summary: "by when (2026-01-31)" },
    source: { type: "string", value: "id", summary: "the note it came from" },
    context: { type: "string", value: "text", summary: "what to know when doing it" },
  },
  examples: ['sage todo add "Test the refresh under load" --priority high --due 2026-01-31'],
  run(input, io) {
    const { options: { priority, due, source, context }, rest } = input;
    return withMemory(input, io, async (memory) => {
      const todo = {
        content: rest.join(" "),
        ...(priority === undefined ? {} : { priority }),
        ...(due === undefined ? {} : { due }),
        ...(source === undefined ? {} : { source }),
        ...(context === undefined ? {} : { context }),
      };
      return saveAnswer(await addTodo(memory, todo, authorOf(io)), "todo");
    });
  },
});

const list = defineVerb({
  summary: "what is open, by priority",
  usage: "sage todo list [--status <status>] [--all] [--limit <n>]",
  operands: [0, 0],
  options: {
    status: { type: "string", choices: STATUSES, summary: "only these" },
    all: { type: "boolean", summary: "also what is done" },
    limit: { type: "number", min: 1, max: 10000, summary: "at most this many, all by default" },
  },
  run(input, io) {
    const { status, all, limit } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const found = await listTodos(memory, { all, ...(status === undefined ? {} : { status }) });
      const items = found.slice(0, limit);
      const total = found.length;
      const heading = ["id", whenHeading(io), "status", "priority", "due", "todo"].map(dim);
      const rows = items.map((item) => row(io, item, memory.now()));
      const text: Line[] = items.length === 0
        ? [status === undefined ? "Nothing to do." : `No todo is ${status.replace("_", " ")}.`]
        : table(io, [heading, ...rows]);
      return { json: { items, total }, text, notices: moreNotice(items, total, "todo") };
    });
  },
});

function row(io: Io, item: TodoItem, nowMs: number): Span[] {
  const due = item.due ?? "-";
  const late = item.due !== undefined && item.todo_status !== "done" &&
    (parseTime(item.due) ?? Infinity) < nowMs - 86_400_000;
  return [
    dim(item.short_id),
    when(io, item.created, nowMs),
    item.todo_status.replace("_", " "),
    item.priority,
    late ? styled(due, "yellow") : due,
    item.content,
  ];
}

/** A verb that moves todos to a status; several at once, since that is how people clear a list. */
function move(verb: string, status: TodoStatus, summary: string): Verb {
  return defineVerb({
    summary,
    usage: `sage todo ${verb} <id>…`,
    operands: [1, 50],
    options: {},
    run(input, io) {
      const { rest, json } = input;
      return withMemory(input, io, (memory) => {
        const set = async (ref: string): Promise<Answer> => {
          const outcome = await setTodo(memory, ref, { status });
          switch (outcome.kind) {
            case "none":
              return noneAnswer("todo", ref, outcome.nearest);
            case "refused":
              return saveAnswer(outcome, "todo");
            case "many": {
              const items = toItems(outcome.items);
              return await chosen(io, items, { ref, nowMs: memory.now(), json }, set);
            }
            case "edited":
              return failed({
                code: "conflict",
                message: `${outcome.path}: ${outcome.reason}`,
                hint: "repeat",
              }, { json: { id: outcome.id, path: outcome.path } });
            case "updated":
              return {
                json: { items: [outcome.item] },
                text: [
                  `${outcome.item.short_id} is ${
                    status.replace("_", " ")
                  }: ${outcome.item.content}`,
                ],
              };
          }
        };
        return joined(rest, set);
      });
    },
  });
}

/** One after the other; the first that fails ends it, and what was done before is said. */
async function joined(
  refs: readonly string[],
  set: (ref: string) => Promise<Answer>,
): Promise<Answer> {
  const items: unknown[] = [];
  const text: Line[] = [];
  for (const ref of refs) {
    const answer = await set(ref);
    text.push(...answer.text);
    if (answer.error !== undefined) {
      return { ...answer, text, json: { ...answer.json, done: items } };
    }
    items.push(...answer.json.items as unknown[]);
  }
  return { json: { items }, text };
}

export const command: CommandGroup = {
  verbs: {
    add,
    list,
    start: move("start", "in_progress", "say that it is being done"),
    block: move("block", "blocked", "say that it cannot go on"),
    done: move("done", "done", "say that it is done"),
    reopen: move("reopen", "pending", "say that it is open again"),
    rm: removeVerb("todo"),
    restore: restoreRemovedVerb("todo"),
    triage: triageVerb,
  },
  fallback: "list",
};
