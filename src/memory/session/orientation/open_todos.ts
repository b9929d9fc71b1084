/**
 * The open todos for an orientation: how many, and the most pressing one. First those in progress, then
 * those that became overdue lately, then by priority, then the newest.
 */
import { DAY_MS, parseTime } from "../../../base/clock.ts";
import { lateFrom } from "../../../note/due.ts";
import { readTodo, type Todo } from "../../../note/todo.ts";
import { type Entry, newestFirst, readEntries } from "../../index/entries.ts";
import type { Memory } from "../../memory.ts";
import { withoutPrivate } from "../../write/public_part.ts";
import { quote } from "../../recalled.ts";

interface Pressing extends Todo {
  readonly touchedMs: number;
}

interface OpenTodos {
  readonly text: string;
  /** When another todo may be more pressing, because it becomes overdue. */
  readonly until: number;
}

/** A due date further away is not mentioned. */
const SOON_DAYS = 7;
/** A todo overdue by this many days, or begun and untouched for as long, is no more urgent than others. */
const LATE_DAYS = 30;
const AT_WORK_DAYS = 14;
/** Priority and date stand in the files, of which no more than these are read while somebody waits. */
const READ_MAX = 40;
const WEIGHTS: Readonly<Record<Todo["priority"], number>> = { high: 2, medium: 1, low: 0 };

export async function openTodos(
  memory: Memory,
  entries: readonly Entry[],
): Promise<OpenTodos | undefined> {
  const open = entries.filter(({ note }) => note.kind === "todo").sort(byWork);
  const [first] = open;
  if (first === undefined) return undefined;
  const read = (await readEntries(open.slice(0, READ_MAX))).map(({ note }): Pressing => ({
    ...readTodo(withoutPrivate(note)),
    touchedMs: parseTime(note.updated) ?? 0,
  }));
  const now = memory.now();
  const [most] = read.sort((a, b) =>
    pressure(b, now) - pressure(a, now) || b.touchedMs - a.touchedMs
  );
  return {
    text: line(most?.content ?? first.note.title, most, now, open.length - 1),
    until: Math.min(Infinity, ...read.flatMap(turns).filter((ms) => ms > now)),
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

/**
 * Only what is in progress now or became overdue lately comes first: otherwise an old todo would stay first
 * until somebody closed it.
 */
function pressure({ status, due, touchedMs, priority }: Pressing, now: number): number {
  const late = lateFrom(due) ?? Infinity;
  const isAtWork = status === "in_progress" && touchedMs > now - AT_WORK_DAYS * DAY_MS;
  const isOverdue = late <= now && late > now - LATE_DAYS * DAY_MS;
  // Nobody can continue what is blocked.
  const weight = status === "blocked" ? -1 : WEIGHTS[priority];
  return (isAtWork ? 8 : 0) + (isOverdue ? 4 : 0) + weight;
}

/** When it becomes more pressing, or less. */
function turns({ status, due, touchedMs }: Pressing): number[] {
  const late = lateFrom(due) ?? Infinity;
  return [
    late,
    late + LATE_DAYS * DAY_MS,
    ...(status === "in_progress" ? [touchedMs + AT_WORK_DAYS * DAY_MS] : []),
  ];
}
