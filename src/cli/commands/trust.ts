/** `sage trust`: the owner's word that a project's memory may speak in their sessions. */
import { trustProject } from "../../memory/trust.ts";
import { failed } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import { refuseAgents, withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, 1],
  details:
    "A project's memory comes with git clone, from anyone. Until you trust it, none of it is shown unasked, its settings are ignored, and search marks its notes. Read it first: it is Markdown in .sage.",
  examples: ["sage trust", "sage trust ../other-project"],
  run(input, io) {
    const at = { ...input, project: input.rest[0] ?? input.project };
    refuseAgents(io, "Only a person may trust a store", "sage trust");
    return withMemory(at, io, (memory) => {
      if (memory.project === undefined) {
        return failed({
          code: "not_found",
          message: `There is no .sage in ${memory.places.projectDir} or above`,
          hint: "sage init creates one",
        });
      }
      const before = memory.project.trust;
      const { root, trust } = trustProject(memory);
      return {
        json: { root, trust },
        text: [
          before === trust
            ? `Already ${trust === "own" ? "yours" : trust}: ${root}`
            : `Trusted ${root}`,
        ],
      };
    });
  },
});
