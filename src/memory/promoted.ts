/**
 * A note that was promoted on one branch stands on the others until they are merged: one note, once in the
 * person's own store and once in the project's. The own one is the note from then on. What stands here is
 * left out of answers for as long as it says what was promoted; changed since, it is a text of its own.
 */
import { frontText } from "../note/front_values.ts";
import type { IndexedNote } from "../search/document.ts";
import type { Store } from "../store/handle.ts";
import type { Memory } from "./memory.ts";

interface Placed {
  readonly store: Store;
  readonly note: IndexedNote;
}

export interface StillHere {
  /** In the project's store. */
  readonly left: Placed;
  /** In the person's own. */
  readonly own: Placed;
  /** It was changed here since. */
  readonly isChanged: boolean;
}

/** The entries without the notes that the person's own store has from here. */
export function withoutPromoted<E extends Placed>(memory: Memory, entries: readonly E[]): E[] {
  const left = new Set(
    stillHere(memory, entries).filter(({ isChanged }) => !isChanged).map(({ left }) => left.note),
  );
  return entries.filter(({ note }) => !left.has(note));
}

/** Those of the entries that are there in both stores. */
export function stillHere(memory: Memory, entries: readonly Placed[]): StillHere[] {
  const { project, user } = memory;
  const ofProject = entries.filter(({ store }) => store === project);
  const own = new Map(
    ofProject.length === 0
      ? []
      : entries.filter(({ store }) => store === user).map((entry) => [entry.note.id, entry]),
  );
  const both = ofProject.filter(({ note }) => note.kind === "knowledge" && own.has(note.id));
  // What says whence a note came is read only where two have one id.
  if (both.length === 0) return [];
  const promotions = promotedFrom(memory);
  return both.flatMap((left) => {
    const at = promotions.get(left.note.id);
    const entry = own.get(left.note.id);
    // What was made here under its id since is another note.
    return at === undefined || entry?.note.created !== left.note.created
      ? []
      : [{ left, own: entry, isChanged: left.note.updated > at }];
  });
}

/** When the notes of the person's own store were promoted that came from this project, by the id they had. */
function promotedFrom({ index, user, places }: Memory): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { relations } of index(user).relations({ kinds: ["knowledge"] })) {
    const said = frontText(new Map(relations.fields), "promoted") ?? "";
    // As the index has a map of the front matter.
    const [, from = "", id = "", at = ""] =
      /^from: (.*), id: (.*), path: .*, at: (\S+)$/.exec(said) ??
        [];
    if (places.projectIds.includes(from)) found.set(id, at);
  }
  return found;
}
