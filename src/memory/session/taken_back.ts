/** Whether a later session took back a decision of an earlier one: its note says so with a link. */
import type { Store } from "../../store/handle.ts";
import type { Memory } from "../memory.ts";

/** `decision taken back 2026-01-13` of a session's note, for who reads it now; undefined where none was. */
export function takenBack(memory: Memory, store: Store, id: string): string | undefined {
  const days = memory.index(store).relations({ kinds: ["session"] })
    .filter(({ note, relations }) =>
      note.id !== id && relations.links.some(([target]) => target === id)
    )
    .map(({ note }) => note.updated.slice(0, 10)).sort();
  const last = days.at(-1);
  return last === undefined ? undefined : `decision taken back ${last}`;
}
