/** One tool for what to do: add, list, update, remove, and what sessions left open. */
import { defined } from "../../base/defined.ts";
import { z } from "zod";
import { removeNote } from "../../memory/removal/remove.ts";
import { openQuestions, triage } from "../../memory/session/triage.ts";
import { addTodo, setTodo, type TodoItem, todoPage } from "../../memory/todo.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, edited, failed, notFound, saved, say } from "../answer.ts";
import { quoted } from "../fenced.ts";
import { ADDS, defineTool } from "../tool.ts";
import { agent, label, labels, listing, prose } from "./shapes.ts";

export const todoInput = z.strictObject({
  action: z.enum(["add", "list", "update", "remove", "triage"]),
  content: label.optional(),
  context: prose.optional(),
  priority: z.enum(["high", "medium", "low"]).optional(),
  due: label.optional(),
  source: label.optional(),
  status: z.enum(["pending", "in_progress", "blocked", "done"]).optional(),
  id: label.optional(),
  accept: labels.optional(),
  drop: labels.optional(),
});

type Input = z.output<typeof todoInput>;

const LIST_LIMIT = 30;

export const todoTool = defineTool({
  name: "sage_todo",
  title: "Todos",
  description:
    "Work that outlives the session: add {content}; list {status?}; update {id, status}; remove {id}; triage open questions.",
  unadvertised: ["context", "source", "accept", "drop"],
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
      case "remove":
        return await remove(memory, args);
      case "triage":
        return await decide(memory, args);
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
  const draft = { content, ...defined({ context, priority, due, source }) };
  return saved("todo", await addTodo(memory, draft, agent(memory)));
}

async function list(memory: Memory, { status }: Input): Promise<Answer> {
  const { items, total } = await todoPage(memory, { limit: LIST_LIMIT, ...defined({ status }) });
  const notes = items.map((item) => ({
    ...item,
    text: item.context ?? "",
    facts: { status: item.todo_status, priority: item.priority, ...defined({ due: item.due }) },
  }));
  return listing(memory, notes, (shown) => {
    if (shown === 0) return status === undefined ? "No open todos." : `No todo is ${status}.`;
    const rest = total - shown;
    return `${shown} of ${total}.${
      rest === 0 ? "" : " search_notes {type: todo} finds the others."
    }`;
  });
}

async function update(
  memory: Memory,
  { id, status, priority, due, source, content }: Input,
): Promise<Answer> {
  if (id === undefined) {
    return failed('sage_todo: to update, give "id"; action "list" shows the ids.');
  }
  if (content !== undefined) {
    return failed("sage_todo: the wording stays; set this one done and add another.");
  }
  const change = defined({ status, priority, due, source });
  if (Object.keys(change).length === 0) {
    return failed("sage_todo: to update, give status, priority, due or source.");
  }
  const outcome = await setTodo(memory, id, change, agent(memory));
  switch (outcome.kind) {
    case "updated":
      return updated(outcome.item);
    case "edited":
      return edited(outcome.id, outcome.reason);
    case "many":
    case "none":
      return notFound("todo", id, outcome);
    case "refused":
      return saved("todo", outcome);
  }
}

async function remove(memory: Memory, { id }: Input): Promise<Answer> {
  if (id === undefined) {
    return failed('sage_todo: to remove, give "id"; action "list" shows the ids.');
  }
  const outcome = await removeNote(memory, id, ["todo"]);
  switch (outcome.kind) {
    case "removed": {
      const { id, short_id, title, restore_until } = outcome;
      const message = `Removed todo ${short_id} ${quoted(title)}; it can be restored until ${
        restore_until.slice(0, 10)
      }.`;
      return say("removed", message, { id, short_id });
    }
    case "many":
    case "none":
      return notFound("todo", id, outcome);
  }
}

/** Without a choice, lists the open questions; with one, carries it out. */
async function decide(memory: Memory, { accept = [], drop = [] }: Input): Promise<Answer> {
  if (accept.length + drop.length > 0) {
    const done = await triage(memory, { accept, drop }, agent(memory));
    const lost = done.added.find(({ outcome }) =>
      outcome.kind !== "saved" && outcome.kind !== "duplicate"
    );
    if (lost !== undefined) return saved("todo", lost.outcome);
    const message = `${done.added.length} made into todos, ${done.dropped.length} dropped, ` +
      `${done.left} left open.`;
    return say("triaged", message, { left: done.left });
  }
  const open = await openQuestions(memory);
  const notes = open.slice(0, LIST_LIMIT).map(({ id, question, session_title, asked }) => ({
    id,
    title: session_title,
    updated: asked,
    scope: "project" as const,
    flags: [],
    author: "sage",
    text: question,
  }));
  return listing(
    memory,
    notes,
    (shown) =>
      shown === 0
        ? "No session left a question open."
        : `${shown} of ${open.length} open. Ask the person what matters, then triage with accept ` +
          "(becomes a todo) and drop (never asked again), by id.",
  );
}

function updated({ id, short_id, title, todo_status, priority }: TodoItem): Answer {
  const message = `Todo ${short_id} ${quoted(title)} is ${todo_status}, ${priority} priority.`;
  return say("updated", message, { id, short_id, status: todo_status });
}
