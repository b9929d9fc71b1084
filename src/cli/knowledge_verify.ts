/** `sage knowledge verify`: somebody vouches for a note, and it rests on its sources as they are now. */
import { verifyKnowledge } from "../memory/knowledge/verify.ts";
import { type Answer, failed } from "./answer.ts";
import { defineVerb } from "./command.ts";
import { withNote } from "./note_operand.ts";
import { saveAnswer } from "./outcome.ts";
import { authorOf, withMemory } from "./with_memory.ts";

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
    return withMemory(input, io, async (memory) => {
      const { options: { evidence = "" }, rest, json } = input;
      const operand = { kind: "knowledge", ref: rest.join(" "), json } as const;
      return await withNote(memory, io, operand, async (stored): Promise<Answer> => {
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
            return failed({
              code: "conflict",
              message: `Not verified, ${outcome.reason}: ${outcome.path}`,
              hint: "look at it, then repeat",
            }, { json: { outcome: "edited", id: outcome.id, path: outcome.path } });
          default:
            return saveAnswer(outcome, "knowledge");
        }
      });
    });
  },
});
