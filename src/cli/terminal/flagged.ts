/** The title of a note in a list, and what to know before believing it. */
import { dayOf } from "../../base/clock.ts";
import { flagWords, type NoteItem } from "../../memory/item.ts";

export function flaggedTitle(item: NoteItem): string {
  // Who lists the archive knows where they are.
  const words = flagWords(
    { ...item, flags: item.flags.filter((flag) => flag !== "archived") },
    dayOf,
  );
  return words.length === 0 ? item.title : `${item.title} (${words.join(", ")})`;
}
