/**
 * A note that was promoted on one git branch is still in the project's store on the others until they
 * are merged. Then the person's own note counts, and the project's is left out of answers while it says
 * what was promoted; once changed it is a note of its own.
 */
import { frontText } from "../../note/front_values.ts";
import type { IndexedNote } from "../../search/document.ts";
import type { Store } from "../../store/handle.ts";
import type { Memory } from "../memory.ts";

interface Placed {
  readonly store: Store;
  readonly note: IndexedNote;
}

interface StillHere {
  /** In the project's store. */
  readonly left: Placed;
  /** In the person's own. */
  readonly own: Placed;
  /** It was changed here since. */
  readonly isChanged: boolean;
}

/** The entries without those that the person's own store has from here. */
export function withoutPromoted<E extends Placed>(memory: Memory, entries: readonly E[]): E[] {
  const left = new Set(
    stillHere(memory, entries).filter(({ isChanged }) => !isChanged).map(({ left }) => left.note),
  );
  return entries.filter(({ note }) => !left.has(note));
}

/** Entries that are in both stores. */
export function stillHere(memory: Memory, entries: readonly Placed[]): StillHere[] {
  const { project, user } = memory;
  const ofProject = entries.filter(({ store }) => store === project);
  const own = new Map(
    ofProject.length === 0
      ? []
      : entries.filter(({ store }) => store === user).map((entry) => [entry.note.id, entry]),
  );
  const both = ofProject.filter(({ note }) => note.kind === "knowledge" && own.has(note.id));
  // Where a note came from is read only where two have one id.
  if (both.length === 0) return [];
  const promotions = promotedFrom(memory);
  return both.flatMap((left) => {
    const at = promotions.get(left.note.id);
    const entry = own.get(left.note.id);
    // A note that was made here under that id since is another one.
    return at === undefined || entry?.note.created !== left.note.created
      ? []
      : [{ left, own: entry, isChanged: left.note.updated > at }];
  });
}

/**
 * When the notes of the person's own store that came from this project were promoted, by their former
 * ids.
 */
function promotedFrom({ index, user, places }: Memory): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { relations } of index(user).relations({ kinds: ["knowledge"] })) {
    const said = frontText(new Map(relations.fields), "promoted") ?? "";
    // In the form in which the index keeps a map of front matter.
    const [, from = "", id = "", at = ""] =
      /^from: (.*), id: (.*), path: .*, at: (\S+)$/.exec(said) ??
        [];
    if (places.projectIds.includes(from)) found.set(id, at);
  }
  return found;
}
