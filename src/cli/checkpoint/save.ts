/** `sage checkpoint save`: from options, from JSON, from Markdown, or from a sentence. */
import { SageError } from "../../base/errors.ts";
import { NOTE_BYTES_MAX } from "../../base/limits.ts";
import { cut } from "../../base/text/text.ts";
import { saveCheckpoint } from "../../memory/checkpoint/save.ts";
import { DRAFT_OPTIONS, draftFromFlags, draftFromText } from "./draft.ts";
import { defineVerb } from "../command.ts";
import { withNote } from "../note_operand.ts";
import { saveAnswer } from "../outcome.ts";
import { pipedText } from "../piped.ts";
import { authorOf, withMemory } from "../with_memory.ts";

/** How much of a sentence a message shows. */
const SHOWN_CHARACTERS_MAX = 60;

export const save = defineVerb({
  summary: "save now",
  usage: "sage checkpoint [save] [-m <text>] [-]",
  operands: [0, Infinity],
  options: DRAFT_OPTIONS,
  details:
    "Without options, or with -, the checkpoint is read from stdin: JSON with the fields core_question, thesis, key_evidence, reasoning_trace, open_questions and so on, or Markdown with sections of these names; Markdown without them is the conclusion. Unknown fields are reported, and then nothing is saved. Options override what is piped in.",
  examples: [
    'sage checkpoint -m "The token refresh races with logout; a lock per session fixes it."',
    "sage checkpoint < notes.md",
  ],
  async run(input, io) {
    const { message, thesis } = input.options;
    const typed = input.rest.join(" ");
    // Before waiting for stdin, which nobody may be about to type.
    if (typed !== "" && typed !== "-") {
      const shown = cut(typed, SHOWN_CHARACTERS_MAX);
      throw new SageError("usage", `Unexpected argument "${shown}"`, {
        hint: `to save a sentence: sage checkpoint -m "${shown}"`,
      });
    }
    const said = message ?? thesis;
    const isSaid = typed !== "" || said !== undefined;
    const piped = isSaid ? undefined : await pipedText(io, NOTE_BYTES_MAX);
    if (said?.trim() === "" || !isSaid && piped === undefined) {
      throw new SageError("usage", "Nothing to save: say what you concluded", {
        hint: 'sage checkpoint -m "…"',
      });
    }
    if (message !== undefined && thesis !== undefined) {
      throw new SageError("usage", "-m and --thesis are the same", { hint: "give one of them" });
    }
    return await withMemory(input, io, async (memory) => {
      const read = typed === "" ? piped : await io.readAll(NOTE_BYTES_MAX);
      const given = read === undefined ? {} : await draftFromText(read);
      const draft = draftFromFlags(given, input.options);
      const { parent } = input.options;
      if (parent === undefined) {
        return saveAnswer(await saveCheckpoint(memory, draft, authorOf(io)), "checkpoint");
      }
      // A misspelt parent would be a chain that leads nowhere.
      const target = { kind: "checkpoint", ref: parent, json: input.json } as const;
      return await withNote(memory, io, target, async ({ note }) => {
        const whole = { ...draft, parent: note.id };
        return saveAnswer(await saveCheckpoint(memory, whole, authorOf(io)), "checkpoint");
      });
    });
  },
});
