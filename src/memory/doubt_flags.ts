/**
 * Flags that tell a reader to doubt a note: its sources changed, another note contradicts it, or a
 * person is being asked whether it should change.
 */
import { defined } from "../base/defined.ts";
import type { FileSource } from "../note/provenance.ts";
import { type ContradictingNotes, contradictingNotes } from "./knowledge/contradicting.ts";
import { datedRef, type NoteItem } from "./item.ts";
import type { Memory } from "./memory.ts";
import { questionedNotes } from "./question/question.ts";
import { withStale } from "./source/stale.ts";

export async function withDoubtFlags<T extends NoteItem>(
  memory: Memory,
  items: readonly T[],
  sourcesOf: (item: T, index: number) => readonly FileSource[] | undefined,
  rivals: ContradictingNotes = contradictingNotes(memory, items),
): Promise<T[]> {
  const judged = await withStale(memory, items, sourcesOf);
  const questioned = memory.settled?.questioned ?? questionedNotes(memory);
  return judged.map((item): T => {
    const by = rivals.get(item.id)?.map(({ note }) => datedRef(note));
    const asked = questioned.get(item.id);
    return {
      ...item,
      flags: [
        ...item.flags,
        ...(by === undefined ? [] : ["contradicted"]),
        ...(asked === undefined ? [] : ["questioned"]),
      ],
      ...defined({ contradicted_by: by, questioned: asked }),
    };
  });
}

/** The same for one item. */
export async function withDoubtFlag<T extends NoteItem>(
  memory: Memory,
  item: T,
  sources: readonly FileSource[] | undefined,
): Promise<T> {
  const [judged = item] = await withDoubtFlags(memory, [item], () => sources);
  return judged;
}
