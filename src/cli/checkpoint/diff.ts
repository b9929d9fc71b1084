/** `sage checkpoint diff`: what changed in the thinking between two checkpoints. */
import { SageError } from "../../base/errors.ts";
import {
  type CheckpointDiff,
  DIFF_PARTS,
  diffNotes,
  type DiffPart,
  isEmptyDiff,
} from "../../memory/checkpoint/diff.ts";
import { toCheckpointItem } from "../../memory/checkpoint/list.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { type Answer, bold, dim, type Line, styled } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import { withNote } from "../note_operand.ts";
import { recalledPage } from "../recalled.ts";
import { withMemory } from "../with_memory.ts";

const HEADINGS: Readonly<Record<DiffPart, string>> = {
  conclusions: "Conclusions",
  evidence: "Evidence",
  questions: "Questions",
  tensions: "Tensions",
  sources: "Sources",
};

export const diff = defineVerb({
  summary: "what changed in the thinking between two",
  usage: "sage checkpoint diff <id> [<id>]",
  operands: [1, 2],
  details:
    "Compares by meaning: the same conclusion in other words is not a change, another number or a `not` is. With one id, against the checkpoint that it continues.",
  examples: ["sage checkpoint diff a1b2c3d4 e5f60718"],
  run(input, io) {
    const [first = "", second] = input.rest;
    return withMemory(input, io, (memory) => {
      const find = (ref: string, then: (stored: StoredNote) => Answer | Promise<Answer>) =>
        withNote(memory, io, { kind: "checkpoint", ref, json: input.json }, then);
      return find(first, (a) => {
        if (second !== undefined) {
          return find(second, (b) => diffAnswer(memory, io, a, b));
        }
        const { parent } = readCheckpoint(a.note);
        if (parent === undefined) {
          throw new SageError("usage", `"${a.note.title}" continues no other checkpoint`, {
            hint: `name the other one: sage checkpoint diff <id> ${first}`,
          });
        }
        return find(parent, (before) => diffAnswer(memory, io, before, a));
      });
    });
  },
});

function diffAnswer(memory: Memory, io: Io, a: StoredNote, b: StoredNote): Answer {
  const diff = diffNotes(memory, a, b);
  const [from, to] = [toCheckpointItem(a), toCheckpointItem(b)];
  const lines: Line[] = [
    dim(`${from.short_id} "${from.title}" → ${to.short_id} "${to.title}"`),
    ...(isEmptyDiff(diff) ? ["", "They say the same."] : diffLines(diff)),
  ];
  const about = { ...to, title: `${from.title} → ${to.title}` };
  return { json: { from, to, diff }, text: recalledPage(memory, io, about, lines) };
}

function diffLines(diff: CheckpointDiff): Line[] {
  return DIFF_PARTS.flatMap((part): Line[] => {
    const { added, removed, changed } = diff[part];
    if (added.length + removed.length + changed.length === 0) return [];
    return [
      "",
      bold(HEADINGS[part]),
      ...added.map((text) => styled(`  + ${text}`, "green")),
      ...changed.flatMap(({ before, after }) => [
        styled(`  ~ before: ${before}`, "yellow"),
        styled(`    now:    ${after}`, "yellow"),
      ]),
      ...removed.map((text) => styled(`  - ${text}`, "red")),
    ];
  });
}
