/**
 * Renders and reads todos, whose heading is the task itself; and renders a todo as a line of a list for the
 * Tasks plugin of Obsidian.
 */
import { parseTime } from "../base/clock.ts";
import { collapse } from "../base/text/text.ts";
import { readField, renderField, renderTitle } from "./fields.ts";
import { renderFrontMatter } from "./front_matter.ts";
import { frontText } from "./front_values.ts";
import { withoutTitle } from "./markdown.ts";
import type { Note } from "./note.ts";
import {
  type Generated,
  generatedValue,
  type Header,
  headerEntries,
  readGenerated,
} from "./provenance.ts";

export const TODO_STATUSES = ["pending", "in_progress", "blocked", "done"] as const;
export type TodoStatus = typeof TODO_STATUSES[number];
export const PRIORITIES = ["high", "medium", "low"] as const;
export type Priority = typeof PRIORITIES[number];

export interface TodoDraft {
  /** One line. */
  readonly content: string;
  readonly context?: string | undefined;
  readonly priority: Priority;
  readonly status: TodoStatus;
  /** A date. */
  readonly due?: string | undefined;
  /** The id of the note it came from. */
  readonly source?: string | undefined;
  readonly generated?: Generated | undefined;
}

export interface Todo extends TodoDraft {
  readonly completed: string | undefined;
}

export function renderTodo(draft: TodoDraft, header: Header): string {
  const front = renderFrontMatter([
    ...headerEntries("todo", header, draft.status),
    ["priority", draft.priority],
    ["due", draft.due],
    ["source", draft.source],
    ["completed", draft.status === "done" ? header.updated ?? header.created : undefined],
    ["generated", generatedValue(draft.generated)],
  ]);
  const body = renderTitle(draft.content) + renderField(draft.context ?? "");
  return `${front}\n${body.trimEnd()}\n`;
}

export function readTodo(note: Note): Todo {
  const { front } = note;
  const priority = frontText(front, "priority")?.toLowerCase();
  return {
    content: note.title,
    context: readField(withoutTitle(note.body)) || undefined,
    priority: PRIORITIES.find((known) => known === priority) ?? "medium",
    status: TODO_STATUSES.find((status) => status === note.status) ?? "pending",
    due: frontText(front, "due"),
    source: frontText(front, "source"),
    completed: frontText(front, "completed"),
    generated: readGenerated(front),
  };
}

const BOXES: Readonly<Record<TodoStatus, string>> = {
  pending: " ",
  in_progress: "/",
  blocked: " ",
  done: "x",
};
/** Signs of the Tasks plugin; a task without one has medium priority. */
const SIGNS: Readonly<Record<Priority, string>> = { high: " ⏫", medium: "", low: " 🔽" };

/** `- [ ] text 📅 2026-01-13 ⏫`: the plugin reads signs only behind the text. */
export function renderTask(
  todo: Pick<Todo, "content" | "status" | "priority" | "due" | "source" | "completed">,
): string {
  const { content, status, priority, due, source, completed } = todo;
  return `- [${BOXES[status]}] ${collapse(content)}` +
    (status === "blocked" ? " #blocked" : "") +
    (source === undefined ? "" : ` (${isAddress(source) ? source : `[[${source}]]`})`) +
    dated("📅", due) + SIGNS[priority] + (status === "done" ? dated("✅", completed) : "");
}

/** Whether a source is a web address, and not the id of a note. */
export function isAddress(source: string): boolean {
  return /^https?:\/\/\S+$/.test(source);
}

function dated(sign: string, date: string | undefined): string {
  return date === undefined || parseTime(date) === undefined
    ? ""
    : ` ${sign} ${date.trim().slice(0, 10)}`;
}
