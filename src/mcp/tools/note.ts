/** Reads one note, whole or by section. */
import { z } from "zod";
import { readNote } from "../../memory/read.ts";
import { ambiguous, failed, unknown } from "../answer.ts";
import { quoted } from "../fenced.ts";
import { defineTool, READS } from "../tool.ts";
import { given, label, listing, notesShape, staleFact } from "./shapes.ts";

const SECTIONS_MAX = 30;
const STALE = "One knowledge note, stale: look at its files, then word it anew " +
  "(sage_save_knowledge with its id), or say what shows that it holds: " +
  "`sage knowledge verify <id> --evidence <text>`.";

export const getNoteTool = defineTool({
  name: "get_note",
  title: "Get note",
  description: "Read one note, or a section of it, by id or short id.",
  input: z.strictObject({ id: label, section: label.optional() }),
  output: notesShape,
  annotations: READS,
  async run(memory, { id, section }) {
    const outcome = await readNote(memory, id, given({ section }));
    switch (outcome.kind) {
      case "one": {
        const { item, text, author, sections } = outcome;
        const { type, status, path } = item;
        const note = {
          ...item,
          author,
          text,
          facts: { short_id: item.short_id, type, status, path, ...staleFact(item) },
        };
        return listing(
          memory,
          [note],
          (_shown, { cut }) =>
            cut
              ? `Cut to size. Read by section: ${names(sections)}.`
              : item.stale === undefined
              ? `One ${type} note.`
              : STALE,
        );
      }
      case "no_section": {
        const { short_id } = outcome.item;
        return failed(
          `Note ${short_id} has no section ${quoted(section ?? "")}. It has: ${
            names(outcome.sections)
          }.`,
        );
      }
      case "many":
        return ambiguous(id, outcome.items);
      case "none":
        return unknown("note", id, outcome.nearest);
    }
  },
});

function names(sections: readonly string[]): string {
  return sections.length === 0 ? "none" : sections.slice(0, SECTIONS_MAX).map(quoted).join(", ");
}
