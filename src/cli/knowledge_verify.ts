/** `sage knowledge verify`: somebody vouches for a note, and it rests on its sources as they are now. */
import { verifyKnowledge } from "../memory/knowledge/verify.ts";
import { defineVerb } from "./command.ts";
import { withNamed } from "./note_operand.ts";
import { editedAnswer, saveAnswer } from "./outcome.ts";
import { authorOf } from "./with_memory.ts";

export const verify = defineVerb({
  summary: "say that a note still holds, as its sources are now",
  usage: "sage knowledge verify <id> [--evidence <text>]",
  operands: [1, Infinity],
  options: {
    evidence: { type: "string", value: "text", summary: "what shows it; an agent must give it" },
  },
  details:
    "A note whose source files changed is marked stale wherever it is shown. Reading it does not mend that; rewording it does, and so does this: who vouches for it is written into the note, and its files are compared with what they hold now from here on. A file that is gone stays named and is no longer compared.",
  examples: ['sage knowledge verify 7f3a91c2 --evidence "deno test auth: 12 passed"'],
  run(input, io) {
    const { evidence = "" } = input.options;
    return withNamed(input, io, { kind: "knowledge" }, async (memory, stored) => {
      const outcome = await verifyKnowledge(memory, stored, evidence, authorOf(io));
      switch (outcome.kind) {
        case "verified": {
          const { id, shortId: short_id, title, path } = outcome;
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
