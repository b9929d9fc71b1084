/** Todos: list, add, change. */
import { defined } from "../../base/defined.ts";
import { z } from "zod";
import { todoInput } from "../../mcp/tools/todo.ts";
import { addTodo, listTodos, setTodo } from "../../memory/todo.ts";
import { listRoute } from "../list_route.ts";
import { edited, notFound, saved } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { flag, saveOutcome, todoItem } from "../shapes.ts";

const { status, priority, due, content, context, source } = todoInput.shape;

export const listTodosRoute = listRoute({
  path: "/todos",
  name: "listTodos",
  summary: "Open todos by priority, then age; all of them, or those of one status",
  item: todoItem,
  filter: { status, all: flag },
  list: listTodos,
});

export const addTodoRoute = defineRoute({
  method: "POST",
  path: "/todos",
  name: "addTodo",
  summary: "Keep a task",
  input: z.strictObject({ content: content.unwrap(), context, priority, due, source }),
  output: saveOutcome,
  creates: true,
  async run({ memory, input: { content, ...rest }, author }) {
    return saved(await addTodo(memory, { content, ...defined(rest) }, author));
  },
});

export const updateTodoRoute = defineRoute({
  method: "PATCH",
  path: "/todos/{id}",
  name: "updateTodo",
  summary: "Set a task's status, priority, due date or source",
  input: z.strictObject({ status, priority, due, source }),
  output: z.looseObject({ note: todoItem }),
  replaces: true,
  async run({ memory, params: { id = "" }, input, author, expected: expectedHash }) {
    const outcome = await setTodo(memory, id, defined(input), author, { expectedHash });
    switch (outcome.kind) {
      case "updated":
        return done({ note: outcome.item });
      case "edited":
        return edited(outcome.reason);
      case "many":
      case "none":
        return notFound(id, outcome);
      case "refused":
        return saved(outcome);
    }
  },
});
