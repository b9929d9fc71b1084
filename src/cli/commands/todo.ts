/** `sage todo`: what is to be done, by priority. */
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { findNote } from "../../memory/find.ts";
import { NOTE_BYTES_MAX } from "../../base/limits.ts";
import { settle } from "../../memory/index/settle.ts";
import {
  addTodo,
  setTodo,
  type TodoChange,
  type TodoItem,
  todoPage,
  type TodoStatus,
} from "../../memory/todo.ts";
import { DUE_FORMS, lateFrom } from "../../note/due.ts";
import { PRIORITIES, renderTask, TODO_STATUSES } from "../../note/todo.ts";
import { type Answer, dim, failed, type Span, styled } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb, type Input, type Verb } from "../command.ts";
import { flaggedTitle } from "../terminal/flagged.ts";
import { oneByOne } from "../one_by_one.ts";
import type { Io } from "../io.ts";
import { notOne } from "../note_operand.ts";
import { saveAnswer } from "../outcome.ts";
import { showVerb } from "../show.ts";
import { removeVerb } from "../remove.ts";
import { restoreRemovedVerb } from "../restore_removed.ts";
import { triageVerb } from "../todo_triage.ts";
import { typedText } from "../piped.ts";
import { limitOption, moreNotice, rowsMax, when, whenHeading } from "../terminal/print.ts";
import { listing } from "../terminal/table.ts";
import { authorOf, withMemory } from "../with_memory.ts";

const DETAILS = {
  priority: { type: "string", choices: PRIORITIES, summary: "how much it matters" },
  due: { type: "string", value: "date", summary: `by when: ${DUE_FORMS}` },
  source: { type: "string", value: "id", summary: "the note it came from, or an address" },
} as const;

const add = defineVerb({
  summary: "add something to do",
  usage: "sage todo add <text>|- [--priority high|medium|low] [--due <date>]",
  operands: [0, Infinity],
  options: {
    ...DETAILS,
    context: { type: "string", value: "text", summary: "what to know when doing it" },
  },
  details: "Without a text, or with -, the text of one todo is read from stdin.",
  examples: ['sage todo add "Test the refresh under load" --priority high --due friday'],
  async run(input, io) {
    const { options: { priority, due, source, context }, rest } = input;
    const content = await typedText(io, rest, NOTE_BYTES_MAX);
    if (content === "" && rest.length === 0) {
      throw new SageError("usage", "Nothing to add: say what is to be done", {
        hint: 'sage todo add "…"',
      });
    }
    return await withMemory(input, io, async (memory) => {
      const todo = { content, ...defined({ priority, due, source, context }) };
      return saveAnswer(await addTodo(memory, todo, authorOf(io)), "todo");
    });
  },
});

const list = defineVerb({
  summary: "what is open, by priority",
  usage: "sage todo list [--status <status>] [--all] [--limit <n>] [--markdown]",
  options: {
    status: { type: "string", choices: TODO_STATUSES, summary: "only these" },
    all: { type: "boolean", summary: "also what is done" },
    markdown: { type: "boolean", summary: "as a task list for the Tasks plugin of Obsidian" },
    limit: limitOption({ everywhere: false }),
  },
  examples: ["sage todo list --all --markdown > Todos.md"],
  run(input, io) {
    const { status, all, limit, markdown } = input.options;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      // A task list goes into a file, or is copied whole.
      const most = markdown ? limit : rowsMax(io, input.json, limit);
      const filter = { all, ...defined({ status, limit: most }) };
      const { items, total } = await todoPage(memory, filter);
      if (markdown) return { json: { items, total }, text: items.map(task) };
      const heading = ["id", whenHeading(io), "status", "priority", "due", "todo"];
      const rows = items.map((item) => row(io, item, memory.now()));
      const nothing = status === undefined
        ? "Nothing to do."
        : `No todo is ${status.replace("_", " ")}.`;
      const text = listing(io, heading, rows, nothing);
      return { json: { items, total }, text, notices: moreNotice(items, total, "todo") };
    });
  },
});

