/** Notes of every kind: list, read, move to the trash. */
import { z } from "zod";
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { removeNote } from "../../memory/removal/remove.ts";
import { listNotes } from "../../memory/note_list.ts";
import { readNote } from "../../memory/read.ts";
import type { Memory } from "../../memory/memory.ts";
import { INDEXED_KINDS } from "../../note/note.ts";
import { listRoute } from "../list_route.ts";
import { edited, notFound, stop } from "../outcome.ts";
import { defineRoute, done, type Reply } from "../route.ts";
import { flag, note, noteItem, nothing, saveOutcome } from "../shapes.ts";

export const listNotesRoute = listRoute({
  path: "/notes",
  name: "listNotes",
  summary: "Every note in reach, newest first",
  item: noteItem,
  filter: { type: z.enum(INDEXED_KINDS).optional(), tag: z.string().optional(), all: flag },
  counts: true,
  list: listNotes,
});

export const readNoteRoute = defineRoute({
  method: "GET",
  path: "/notes/{id}",
  name: "readNote",
  summary: "One note, or a section of it",
  input: z.strictObject({ section: z.string().optional() }),
  output: z.looseObject({ note }),
  run: ({ memory, params: { id = "" }, input: { section } }) => readOne(memory, id, section),
});

export const removeNoteRoute = defineRoute({
  method: "DELETE",
  path: "/notes/{id}",
  name: "removeNote",
  summary: "Move a note to the trash, from where a person can bring it back for 30 days",
  input: nothing,
  output: saveOutcome.extend({ restore_until: z.string() }),
  replaces: true,
  async run({ memory, params: { id = "" }, expected: expectedHash, author }) {
    try {
      const outcome = await removeNote(memory, id, undefined, {
        ...defined({ expectedHash }),
        author,
      });
      switch (outcome.kind) {
        case "removed": {
          const { kind, ...note } = outcome;
          return done({ outcome: kind, ...note });
        }
        case "many":
        case "none":
          return notFound(id, outcome);
      }
    } catch (error) {
      if (error instanceof SageError && error.code === "conflict") return edited(error.message);
      throw error;
    }
  },
});

/** The note as `sage knowledge show --json` prints it; its ETag is the hash of the file. */
async function readOne(memory: Memory, id: string, section?: string): Promise<Reply> {
  const outcome = await readNote(memory, id, defined({ section }));
  switch (outcome.kind) {
    case "one": {
      const { item, text, hash, sections } = outcome;
      return done({ note: { ...item, hash, sections, text } }, hash);
    }
    case "no_section":
      return stop(
        404,
        "not_found",
        `The note has no section "${section}"${outcome.partly ? `: ${outcome.partly}` : ""}`,
        { sections: outcome.sections },
      );
    case "many":
    case "none":
      return notFound(id, outcome);
  }
}
