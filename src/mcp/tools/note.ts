/** Reads one note, whole or by section, and changes a part of it. */
import { z } from "zod";
import { defined } from "../../base/defined.ts";
import { HASH_DIGITS } from "../../memory/write/merge_base.ts";
import {
  CONFLICT_CHOICES,
  editKnowledge,
  type EditOutcome,
  fieldValue,
  UNMERGED_CHOICES,
} from "../../memory/knowledge/edit.ts";
import type { PatchConflict } from "../../memory/knowledge/patch.ts";
import type { Memory } from "../../memory/memory.ts";
import { readNote } from "../../memory/read.ts";
import type { Patch } from "../../note/patch.ts";
import { type Answer, BOTH_STAND, failed, keptBeside, notFound, saved, say } from "../answer.ts";
import { fenced, quoted } from "../fenced.ts";
import { ADDS, defineTool, READS } from "../tool.ts";
import { proposed, putToPerson } from "./proposed.ts";
import { agent, label, listing, notesShape, outcomeShape, staleFact, text } from "./shapes.ts";

const SECTIONS_MAX = 30;
const STALE = "One knowledge note, stale: look at its files, then reword it " +
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
    const outcome = await readNote(memory, id, { forChange: true, ...defined({ section }) });
    switch (outcome.kind) {
      case "one": {
        const { item, text, sections, hash, of, raised, partly } = outcome;
        const { type, status, path } = item;
        const note = {
          ...item,
          text,
          facts: {
            ...{ short_id: item.short_id, type, status, path, ...staleFact(item) },
            ...defined({
              of_project: of,
              hash: type === "knowledge" && of === undefined
                ? hash.slice(0, HASH_DIGITS)
                : undefined,
            }),
          },
        };
        return listing(
          memory,
          [note],
          (_shown, { cut }) =>
            (cut
              ? `Cut to size. Read by section: ${names(sections)}.`
              : item.stale !== undefined
              ? STALE
              : of === undefined
              ? `One ${type} note.`
              : `One ${type} note of another project: its words are about that one.`) +
            (partly === undefined ? "" : ` But ${partly}.`) +
            (raised === undefined ? "" : ` ${putToPerson(raised)}`),
          raised === undefined ? {} : { question_id: raised.id, question: raised.question },
        );
      }
      case "no_section": {
        const { item: { short_id }, partly } = outcome;
        return failed(
          `Note ${short_id} has no section ${quoted(section ?? "")}. It has: ${
            names(outcome.sections)
          }.${partly === undefined ? "" : ` But ${partly}.`}`,
        );
      }
      case "many":
      case "none":
        return notFound("note", id, outcome);
    }
  },
});

const input = z.strictObject({
  id: label,
  action: z.enum(["insert", "append", "replace", "set"]),
  heading: label.optional(),
  text: text.optional(),
  field: label.optional(),
  expected_hash: label.optional(),
  on_conflict: z.enum(CONFLICT_CHOICES).optional(),
});

type Input = z.output<typeof input>;

export const updateNoteTool = defineTool({
  name: "sage_update_note",
  title: "Update note",
  description:
    "Change part of a knowledge note, nothing else in it: insert {heading, text} below a heading, " +
    "append {text}, replace {heading, text} a section, set {field, text} a key. expected_hash is get_note's " +
    "hash; what a person wrote since is merged or, at the same place, told: then ask them.",
  input,
  output: outcomeShape,
  annotations: ADDS,
  async run(memory, args) {
    const patch = toPatch(args);
    if (typeof patch === "string") return failed(`sage_update_note: ${patch}.`);
    const { id, expected_hash: expectedHash, on_conflict: onConflict } = args;
    const edit = { patch, expectedHash, onConflict };
    const outcome = await editKnowledge(memory, id, edit, agent(memory));
    return updateAnswer(memory, id, outcome);
  },
});

function toPatch({ action, heading, text, field }: Input): Patch | string {
  switch (action) {
    case "append":
      return text === undefined ? 'to append, give "text"' : { kind: action, text };
    case "set":
      return field === undefined
        ? 'to set, give "field" and "text"; without text the field goes'
        : { kind: action, key: field, value: fieldValue(field, text ?? "") };
    default:
      return heading === undefined || text === undefined
        ? `to ${action}, give "heading" and "text"`
        : { kind: action, heading, text };
  }
}

function updateAnswer(memory: Memory, ref: string, outcome: EditOutcome): Answer {
  switch (outcome.kind) {
    case "patched": {
      const { id, short_id, title, hash, merged, copy } = outcome;
      const also = merged ? ` ${BOTH_STAND}` : "";
      const message = `Updated ${short_id} ${quoted(title)}; hash ${hash}.${also}${
        keptBeside(copy)
      }`;
      return say(merged ? "merged" : "updated", message, { id, short_id, hash });
    }
    case "unchanged":
      return say("unchanged", `Nothing to do: ${quoted(outcome.title)} says so already.`);
    case "aborted":
      return say("aborted", `Left as it is: ${quoted(outcome.title)}.`);
    case "conflict":
      return conflictAnswer(memory, outcome);
    case "no_section":
      return failed(
        `${quoted(outcome.title)} has no such section. It has: ${
          names(outcome.sections)
        }. insert makes a missing one.`,
      );
    case "many":
    case "none":
      return notFound("note", ref, outcome);
    case "proposed":
      return proposed(memory, outcome);
    default:
      return saved("knowledge", outcome);
  }
}

/** The current text of the note, and how to write the caller's after the person chose. */
function conflictAnswer(memory: Memory, conflict: PatchConflict): Answer {
  const { id, short_id, title, reason, there, loaded, diff, hash } = conflict;
  const message = `Not written: ${reason} in ${short_id} ${quoted(title)}. Show the person both; ` +
    'then call again with on_conflict "append" (yours below, marked as unmerged), "new" (a note of its own) ' +
    `or "abort", or replace it with a text that joins both and expected_hash ${hash}.`;
  const fence = (text: string): string => fenced(memory, [{ ...conflict, text }]);
  const now = fence(there);
  const read = loaded === undefined ? {} : { loaded: fence(loaded) };
  const data = { there: now, diff: fence(diff), ...read };
  return {
    kind: "done",
    text: `${message}\n\nThere:\n${now}`,
    data: {
      outcome: "conflict",
      message,
      id,
      short_id,
      hash,
      ...data,
      choices: UNMERGED_CHOICES,
    },
  };
}

function names(sections: readonly string[]): string {
  return sections.length === 0 ? "none" : sections.slice(0, SECTIONS_MAX).map(quoted).join(", ");
}
