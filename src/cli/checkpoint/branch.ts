/** `sage checkpoint branch`: continues from an earlier state in another direction. */
import { branchCheckpoint } from "../../memory/checkpoint/branch.ts";
import { defineVerb } from "../command.ts";
import { withNamed } from "../note_operand.ts";
import { saveAnswer } from "../outcome.ts";
import { authorOf } from "../with_memory.ts";

export const branch = defineVerb({
  summary: "go on from one in another direction",
  usage: "sage checkpoint branch <id> [--name <text>]",
  operands: [1, Infinity],
  options: { name: { type: "string", value: "text", summary: "a name for the new direction" } },
  details:
    "Saves the same thinking as a new checkpoint that names the old one as its parent. What is saved next in this session continues the branch; the old checkpoint stays as it is.",
  examples: ['sage checkpoint branch a1b2c3d4 --name "without the cache"'],
  run(input, io) {
    return withNamed(input, io, { kind: "checkpoint" }, async (memory, stored) => {
      const outcome = await branchCheckpoint(memory, stored, authorOf(io), input.options.name);
      const answer = saveAnswer(outcome, "checkpoint");
      if (outcome.kind !== "saved") return answer;
      const { id, title } = stored.note;
      return {
        ...answer,
        json: { ...answer.json, parent: { id, title } },
        notices: [`go on from it: sage load ${outcome.short_id}`],
      };
    });
  },
});
