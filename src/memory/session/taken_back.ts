/** Whether a later session took back a decision of an earlier one: its note says so with a link. */
import { linkTargets } from "../link_target.ts";
import type { Entry } from "../index_entries.ts";
import type { Memory } from "../memory.ts";

/** `decision taken back 2026-01-13` of a session's note, for who reads it now; undefined where none was. */
export function takenBack(memory: Memory, entry: Entry): string | undefined {
  const names = linkTargets(entry);
  const days = memory.index(entry.store).relations({ kinds: ["session"] })
    .filter(({ note, relations }) =>
      note.id !== entry.note.id && relations.links.some(([target]) => names.includes(target))
    )
    .map(({ note }) => note.updated.slice(0, 10)).sort();
  const last = days.at(-1);
  return last === undefined ? undefined : `decision taken back ${last}`;
}
