/**
 * Notes that contradict each other and are not settled. The later one is taken to hold; an agent's
 * statement against a person's earlier one puts both in doubt. Settling is in contradictions.ts.
 */
import { compareText } from "../../base/text/text.ts";
import type { Store } from "../../store/handle.ts";
import { linkTargets } from "../link_target.ts";
import { type Entry, isHere, knownEntries } from "../index/entries.ts";
import type { Memory } from "../memory.ts";

interface Contradicting extends Entry {
  readonly isLater: boolean;
}

/** By the id of the note in doubt. */
export type ContradictingNotes = ReadonlyMap<string, readonly Contradicting[]>;

interface Pair {
  readonly by: Entry;
  readonly of: string;
}

/** Which of these notes are in doubt, by id, each with what contradicts it. */
export function contradictingNotes(
  memory: Memory,
  notes: readonly { readonly id: string }[],
): ContradictingNotes {
  const wanted = new Set(notes.map(({ id }) => id));
  const pairs = memory.stores.flatMap((store) =>
    memory.index(store).contradictions().map(([note, of]): Pair => ({ by: { store, note }, of }))
  ).filter(({ by, of }) =>
    // In a vault links name a note by its file.
    wanted.has(by.note.id) || wanted.has(of) || by.store.vault !== undefined
  );
  const rivals = new Map<string, Contradicting[]>();
  // Most memories have no contradictions, and read no more than that.
  if (pairs.length === 0) return rivals;
  const targets = statements(memory, new Set(pairs.map(({ of }) => of)));
  for (const { by, of } of pairs.filter(({ by }) => stands(memory, by))) {
    for (const { entry } of targets.get(of) ?? []) {
      if (!mayDoubt(by.store, entry.store)) continue;
      // Of two written in the same second, the one with the link came later.
      const [older, newer] = compareText(saidAt(entry), saidAt(by)) > 0 ? [by, entry] : [entry, by];
      const isSession = by.note.kind === "session";
      // A session's contradiction is settled once the note was reworded or verified after it.
      if (isSession && newer === entry) continue;
      add(rivals, older, { ...newer, isLater: true });
      if (isPersons(older) && !isPersons(newer) && !isSession) {
        add(rivals, newer, { ...older, isLater: false });
      }
    }
  }
  return rivals;
}

/** The notes that contradictions name, by the names they use. */
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

/** Notes of a store that nobody trusts cast doubt only on notes of that store. */
function mayDoubt(by: Store, of: Store): boolean {
  return by.trust !== "unknown" || by === of;
}

/** The date of a note's statement: verifying it counts as saying it again. */
export function saidAt({ note: { updated, verified = "" } }: Pick<Entry, "note">): string {
  return verified > updated ? verified : updated;
}

function isPersons({ note: { author } }: Entry): boolean {
  return author === undefined || author === "person";
}

function add(rivals: Map<string, Contradicting[]>, { note }: Entry, rival: Contradicting): void {
  rivals.set(note.id, [...rivals.get(note.id) ?? [], rival]);
}
