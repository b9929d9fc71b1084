/** Todos: add, list, change. */
import { sha256Hex } from "../base/hash.ts";
import { countWrite } from "./write/allowance.ts";
import { rfc3339 } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { defined } from "../base/defined.ts";
import { collapse, compareText, cut, cutTitle, slug } from "../base/text/text.ts";
import type { FrontChanges, FrontValue } from "../note/note.ts";
import { editFrontMatter } from "../note/front_matter.ts";
import { parseNote } from "../note/parse.ts";
import { frontText } from "../note/front_values.ts";
import { generatedValue } from "../note/provenance.ts";
import { DUE_FORMS, readDue } from "../note/due.ts";
import { isAddress, readTodo, renderTodo, type TodoDraft } from "../note/todo.ts";
import { replaceNote } from "../store/store.ts";
import { extraField, relatedCatalogue } from "./catalogue.ts";
import {
  afterCursor,
  isHere,
  isListed,
  newestFirst,
  type Page,
  readEntries,
} from "./index/entries.ts";
import { cleanDraft } from "./write/clean_draft.ts";
import { findNote, type NotFound } from "./find.ts";
import { type NoteItem, refuseUnreadable, type StoredNote, toItem } from "./item.ts";
import { homeStore, type Memory } from "./memory.ts";
import {
  type Author,
  type Edited,
  edited,
  generatedBy,
  type NotSaved,
  type SaveOutcome,
} from "./write/outcome.ts";
import { indexSaved } from "./index/reindex.ts";
import { withoutPrivate } from "./write/public_part.ts";
import { writeNote } from "./write/write.ts";

export interface TodoItem extends NoteItem {
  readonly content: string;
  readonly context?: string;
  readonly priority: string;
  readonly todo_status: string;
  readonly due?: string;
  readonly source?: string;
  readonly completed?: string;
}

export type TodoStatus = TodoDraft["status"];

export interface TodoInput {
  readonly content: string;
  readonly context?: string;
  readonly priority?: TodoDraft["priority"];
  /** A date, or words for one: `tomorrow`, `friday`, `in 2 weeks`. */
  readonly due?: string;
  /** A reference to a note, or an address. */
  readonly source?: string;
}

type TodoOutcome =
  | { readonly kind: "updated"; readonly item: TodoItem }
  | Edited
  | NotFound
  | Extract<NotSaved, { readonly kind: "refused" }>;

const STEM_BYTES_MAX = 48;

export async function addTodo(
  memory: Memory,
  input: TodoInput,
  author: Author,
): Promise<SaveOutcome> {
  if (collapse(input.content) === "") return { kind: "thin", missing: ["content"] };
  const cleaned = await cleanDraft(memory, input, author);
  if (cleaned.kind === "refused") return cleaned;
  // From the cleaned draft, so that a secret in their place is not quoted in an error.
  const { due, source } = cleaned.draft;
  const at = rfc3339(memory.now());
  if (collapse(cleaned.draft.content) === "") return { kind: "thin", missing: ["content"] };
  const draft: TodoDraft = {
    ...cleaned.draft,
    due: due === undefined ? undefined : dateOf(memory, due),
    source: source === undefined ? undefined : await sourceOf(memory, source),
    content: collapse(cleaned.draft.content),
    priority: input.priority ?? "medium",
    status: "pending",
    ...(author.by === "person" ? {} : { generated: generatedBy(author, at) }),
  };
  return await writeNote(memory, {
    store: homeStore(memory),
    kind: "todo",
    stem: slug(draft.content, STEM_BYTES_MAX),
    title: cutTitle(draft.content, 80),
    render: (stem) =>
      renderTodo(draft, { id: stem, created: at, project: memory.places.projectId }),
    author,
    redactions: cleaned.redactions,
  });
}

/** Sorts after every date. */
const NEVER = "~";
const ORDER: Readonly<Record<string, number>> = { high: 0, medium: 1, low: 2 };

interface TodoFilter extends Page {
  readonly status?: string;
  readonly all?: boolean;
}

/** Open todos by priority, then due date, then age; with a status, those of that status. */
export async function listTodos(memory: Memory, filter: TodoFilter = {}): Promise<TodoItem[]> {
  return (await todoPage(memory, filter)).items;
}

