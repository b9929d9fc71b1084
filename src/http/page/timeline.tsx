/** Checkpoints and sessions in one timeline, and the difference between two checkpoints. */
import type { VNode } from "preact";
import type {
  CheckpointDiff,
  CheckpointItem,
  DiffCheckpointsAnswer,
  ListCheckpointsAnswer,
  ListSessionsAnswer,
  ReadNoteAnswer,
  SessionItem,
  ShowSessionAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { compareText, percentDecoded } from "../../base/text/text.ts";
import { useList, useLive } from "./live.ts";
import { dayOf, Line, linkTo, minuteOf, More, Waiting } from "./note.tsx";
import { NoteDetail } from "./note_detail.tsx";
import { shown } from "./prose.tsx";

const SHOWN = 100;
const PARTS: readonly (keyof CheckpointDiff)[] = [
  ...["conclusions", "evidence", "questions", "tensions", "sources"] as const,
];

export function Timeline({ rest }: { readonly rest: string }): VNode {
  const [checkpoints, moreCheckpoints] = useList<ListCheckpointsAnswer>(
    `/checkpoints?limit=${SHOWN}`,
  );
  const [sessions, moreSessions] = useList<ListSessionsAnswer>(`/sessions?limit=${SHOWN}`);
  const more = (): void => {
    moreCheckpoints();
    moreSessions();
  };
  const [first = "", second = ""] = rest.split("/");
  const [id, base] = [percentDecoded(first), percentDecoded(second)];
  return (
    <div class={id === "" ? "one" : "two"}>
      <section aria-label="Timeline">
        <Waiting live={checkpoints}>
          {(points) => (
            <Waiting live={sessions}>
              {(runs) => (
                <>
                  <Days items={merged(points, runs)} open={id} />
                  {(points.next ?? runs.next) !== undefined && <More more={more} />}
                </>
              )}
            </Waiting>
          )}
        </Waiting>
      </section>
      {id !== "" && (
        <div>
          <NoteDetail key={id} id={id} back="#/timeline" />
          {checkpoints.kind === "there" && (
            <Changed key={id} id={id} base={base} items={checkpoints.data.items} />
          )}
          {sessions.kind === "there" && sessions.data.items.some((item) => item.id === id) && (
            <Saved key={id} id={id} />
          )}
        </div>
      )}
    </div>
  );
}

type Item = CheckpointItem | SessionItem;

/** Merged by time, down to where the first list that has more pages ends. */
function merged(...lists: readonly (ListCheckpointsAnswer | ListSessionsAnswer)[]): Item[] {
  const ends = lists.map(({ items, next }) =>
    next === undefined ? "" : items.at(-1)?.created ?? ""
  );
  return lists.flatMap(({ items }): readonly Item[] => items)
    .filter(({ created }) => ends.every((end) => created >= end))
    .sort((a, b) => compareText(b.created, a.created));
}

function Days({ items, open }: { readonly items: readonly Item[]; readonly open: string }): VNode {
  if (items.length === 0) {
    return <p class="quiet">No checkpoint or session yet. Agents make them while they work.</p>;
  }
  const days = Map.groupBy(items, ({ created }) => dayOf(created));
  return (
    <>
      {[...days].map(([day, list]) => (
        <section key={day}>
          <h2 class="day">{day}</h2>
          <ul class="list">
            {list.map((item) => (
              <Line
                key={item.path}
                item={item}
                href={linkTo("timeline", item.id)}
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
    const trigger = String(item.trigger).replaceAll("_", " ");
    const percent = Math.round(Number(item.confidence) * 100);
    // A note that was written by hand may have none.
    return percent === 0 ? trigger : `${trigger} · ${percent} % sure`;
  }
  return String("summary" in item ? item.summary : "");
}

/** The checkpoints saved in a session. */
function Saved({ id }: { readonly id: string }): VNode {
  const live = useLive<ShowSessionAnswer>(`/sessions/${encodeURIComponent(id)}`);
  return (
    <Waiting live={live}>
      {({ checkpoints }) => (
        <section class="diff" aria-label="Saved in it">
          <h2>Checkpoints of this session: {checkpoints.length}</h2>
          <ul>
            {checkpoints.map(({ id, title, created }) => (
              <li key={id}>
                <a href={linkTo("timeline", id)}>{shown(title)}</a>{" "}
                <time class="quiet">{minuteOf(created)}</time>
              </li>
            ))}
          </ul>
        </section>
      )}
    </Waiting>
  );
}

/** The difference to the chosen checkpoint, otherwise to its parent, otherwise to the one before it. */
function Changed(
  { id, base: chosen, items: listed }: {
    readonly id: string;
    readonly base: string;
    readonly items: readonly CheckpointItem[];
  },
): VNode | null {
  const at = listed.findIndex((item) => item.id === id);
  const earlier = useEarlier(id, at < 0);
  const items = [...listed, ...earlier];
  const wanted = chosen === "" ? listed[at]?.parent : chosen;
  const base = items.find((item) => item.id === wanted) ?? (at < 0 ? earlier[0] : listed[at + 1]);
  const live = useLive<DiffCheckpointsAnswer>(
    base && `/checkpoints/${encodeURIComponent(base.id)}/diff/${encodeURIComponent(id)}`,
  );
  if (at < 0 ? earlier.length === 0 : listed.length < 2) return null;
  return (
    <section class="diff" aria-label="What changed">
      <h2>What changed in the thinking</h2>
      <label>
        since{" "}
        <select
          value={base?.id ?? ""}
          onChange={(event) =>
            location.hash = `${linkTo("timeline", id)}/${
              encodeURIComponent(event.currentTarget.value)
            }`}
        >
          {base === undefined && <option value="">choose a checkpoint</option>}
          {items.filter((item) => item.id !== id).map((item) => (
            <option key={item.path} value={item.id}>
              {`${minuteOf(item.created)} ${shown(item.title)}`}
            </option>
          ))}
        </select>
      </label>
      {live.kind === "there" && <Parts diff={live.data.diff} />}
    </section>
  );
}

/** The checkpoints before one that was opened by its address and is older than the timeline reaches. */
function useEarlier(id: string, isFar: boolean): readonly CheckpointItem[] {
  const opened = useLive<ReadNoteAnswer>(isFar ? `/notes/${encodeURIComponent(id)}` : undefined);
  const note = isFar && opened.kind === "there" ? opened.data.note : undefined;
  const earlier = useLive<ListCheckpointsAnswer>(
    note?.type === "checkpoint"
      ? `/checkpoints?limit=${SHOWN}&cursor=${encodeURIComponent(note.path)}`
      : undefined,
  );
  return isFar && earlier.kind === "there" ? earlier.data.items : [];
}

function Parts({ diff }: { readonly diff: CheckpointDiff }): VNode {
  const parts = PARTS.filter((part) => {
    const { added, removed, changed } = diff[part];
    return added.length + removed.length + changed.length > 0;
  });
  return (
    <>
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
    </>
  );
}
