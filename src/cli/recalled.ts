/**
 * Notes as an agent's shell sees them: inside the fence that says they are data. A person reads them plain.
 * (`--json` needs no fence: there they are strings.)
 */
import type { Memory } from "../memory/memory.ts";
import { flagWords, type NoteItem, trustSaid } from "../memory/item.ts";
import { fenceItems } from "../memory/recalled.ts";
import { type Line, textOfLine } from "./terminal/answer.ts";
import type { Io } from "./io.ts";
import { pageLines } from "./terminal/table.ts";
import { authorOf } from "./with_memory.ts";

/** The head of a note in the fence, as far as it is known, and the part of the note that is shown. */
export type Shown = Pick<NoteItem, "short_id" | "title" | "updated"> & Partial<NoteItem> & {
  readonly text: string;
};

/** Lines about one note. */
export function recalledPage(
  memory: Memory,
  io: Io,
  about: Omit<Shown, "text">,
  lines: readonly Line[],
): readonly Line[] {
  const text = lines.map(textOfLine).join("\n");
  return recalledLines(memory, io, [{ ...about, text }], () => lines);
}

export function recalledLines(
  memory: Memory,
  io: Io,
  notes: readonly Shown[],
  plain: () => readonly Line[],
): readonly Line[] {
  if (authorOf(io).by === "person") return pageLines(io, plain());
  const fenced = fenceItems(notes.map((note) => ({
    id: note.short_id,
    title: note.title,
    date: (note.updated || note.created || "").slice(0, 10),
    author: note.author ?? "",
    trust: trustSaid(memory, note.scope),
    flags: flagWords({ flags: [], ...note }),
    body: note.text,
  })));
  return fenced.split("\n");
}