/** `total`: how many match the filter, whatever its limit. They are sorted by the index: no other is read. */
export async function todoPage(
  memory: Memory,
  { status, all = false, cursor, limit }: TodoFilter,
): Promise<{ readonly items: TodoItem[]; readonly total: number }> {
  const entries = (await relatedCatalogue(memory, ["todo"])).filter((entry) =>
    isHere(memory, entry) &&
    (status === undefined ? all || isListed(entry) : entry.note.status === status)
  );
  const sorted = entries.sort(newestFirst)
    .map((entry) => ({
      entry,
      urgency: ORDER[extraField(entry, "priority")?.toLowerCase() ?? "medium"] ?? 1,
      due: extraField(entry, "due") ?? NEVER,
    }))
    .sort((a, b) => a.urgency - b.urgency || compareText(a.due, b.due))
    .map(({ entry }) => entry);
  const page = afterCursor(sorted, cursor).slice(0, limit);
  return { items: (await readEntries(page)).map(toTodoItem), total: entries.length };
}

export interface TodoChange {
  readonly status?: TodoStatus;
  readonly priority?: string;
  /** `none` removes the date, here and in the next. */
  readonly due?: string;
  readonly source?: string;
}

export async function setTodo(
  memory: Memory,
  ref: string,
  change: TodoChange,
  author: Author,
  options: { readonly expectedHash?: string } = {},
): Promise<TodoOutcome> {
  // A text that is set on purpose is refused, not silently redacted.
  const cleaned = await cleanDraft(memory, change, { by: "person", explicit: true });
  if (cleaned.kind === "refused") return cleaned;
  const { priority, due = "", source = "" } = cleaned.draft;
  const given = {
    due: due === "" || due === NONE ? due : dateOf(memory, due),
    source: source === "" || source === NONE ? source : await sourceOf(memory, source),
  };
  const found = await findNote(memory, ref, ["todo"]);
  if (found.kind !== "one") return found;
  const { item } = found;
  const { expectedHash = item.hash } = options;
  if (expectedHash !== item.hash) return edited(item);
  refuseUnreadable(item);
  const at = rfc3339(memory.now());
  const changes = new Map<string, FrontValue | undefined>();
  if (change.status !== undefined && change.status !== frontText(item.note.front, "status")) {
    changes.set("status", change.status);
    changes.set("completed", change.status === "done" ? at : undefined);
  }
  if (priority !== undefined && priority !== "") changes.set("priority", priority);
  for (const [key, value] of Object.entries(given)) {
    if (value !== "") changes.set(key, value === NONE ? undefined : value);
  }
  const changed = await editFrontMatter(item.loaded.text, changes);
  // A change that changes nothing leaves author and date.
  if (changed === item.loaded.text) return { kind: "updated", item: toTodoItem(item) };
  const signed = new Map([...signature(author, at), ...changes]);
  const text = await editFrontMatter(item.loaded.text, signed);
  const outcome = await replaceNote(item.store, item.loaded, text);
  if (outcome.kind !== "written") return edited(item);
  countWrite(memory, author, { notes: 0, bytes: 0 }, { id: item.note.id, hash: sha256Hex(text) });
  await indexSaved(memory, item.store, item.path);
  // The answer comes from what was written: an index or a file that cannot be read now is no failure of
  // the change.
  const note = await parseNote(text, item.path);
  return { kind: "updated", item: toTodoItem({ ...item, note }) };
}

/** Adds author and date. A person who changes an agent's todo does not vouch for the rest. */
function signature(author: Author, at: string): FrontChanges {
  const generated = [["generated", generatedValue(generatedBy(author, at))]] as const;
  return new Map([["updated", at], ...(author.by === "person" ? [] : generated)]);
}

const NONE = "none";

/** Refuses what is not a date: a todo that is due "soon" would never be due. */
function dateOf(memory: Memory, due: string): string {
  const date = readDue(due, memory.now());
  if (date !== undefined) return date;
  throw new SageError("usage", `A todo is due on a date, not "${cut(due, 40)}"`, {
    hint: `write it as ${DUE_FORMS}`,
  });
}

/** The whole id of the note that is meant, which the graph finds; an address stays as it is. */
async function sourceOf(memory: Memory, source: string): Promise<string> {
  if (isAddress(source)) return source;
  const found = await findNote(memory, source);
  if (found.kind === "one") return found.item.note.id;
  const [nearest] = found.kind === "none" ? found.nearest : [];
  throw new SageError(
    "usage",
    `A todo comes from a note or an address, and "${cut(source, 60)}" is ${
      found.kind === "many" ? "several notes" : "neither"
    }`,
    {
      hint: nearest === undefined
        ? "find the note with sage search, or leave the source out"
        : `nearest: ${nearest.short_id} "${cut(nearest.title, 60)}"`,
    },
  );
}

function toTodoItem(stored: StoredNote): TodoItem {
  const note = withoutPrivate(stored.note);
  const { content, context, priority, status, due, source, completed } = readTodo(note);
  return {
    ...toItem({ ...stored, note }),
    content,
    ...defined({ context: context || undefined }),
    priority,
    todo_status: status,
    ...defined({ due, source, completed }),
  };
}
