/** `sage knowledge verify`: somebody vouches for a note, and it rests on its sources as they are now. */
import { verifyKnowledge } from "../../memory/knowledge/verify.ts";
import { defineVerb } from "../command.ts";
import { withNamed } from "../note_operand.ts";
import { editedAnswer, saveAnswer } from "../outcome.ts";
import { authorOf } from "../with_memory.ts";

export const verify = defineVerb({
  summary: "confirm that a note still holds with its sources as they are",
  usage: "sage knowledge verify <id> [--evidence <text>]",
  operands: [1, Infinity],
  options: {
    evidence: { type: "string", value: "text", summary: "the evidence; required from an agent" },
  },
  details:
    "A note whose source files changed is marked stale wherever it is shown, until somebody rewords or verifies it. This records in the note who verified it, and from then on compares its files with their present content. A file that is gone stays listed and is no longer compared.",
  examples: ['sage knowledge verify 7f3a91c2 --evidence "deno test auth: 12 passed"'],
  run(input, io) {
    const { evidence = "" } = input.options;
    return withNamed(input, io, { kind: "knowledge" }, async (memory, stored) => {
      const outcome = await verifyKnowledge(memory, stored, evidence, authorOf(io));
      switch (outcome.kind) {
        case "verified": {
          const { id, short_id, title, path } = outcome;
          const note = { id, short_id, type: "knowledge", title, path };
          return {
            json: { outcome: "verified", note },
            text: [`Verified knowledge ${short_id}: ${title}`],
          };
        }
        case "edited":
          return editedAnswer("Not verified", outcome);
        default:
          return saveAnswer(outcome, "knowledge");
      }
    });
  },
});
