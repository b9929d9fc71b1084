/** What was removed, and the way back: it lies where it was, with its versions. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import type {
  ListTrashAnswer,
  NoteItem,
  RemovedItem,
  RestoreRemovedAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { firstOfEach } from "../../base/first_of_each.ts";
import { useAct } from "./act.ts";
import { send } from "./api.ts";
import { useNextFocus } from "./focus.ts";
import { useList } from "./live.ts";
import { dayOf, linkTo, More, Waiting } from "./note.tsx";
import { shown } from "./prose.tsx";

const SHOWN = 200;

export function Trash(_: { readonly rest: string }): VNode {
  const [live, more] = useList<ListTrashAnswer>(`/trash?limit=${SHOWN}`);
  const { said, once } = useAct();
  const [restored, setRestored] = useState<NoteItem | undefined>(undefined);
  const restore = ({ id }: RemovedItem): Promise<void> =>
    once(async () => {
      setRestored(undefined);
      const path = `/trash/${encodeURIComponent(id)}/restore`;
      setRestored((await send<RestoreRemovedAnswer>("POST", path, {})).data.restored);
    });
  return (
    <section class="one" aria-label="Trash">
      {said !== "" && <p class="warning" role="alert">{shown(said)}</p>}
      {restored !== undefined && (
        <p class="healthy" role="status">
          It is back: <a href={linkTo("search", restored.id)}>{shown(restored.title)}</a>
        </p>
      )}
      <Waiting live={live}>
        {({ items, next }) => (
          <>
            {items.length === 0 && <p class="quiet">Nothing is in the trash.</p>}
            <ul class="list">
              {/* Of a note that was removed twice, the last text is what comes back. */}
              {firstOfEach(items, ({ id }) => id).map((item) => (
                <Removed
                  key={item.path}
                  item={item}
                  restore={() => void restore(item)}
                />
              ))}
            </ul>
            {next !== undefined && <More more={more} />}
          </>
        )}
      </Waiting>
    </section>
  );
}

function Removed(
  { item, restore }: { readonly item: RemovedItem; readonly restore: () => void },
): VNode {
  const line = useRef<HTMLLIElement>(null);
  useNextFocus(line);
  const title = shown(item.title);
  return (
    <li ref={line} class="task">
      <span class="title">{title}</span>
      <span class="facts">
        <span class="kind">{shown(item.type)}</span>
        <span>removed {dayOf(item.removed)}</span>
        <span>kept at least until {dayOf(item.restore_until)}</span>
      </span>
      <span class="buttons">
        <button type="button" data-item aria-label={`Restore: ${title}`} onClick={restore}>
          Restore
        </button>
      </span>
    </li>
  );
}
