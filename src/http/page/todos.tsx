/** Todos: add, read, begin, finish, drop. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ListTodosAnswer, TodoItem } from "../../../clients/typescript/sage_client.ts";
import { percentDecoded } from "../../base/text/text.ts";
import { lateFrom } from "../../note/due.ts";
import { get, send } from "./api.ts";
import { useAct } from "./act.ts";
import { useInSight, useNextFocus } from "./focus.ts";
import { cameBack, keep, keptAt } from "./kept.ts";
import { useList } from "./live.ts";
import { ageOf, linkTo, More, Waiting } from "./note.tsx";
import { NoteDetail } from "./note_detail.tsx";
import { shown } from "./prose.tsx";
import { Remove } from "./remove.tsx";

const SHOWN = 200;

const NEXT: Readonly<Record<string, readonly [status: string, word: string][]>> = {
  pending: [["in_progress", "Start"], ["done", "Done"]],
  in_progress: [["blocked", "Block"], ["done", "Done"]],
  blocked: [["in_progress", "Go on"], ["done", "Done"]],
  done: [["pending", "Reopen"]],
};

/** The text of a new todo, which outlives a change of view. */
let typed = "";
const KEPT = "task";
const [before] = keptAt(KEPT);
if (before !== undefined) {
  put(String(before[1].text));
  cameBack({ name: KEPT, title: "your new todo", href: "#/todos", forget: () => put("") });
}

function put(text: string): void {
  typed = text;
  keep(KEPT, text === "" ? undefined : { text });
}

export function Todos({ rest }: { readonly rest: string }): VNode {
  const [isAll, setAll] = useState(false);
  const [content, setContent] = useState(typed);
  const { said, act } = useAct();
  const [live, more] = useList<ListTodosAnswer>(`/todos?limit=${SHOWN}${isAll ? "&all=true" : ""}`);
  const id = percentDecoded(rest);
  const open = live.kind === "there" ? live.data.items.find((item) => item.id === id) : undefined;
  const type = (text: string): void => {
    put(text);
    setContent(text);
  };
  const set = (item: TodoItem, status: string): Promise<void> =>
    act(async () => {
      const { etag } = await get(`/notes/${encodeURIComponent(item.id)}`);
      await send("PATCH", `/todos/${encodeURIComponent(item.id)}`, { status }, etag);
    });
  return (
    <div class={id === "" ? "one" : "two"}>
      <section aria-label="Todos">
        <form
          class="add"
          onSubmit={(event) => {
            event.preventDefault();
            // What was typed meanwhile is the next todo.
            type("");
            void act(async () => {
              try {
                await send("POST", "/todos", { content });
              } catch (error) {
                type(`${content} ${typed}`.trim());
                throw error;
              }
            });
          }}
        >
          <input
            type="text"
            required
            maxLength={200}
            aria-label="A new todo"
            placeholder="A new todo"
            value={content}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <button type="submit">Add</button>
          <label>
            <input
              type="checkbox"
              checked={isAll}
              onChange={(event) => setAll(event.currentTarget.checked)}
            />{" "}
            finished too
          </label>
        </form>
        {said !== "" && <p class="warning" role="alert">{said}</p>}
        <Waiting live={live}>
          {({ items, next }) => (
            <>
              {items.length === 0 && <p class="quiet">Nothing is open.</p>}
              <ul class="list">
                {items.map((item) => (
                  <Task key={item.path} item={item} isOpen={item.id === id} set={set} />
                ))}
              </ul>
              {next !== undefined && <More more={more} />}
            </>
          )}
        </Waiting>
      </section>
      {id !== "" && (
        <NoteDetail key={id} id={id} back="#/todos">
          {open !== undefined && <Steps item={open} set={set} />}
        </NoteDetail>
      )}
    </div>
  );
}

interface StepsProps {
  readonly item: TodoItem;
  readonly set: (item: TodoItem, status: string) => Promise<void>;
}

/** Buttons for the possible next states. */
function Steps({ item, set }: StepsProps): VNode {
  return (
    <>
      {(NEXT[item.todo_status] ?? []).map(([status, word]) => (
        <button
          type="button"
          key={status}
          aria-label={`${word}: ${shown(item.content)}`}
          onClick={() => void set(item, status)}
        >
          {word}
        </button>
      ))}
    </>
  );
}

function Due({ item, due }: { readonly item: TodoItem; readonly due: string }): VNode {
  const isLate = item.todo_status !== "done" && (lateFrom(due) ?? Infinity) <= Date.now();
  return <span class={isLate ? "flag" : ""}>{isLate ? "overdue since" : "due"} {shown(due)}</span>;
}

function Task({ item, isOpen, set }: StepsProps & { readonly isOpen: boolean }): VNode {
  const line = useRef<HTMLLIElement>(null);
  useNextFocus(line);
  useInSight(line, isOpen);
  const href = linkTo("todos", item.id);
  return (
    <li
      ref={line}
      class="task"
      data-item
      tabIndex={-1}
      onKeyDown={({ key, target, currentTarget }) => {
        if (key === "Enter" && target === currentTarget) location.hash = href;
      }}
    >
      <a
        href={href}
        aria-current={isOpen ? "true" : undefined}
        class={item.todo_status === "done" ? "title finished" : "title"}
      >
        {shown(item.content)}
      </a>
      <span class="facts">
        <span class="kind">{shown(item.todo_status.replaceAll("_", " "))}</span>
        <span>{shown(item.priority)}</span>
        {item.due !== undefined && <Due item={item} due={item.due} />}
        <time dateTime={item.created}>{ageOf(item.created)}</time>
      </span>
      <span class="buttons">
        <Steps item={item} set={set} />
        <Remove id={item.id} title={item.content} />
      </span>
    </li>
  );
}
