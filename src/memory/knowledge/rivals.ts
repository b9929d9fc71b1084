/**
 * Which notes stand against others while nobody has settled it. The later one is taken to hold; what an
 * agent says against a person's earlier word puts both in doubt. Settling is contradictions.ts.
 */
import { compareText } from "../../base/text.ts";
import type { Store } from "../../store/handle.ts";
import { linkTargets } from "../link_target.ts";
import { type Entry, isHere, knownEntries } from "../index_entries.ts";
import type { Memory } from "../memory.ts";

export interface Rival extends Entry {
  readonly isLater: boolean;
}

/** By the id of the note that is in doubt. */
export type Rivals = ReadonlyMap<string, readonly Rival[]>;

interface Pair {
  readonly by: Entry;
  readonly of: string;
}

/** Of these notes those that are in doubt, by id, each with what puts it there. */
export function rivalsOf(
  memory: Memory,
  notes: readonly { readonly id: string }[],
): Rivals {
  const wanted = new Set(notes.map(({ id }) => id));
  const pairs = memory.stores.flatMap((store) =>
    memory.index(store).contradictions().map(([note, of]): Pair => ({ by: { store, note }, of }))
  ).filter(({ by, of }) =>
    // In a vault a note is called by its file.
    wanted.has(by.note.id) || wanted.has(of) || by.store.vault !== undefined
  );
  const rivals = new Map<string, Rival[]>();
  // Most memories contradict themselves nowhere, and read no more than that.
  if (pairs.length === 0) return rivals;
  const targets = statements(memory, new Set(pairs.map(({ of }) => of)));
  for (const { by, of } of pairs.filter(({ by }) => stands(memory, by))) {
    for (const { entry } of targets.get(of) ?? []) {
      if (!mayDoubt(by.store, entry.store)) continue;
      // Of two that were written in the same second, the one that says so came later.
      const [older, newer] = compareText(saidAt(entry), saidAt(by)) > 0 ? [by, entry] : [entry, by];
      const isSession = by.note.kind === "session";
      // What was said in a session is settled once the note was reworded or verified after it.
      if (isSession && newer === entry) continue;
      add(rivals, older, { ...newer, isLater: true });
      if (isPersons(older) && !isPersons(newer) && !isSession) {
        add(rivals, newer, { ...older, isLater: false });
      }
    }
  }
  return rivals;
}

/** Those that are spoken of, by what they are called there. */
function statements(memory: Memory, names: ReadonlySet<string>) {
  const entries = knownEntries(memory, { kinds: ["knowledge"], statuses: ["active"] });
  const called = entries.flatMap((entry) =>
    linkTargets(entry).filter((name) => names.has(name)).map((name) => ({ name, entry }))
  ).filter(({ entry }) => stands(memory, entry));
  return Map.groupBy(called, ({ name }) => name);
}

function stands(memory: Memory, entry: Entry): boolean {
  return entry.note.supersededBy === undefined && isHere(memory, entry);
}

/** What nobody vouched for puts nothing in doubt but its like. */
function mayDoubt(by: Store, of: Store): boolean {
  return by.trust !== "unknown" || by === of;
}

/** Since when a note says so: to verify it is to say it again. */
export function saidAt({ note: { updated, verified = "" } }: Pick<Entry, "note">): string {
  return verified > updated ? verified : updated;
}

function isPersons({ note: { author } }: Entry): boolean {
  return author === undefined || author === "person";
}

function add(rivals: Map<string, Rival[]>, { note }: Entry, rival: Rival): void {
  rivals.set(note.id, [...rivals.get(note.id) ?? [], rival]);
}