function task({ todo_status, priority, ...item }: TodoItem): string {
  const { content, due, source, completed } = item;
  return renderTask({
    ...{ content, due, source, completed },
    status: TODO_STATUSES.find((known) => known === todo_status) ?? "pending",
    priority: PRIORITIES.find((known) => known === priority) ?? "medium",
  });
}

function row(io: Io, item: TodoItem, nowMs: number): Span[] {
  const due = item.due ?? "-";
  const late = item.due !== undefined && item.todo_status !== "done" &&
    (lateFrom(item.due) ?? Infinity) <= nowMs;
  return [
    dim(item.short_id),
    when(io, item.created, nowMs),
    item.todo_status.replace("_", " "),
    item.priority,
    late ? styled(due, "yellow") : due,
    flaggedTitle({ ...item, title: item.content }),
  ];
}

/** A verb that moves todos to a status; several at once, since that is how people clear a list. */
function move(verb: string, status: TodoStatus, summary: string): Verb {
  return defineVerb({
    summary,
    usage: `sage todo ${verb} <id>…`,
    operands: [1, 50],
    run: (input, io) => setAll(input, io, { status }),
  });
}

const update = defineVerb({
  summary: "change due date, priority or source",
  usage: "sage todo update <id>… [--due <date>] [--priority high|medium|low] [--source <id>]",
  operands: [1, 50],
  options: DETAILS,
  details: "--due none and --source none remove them.",
  examples: ["sage todo update 1f2e3d4c --due tomorrow --priority high"],
  run(input, io) {
    const { priority, due, source } = input.options;
    const change = defined({ priority, due, source });
    if (Object.keys(change).length === 0) {
      throw new SageError("usage", "Nothing to change", {
        hint: "give --due, --priority or --source",
      });
    }
    return setAll(input, io, change);
  },
});

function setAll(input: Input, io: Io, change: TodoChange): Promise<Answer> {
  const { rest, json } = input;
  return withMemory(input, io, async (opened) => {
    const memory = await settle(opened);
    const set = async (ref: string): Promise<Answer> => {
      const outcome = await setTodo(memory, ref, change, authorOf(io));
      switch (outcome.kind) {
        case "none":
        case "many":
          return await notOne(memory, io, { kind: "todo", ref, json }, outcome, set);
        case "refused":
          return saveAnswer(outcome, "todo");
        case "edited":
          return failed({
            code: "conflict",
            message: `${outcome.path}: ${outcome.reason}`,
            hint: "repeat",
          }, { json: { id: outcome.id, path: outcome.path } });
        case "updated":
          return { json: { items: [outcome.item] }, text: [said(outcome.item, change)] };
      }
    };
    // Words that are the title of one, unquoted as every other verb takes it.
    const whole = rest.join(" ");
    const isOne = rest.length > 1 && (await findNote(memory, whole, ["todo"])).kind === "one";
    return await oneByOne(isOne ? [whole] : rest, set);
  });
}

function said(item: TodoItem, { status }: TodoChange): string {
  const { short_id, content, todo_status, priority, due } = item;
  if (status !== undefined) return `${short_id} is ${todo_status.replace("_", " ")}: ${content}`;
  const by = due === undefined ? "" : `, due ${due}`;
  return `${short_id} is of ${priority} priority${by}: ${content}`;
}

export const command: CommandGroup = {
  verbs: {
    add,
    list,
    show: showVerb("todo"),
    update,
    start: move("start", "in_progress", "mark it as in progress"),
    block: move("block", "blocked", "mark it as blocked"),
    done: move("done", "done", "mark it as done"),
    reopen: move("reopen", "pending", "mark it as open again"),
    rm: removeVerb("todo"),
    restore: restoreRemovedVerb("todo"),
    triage: triageVerb,
  },
  fallback: "list",
  sentence: 'sage todo add "…"',
};
