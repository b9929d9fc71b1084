/** Whether a later session took back a decision of an earlier one: its note then has a link to it. */
import { linkTargets } from "../link_target.ts";
import type { Entry } from "../index/entries.ts";
import type { Memory } from "../memory.ts";

/** `decision taken back 2026-01-13`, for readers of a session's note; undefined where none was. */
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
