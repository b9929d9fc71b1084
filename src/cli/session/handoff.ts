/** `sage session handoff`: a session's handoff, as a text to start another agent with. */
import { settle } from "../../memory/index/settle.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { handoffText, type Recipient, RECIPIENTS } from "../../memory/session/handoff_text.ts";
import { toSessionItem } from "../../memory/session/list.ts";
import type { Answer } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { withSession } from "./operand.ts";
import { withMemory } from "../with_memory.ts";

export const handoff = defineVerb({
  summary: "print what a session left, to start another agent with",
  usage: "sage session handoff [<id>] [--to codex|cursor|gemini|opencode]",
  operands: [0, Infinity],
  options: {
    to: {
      type: "string",
      choices: Object.keys(RECIPIENTS) as Recipient[],
      summary: "say how to start that agent with it",
    },
  },
  details:
    "The latest session by default. Private text and secrets are left out. Printing it does not take the handoff up: the next session is still offered it.",
  examples: ["sage session handoff", 'codex "$(sage session handoff --to codex)"'],
  run(input, io) {
    const { to } = input.options;
    return withMemory(input, io, async (opened) => {
      const memory = await settle(opened);
      return await withSession(memory, io, input, (stored) => textAnswer(memory, stored, to));
    });
  },
});

function textAnswer(memory: Memory, stored: StoredNote, to: Recipient | undefined): Answer {
  const text = handoffText(memory, stored);
  return {
    json: { session: toSessionItem(memory, stored), text, to },
    text: text.split("\n"),
    // As the argument of that very command it needs no explanation.
    notices: to === undefined ? [] : [`to begin there: ${RECIPIENTS[to]}`],
  };
}
