/**
 * The open todos as an orientation tells them: how many, and the one that presses most. What is at work
 * comes first, then what is overdue, then what weighs more, then what came last.
 */
import { DAY_MS } from "../../base/clock.ts";
import { lateFrom } from "../../note/due.ts";
import { readTodo, type Todo } from "../../note/todo.ts";
import { type Entry, newestFirst, readEntries } from "../entries.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../open_part.ts";
import { quote } from "../recalled.ts";

export interface OpenTodos {
  readonly text: string;
  /** From when on another todo may press more, because it is overdue then. */
  readonly until: number;
}

/** Later than that, the day that a todo is due presses nobody. */
const SOON_DAYS = 7;
/** Priority and date stand in the files; more of them than that are not read while somebody waits. */
const READ_MAX = 40;
const WEIGHTS: Readonly<Record<Todo["priority"], number>> = { high: 2, medium: 1, low: 0 };

export async function openTodos(
  memory: Memory,
  entries: readonly Entry[],
): Promise<OpenTodos | undefined> {
  const open = entries.filter(({ note }) => note.kind === "todo").sort(byWork);
  const [first] = open;
  if (first === undefined) return undefined;
  const read = await readEntries(
    open.slice(0, READ_MAX),
    ({ note }) => readTodo(withoutPrivate(note)),
  );
  const now = memory.now();
  const [most] = [...read].sort((a, b) => pressure(b, now) - pressure(a, now));
  const dues = read.flatMap((todo) => lateFrom(todo.due) ?? []).filter((due) => due > now);
  return {
    text: line(most?.content ?? first.note.title, most, now, open.length - 1),
    until: Math.min(Infinity, ...dues),
  };
}

function line(title: string, most: Todo | undefined, now: number, others: number): string {
  const more = others === 0 ? "" : ` and ${others} more`;
  const due = most?.due === undefined ? "" : most.due.trim().slice(0, 10);
  const dueAt = most === undefined ? Infinity : lateFrom(most.due) ?? Infinity;
  const when = dueAt > now + SOON_DAYS * DAY_MS
    ? ""
    : dueAt <= now
    ? `, overdue since ${due}`
    : `, due ${due}`;
  return `- Open todos: ${quote(title, 80)}${when}${more} (sage_todo).`;
}

function byWork(a: Entry, b: Entry): number {
  const isAtWork = ({ note }: Entry): number => Number(note.status === "in_progress");
  return isAtWork(b) - isAtWork(a) || newestFirst(a, b);
}

function pressure(todo: Todo, now: number): number {
  const isOverdue = (lateFrom(todo.due) ?? Infinity) <= now;
  return (todo.status === "in_progress" ? 8 : 0) + (isOverdue ? 4 : 0) + WEIGHTS[todo.priority];
}
