/** One tool for what to do: add, list, update. */
import { z } from "zod";
import { addTodo, listTodos, setTodo, type TodoItem } from "../../memory/todo.ts";
import type { Memory } from "../../memory/memory.ts";
import { ambiguous, type Answer, edited, failed, saved, say, unknown } from "../answer.ts";
import { quoted } from "../fenced.ts";
import { ADDS, defineTool } from "../tool.ts";
import { agent, given, label, listing, prose } from "./shapes.ts";

export const todoInput = z.strictObject({
  action: z.enum(["add", "list", "update"]),
  content: label.optional(),
  context: prose.optional(),
  priority: z.enum(["high", "medium", "low"]).optional(),
  due: label.optional(),
  source: label.optional(),
  status: z.enum(["pending", "in_progress", "blocked", "done"]).optional(),
  id: label.optional(),
});

type Input = z.output<typeof todoInput>;

const LIST_LIMIT = 30;

export const todoTool = defineTool({
  name: "sage_todo",
  title: "Todos",
  description:
    "Work that outlives the session. add {content}; list {status?}, open by default; update {id, status}.",
  unadvertised: ["context", "source"],
  input: todoInput,
  output: z.looseObject({ message: z.string() }),
  annotations: ADDS,
  async run(memory, args) {
    switch (args.action) {
      case "add":
        return await add(memory, args);
      case "list":
        return await list(memory, args);
      case "update":
        return await update(memory, args);
    }
  },
});

async function add(
  memory: Memory,
  { content, context, priority, due, source }: Input,
): Promise<Answer> {
  if (content === undefined) {
    return failed('sage_todo: to add, give "content": the task in one line.');
  }
  const draft = { content, ...given({ context, priority, due, source }) };
  return saved("todo", await addTodo(memory, draft, agent(memory, { explicit: true })));
}

async function list(memory: Memory, { status }: Input): Promise<Answer> {
  const items = await listTodos(memory, given({ status }));
  const notes = items.slice(0, LIST_LIMIT).map((item) => ({
    ...item,
    text: item.context ?? "",
    facts: { status: item.todo_status, priority: item.priority, ...given({ due: item.due }) },
  }));
  return listing(memory, notes, (shown) => {
    if (shown === 0) return status === undefined ? "No open todos." : `No todo is ${status}.`;
    const rest = items.length - shown;
    return `${shown} of ${items.length}.${
      rest === 0 ? "" : " search_notes {type: todo} finds the others."
    }`;
  });
}

async function update(
  memory: Memory,
  { id, status, priority, due, content }: Input,
): Promise<Answer> {
  if (id === undefined) {
    return failed('sage_todo: to update, give "id"; action "list" shows the ids.');
  }
  if (content !== undefined) {
    return failed("sage_todo: the wording stays; set this one done and add another.");
  }
  const change = given({ status, priority, due });
  if (Object.keys(change).length === 0) {
    return failed("sage_todo: to update, give status, priority or due.");
  }
  const outcome = await setTodo(memory, id, change);
  switch (outcome.kind) {
    case "updated":
      return updated(outcome.item);
    case "edited":
      return edited(outcome.id, outcome.reason);
    case "many":
      return ambiguous(id, outcome.items);
    case "none":
      return unknown("todo", id, outcome.nearest);
    case "refused":
      return saved("todo", outcome);
  }
}

function updated({ id, short_id, title, todo_status, priority }: TodoItem): Answer {
  const message = `Todo ${short_id} ${quoted(title)} is ${todo_status}, ${priority} priority.`;
  return say("updated", message, { id, short_id, status: todo_status });
}
