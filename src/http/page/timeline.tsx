/** Checkpoints and sessions on one line of time, and what one checkpoint changed in the thinking. */
import type { VNode } from "preact";
import type {
  CheckpointDiff,
  CheckpointItem,
  DiffCheckpointsAnswer,
  ListCheckpointsAnswer,
  ListSessionsAnswer,
  SessionItem,
} from "../../../clients/typescript/sage_client.ts";
import { useLive } from "./live.ts";
import { idOf, Line, NoteDetail, Waiting } from "./note.tsx";
import { shown } from "./prose.tsx";

const SHOWN = 100;
const PARTS: readonly (keyof CheckpointDiff)[] = [
  ...["conclusions", "evidence", "questions", "tensions", "sources"] as const,
];

export function Timeline({ rest }: { readonly rest: string }): VNode {
  const checkpoints = useLive<ListCheckpointsAnswer>(`/checkpoints?limit=${SHOWN}`);
  const sessions = useLive<ListSessionsAnswer>(`/sessions?limit=${SHOWN}`);
  const id = idOf(rest);
  return (
    <div class={id === "" ? "one" : "two"}>
      <section aria-label="Timeline">
        <Waiting live={checkpoints}>
          {({ items }) => (
            <Waiting live={sessions}>
              {(answer) => <Days items={merged(items, answer.items)} open={id} />}
            </Waiting>
          )}
        </Waiting>
      </section>
      {id !== "" && (
        <div>
          <NoteDetail id={id} back="#/timeline" />
          {checkpoints.kind === "there" && <Changed id={id} items={checkpoints.data.items} />}
        </div>
      )}
    </div>
  );
}

type Item = CheckpointItem | SessionItem;

function merged(checkpoints: readonly CheckpointItem[], sessions: readonly SessionItem[]): Item[] {
  return [...checkpoints, ...sessions].sort((a, b) => a.created < b.created ? 1 : -1);
}

function Days({ items, open }: { readonly items: readonly Item[]; readonly open: string }): VNode {
  if (items.length === 0) {
    return <p class="quiet">No checkpoint or session yet. Agents make them while they work.</p>;
  }
  const days = new Map<string, Item[]>();
  for (const item of items) {
    const day = item.created.slice(0, 10);
    days.set(day, [...days.get(day) ?? [], item]);
  }
  return (
    <>
      {[...days].map(([day, list]) => (
        <section key={day}>
          <h2 class="day">{shown(day)}</h2>
          <ul class="list">
            {list.map((item) => (
              <Line
                key={item.path}
                item={item}
                href={`#/timeline/${encodeURIComponent(item.id)}`}
                isOpen={item.id === open}
              >
                <span class="snippet">{shown(summaryOf(item))}</span>
              </Line>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function summaryOf(item: Item): string {
  if ("trigger" in item) {
    return `${String(item.trigger).replaceAll("_", " ")} · ${
      Math.round(Number(item.confidence) * 100)
    } % sure`;
  }
  return String("summary" in item ? item.summary : "");
}

/** Against the checkpoint that it goes on from, else the one before it. */
function Changed(
  { id, items }: { readonly id: string; readonly items: readonly CheckpointItem[] },
): VNode | null {
  const at = items.findIndex((item) => item.id === id);
  const base = items.find((item) => item.id === items[at]?.parent) ?? items[at + 1];
  const live = useLive<DiffCheckpointsAnswer>(
    at < 0 || base === undefined
      ? undefined
      : `/checkpoints/${encodeURIComponent(base.id)}/diff/${encodeURIComponent(id)}`,
  );
  if (base === undefined || live.kind !== "there") return null;
  const { diff } = live.data;
  const parts = PARTS.filter((part) => {
    const { added, removed, changed } = diff[part];
    return added.length + removed.length + changed.length > 0;
  });
  return (
    <section class="diff" aria-label="What it changed">
      <h2>What changed since “{shown(base.title)}”</h2>
      {parts.length === 0 && <p class="quiet">Nothing: it says the same.</p>}
      {parts.map((part) => {
        const { added, removed, changed } = diff[part];
        return (
          <>
            <h3>{part}</h3>
            <ul>
              {removed.map((text) => (
                <li class="removed">
                  <b>no more:</b> {shown(text)}
                </li>
              ))}
              {changed.map(({ before, after }) => (
                <li>
                  <span class="removed">
                    <b>was:</b> {shown(before)}
                  </span>{" "}
                  <span class="added">
                    <b>is:</b> {shown(after)}
                  </span>
                </li>
              ))}
              {added.map((text) => (
                <li class="added">
                  <b>new:</b> {shown(text)}
                </li>
              ))}
            </ul>
          </>
        );
      })}
    </section>
  );
}
