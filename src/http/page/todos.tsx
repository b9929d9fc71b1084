/** What is to be done: add, begin, finish, drop. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type { ListTodosAnswer, TodoItem } from "../../../clients/typescript/sage_client.ts";
import { get, send } from "./api.ts";
import { useAct } from "./act.ts";
import { useNextFocus } from "./focus.ts";
import { cameBack, keep, keptAt } from "./kept.ts";
import { useLive } from "./live.ts";
import { ageOf, Waiting } from "./note.tsx";
import { shown } from "./prose.tsx";
import { Remove } from "./remove.tsx";

const SHOWN = 200;

const NEXT: Readonly<Record<string, readonly [status: string, word: string][]>> = {
  pending: [["in_progress", "Start"], ["done", "Done"]],
  in_progress: [["blocked", "Block"], ["done", "Done"]],
  blocked: [["in_progress", "Go on"], ["done", "Done"]],
  done: [["pending", "Reopen"]],
};

/** Stays while one looks something up in another view. */
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

export function Todos(_: { readonly rest: string }): VNode {
  const [isAll, setAll] = useState(false);
  const [content, setContent] = useState(typed);
  const { said, act } = useAct();
  const live = useLive<ListTodosAnswer>(`/todos?limit=${SHOWN}${isAll ? "&all=true" : ""}`);
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
    <section class="one" aria-label="Todos">
      <form
        class="add"
        onSubmit={(event) => {
          event.preventDefault();
          // Who goes on typing types the next one.
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
              {items.map((item) => <Task key={item.path} item={item} set={set} />)}
            </ul>
            {next !== undefined && (
              <p class="quiet">The first {SHOWN}; sage todo list shows the others.</p>
            )}
          </>
        )}
      </Waiting>
    </section>
  );
}

function Task(
  { item, set }: {
    readonly item: TodoItem;
    readonly set: (item: TodoItem, status: string) => Promise<void>;
  },
): VNode {
  const line = useRef<HTMLLIElement>(null);
  useNextFocus(line);
  return (
    <li ref={line} class="task" data-item tabIndex={-1}>
      <span class={item.todo_status === "done" ? "title finished" : "title"}>
        {shown(item.content)}
      </span>
      <span class="facts">
        <span class="kind">{shown(item.todo_status.replaceAll("_", " "))}</span>
        <span>{shown(item.priority)}</span>
        {item.due !== undefined && <span>due {shown(item.due)}</span>}
        <time dateTime={item.created}>{ageOf(item.created)}</time>
      </span>
      <span class="buttons">
        {(NEXT[item.todo_status] ?? []).map(([status, word]) => (
          <button
            type="button"
            aria-label={`${word}: ${shown(item.content)}`}
            onClick={() => void set(item, status)}
          >
            {word}
          </button>
        ))}
        <Remove id={item.id} title={item.content} />
      </span>
    </li>
  );
}
