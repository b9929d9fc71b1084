/** `sage knowledge promote`: makes a project's note one for every project, and back. */
import {
  demoteKnowledge,
  type Promoted,
  promoteKnowledge,
} from "../../memory/knowledge/promote.ts";
import type { Answer } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { NAMED_WHOLE, withNamed } from "../note_operand.ts";
import { refuseAgents } from "../with_memory.ts";

export const promote = defineVerb({
  summary: "keep a note of this project for every project, or bring it back",
  usage: "sage knowledge promote <id> [--back]",
  operands: [1, Infinity],
  options: {
    back: { type: "boolean", summary: "bring it back to the project that it came from" },
    "from-team": { type: "boolean", summary: "even if others share the note, and lose it" },
  },
  details:
    "Its file goes to your own store, with its versions; a redirect stays in .sage/redirects, so that ids and links keep working. If your own store has a note with that id already, it gets another id, and the old one still works in this project. Only a person promotes: you are asked about notes that were used in other projects three times (sage inbox). " +
    NAMED_WHOLE,
  examples: ["sage knowledge promote git-worktrees", "sage knowledge promote git-worktrees --back"],
  run(input, io) {
    const { back, "from-team": fromTeam } = input.options;
    refuseAgents(io, "Only a person may promote a note to every project, or back");
    const operand = { kind: "knowledge", isGoing: true } as const;
    return withNamed(
      input,
      io,
      operand,
      async (memory, stored) =>
        back
          ? promotedAnswer(await demoteKnowledge(memory, stored), "is of this project")
          : promotedAnswer(await promoteKnowledge(memory, stored, { fromTeam })),
    );
  },
});

/** `where`: describes the state in which there is nothing to do. */
export function promotedAnswer(outcome: Promoted, where = "holds in every project"): Answer {
  const { kind, id, short_id, title, path, before } = outcome;
  const json = { outcome: kind, note: { id, short_id, title, path }, before };
  const called = before === undefined ? "" : ` (it was ${before} before)`;
  switch (kind) {
    case "unchanged":
      return { json, text: [`${title} ${where} already.`] };
    case "promoted":
      return {
        json,
        text: [`${title} now holds in every project: ${path}${called}`],
        notices: [`sage knowledge promote ${id} --back brings it back`],
      };
    case "demoted":
      return { json, text: [`${title} is of this project again: ${path}${called}`] };
  }
}
